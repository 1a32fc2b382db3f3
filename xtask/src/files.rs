//! The files of a folder and its subfolders, sorted.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;

pub(crate) fn markdown(folder: &Path) -> Result<Vec<PathBuf>> {
    with_extension(folder, "md")
}

/// The pages of the manual. The pages of findings are in the crate that shows them, and are reached
/// through a link.
pub(crate) fn manual(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = markdown(&root.join("docs/src"))?;
    pages.extend(markdown(&root.join("docs/src/findings"))?);
    pages.sort();
    Ok(pages)
}

/// The files with cases: of crates, of the manual and of the examples.
pub(crate) fn case_files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        found.extend(markdown(&entry?.path().join("cases"))?);
    }
    found.extend(manual(root)?);
    found.extend(markdown(&root.join("examples"))?);
    found.sort();
    Ok(found)
}

/// All files below a folder with an extension. Returns an empty list if the folder does not exist.
/// Links are skipped: their targets are elsewhere in the repository. Installed npm packages are not
/// part of it.
pub(crate) fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = all(folder)?;
    files.retain(|path| path.extension().is_some_and(|it| it == extension));
    Ok(files)
}

/// All files below a folder, like [`with_extension`].
pub(crate) fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = match std::fs::read_dir(folder) {
        // A build that runs at the same time may remove it.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_symlink() || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// A folder with these files, for the test of a rule. It is removed on drop.
#[cfg(test)]
pub(crate) struct Scratch(pub(crate) PathBuf);

#[cfg(test)]
impl Scratch {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("plumb-xtask-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            let folder = path.parent().expect("a file is in a folder");
            std::fs::create_dir_all(folder).expect("a folder for a test");
            std::fs::write(path, text).expect("a file for a test");
        }
        Self(root)
    }
}

#[cfg(test)]
impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_packages_are_skipped() -> Result<()> {
        let files = [("web/README.md", ""), ("web/node_modules/a/README.md", "")];
        let scratch = Scratch::new("files", &files);
        assert_eq!(markdown(&scratch.0)?, [scratch.0.join("web/README.md")]);
        Ok(())
    }
}
