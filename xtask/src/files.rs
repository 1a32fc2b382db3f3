//! The files of a folder and its subfolders, sorted.

use std::path::{Path, PathBuf};

use anyhow::Result;

pub(crate) fn markdown(folder: &Path) -> Result<Vec<PathBuf>> {
    with_extension(folder, "md")
}

/// All files below a folder with an extension. Returns an empty list if the folder does not exist.
/// Links are skipped: their targets are elsewhere in the repository.
pub(crate) fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, extension, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, extension, files)?;
        } else if path.extension().is_some_and(|it| it == extension) {
            files.push(path);
        }
    }
    Ok(())
}
