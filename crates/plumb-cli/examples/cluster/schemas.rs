//! The schemas of the case files.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_testkit::CaseFile;

use crate::Outcome;

/// A schema of data values, as a file.
pub(crate) struct Schema {
    /// The page and the number of its case.
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
    pub(crate) file: String,
}

/// Writes the files of all cases below `directory`, and returns those that declare a schema.
pub(crate) fn of_cases(root: &Path, directory: &Path) -> Outcome<Vec<Schema>> {
    let mut pages = Vec::new();
    for folder in ["crates", "docs/src", "examples"] {
        add_pages(&root.join(folder), &mut pages)?;
    }
    pages.sort();
    let mut schemas = Vec::new();
    for page in pages {
        let file = CaseFile::parse(&page, &fs::read_to_string(&page)?, &[]);
        let name = page.strip_prefix(root)?.to_string_lossy().into_owned();
        for (at, case) in file.cases.iter().enumerate() {
            let own = directory.join(format!("{}-{at}", name.replace(['/', '.'], "-")));
            for input in &case.inputs {
                let path = own.join(&input.name);
                fs::create_dir_all(path.parent().ok_or("a file in a directory")?)?;
                fs::write(&path, &input.text)?;
                let text = &input.text;
                if text.contains("#@data/values-schema") && !text.contains("#@overlay/match") {
                    let name = format!("{name} {} {}", at + 1, input.name);
                    let file = input.name.clone();
                    schemas.push(Schema { name, directory: own.clone(), file });
                }
            }
        }
    }
    Ok(schemas)
}

fn add_pages(directory: &Path, pages: &mut Vec<PathBuf>) -> Outcome<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        // The manual links to the pages of the crates.
        if entry.file_type()?.is_symlink() {
            continue;
        }
        if path.is_dir() && !path.ends_with("target") {
            add_pages(&path, pages)?;
        } else if path.extension().is_some_and(|it| it == "md") {
            pages.push(path);
        }
    }
    Ok(())
}
