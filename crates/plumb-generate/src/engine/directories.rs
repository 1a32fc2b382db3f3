//! Expands directories among the files to validate.

use std::path::Path;

use plumb_source::{EntryKind, World};

use crate::error::Error;

/// The extensions of files that are read from a directory.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// The files, with directories replaced by the files below them, sorted by name. Names that begin
/// with a dot are skipped.
pub(super) fn listed(paths: &[String], world: &dyn World) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if !is_directory(path, world) {
            files.push(path.clone());
            continue;
        }
        let n_before = files.len();
        list(path, world, &mut files)?;
        if files.len() == n_before {
            return Err(Error::NoFiles(path.clone()));
        }
    }
    Ok(files)
}

fn is_directory(path: &str, world: &dyn World) -> bool {
    match world.entry(Path::new(path)) {
        Ok(EntryKind::Directory) => true,
        // Listing succeeds only if the target is a directory.
        Ok(EntryKind::Symlink) => world.list(Path::new(path)).is_ok(),
        Ok(EntryKind::File | EntryKind::Pipe | EntryKind::Other) | Err(_) => false,
    }
}

fn list(directory: &str, world: &dyn World, files: &mut Vec<String>) -> Result<(), Error> {
    for entry in world.list(Path::new(directory))? {
        let name = entry.name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{}/{name}", directory.trim_end_matches('/'));
        match entry.kind {
            EntryKind::Directory => list(&path, world, files)?,
            EntryKind::File | EntryKind::Symlink => {
                let extension = entry.name.extension();
                if extension.is_some_and(|it| EXTENSIONS.iter().any(|known| it == *known)) {
                    files.push(path);
                }
            }
            EntryKind::Pipe | EntryKind::Other => {}
        }
    }
    Ok(())
}
