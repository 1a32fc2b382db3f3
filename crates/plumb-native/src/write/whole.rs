//! Replaces a directory by a new one, in one step.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plumb_source::{Access, WorldError};

use super::changes::has_content;
use super::file::{MAX_NAME, create_directory, fill, temporary};
use super::{Before, Files, Step};

/// Fills a new directory next to the existing one, and exchanges the two. Returns false if this is
/// not possible here; then nothing has changed.
pub(super) fn replace(
    directory: &Path,
    files: &Files<'_>,
    access: Access,
    before: Before<'_>,
) -> Result<bool, WorldError> {
    let Some(new) = beside(directory) else {
        return Ok(false);
    };
    before(Step::Preparing)?;
    if !create_directory(&new, access).unwrap_or(false) {
        return Ok(false);
    }
    let filled = fill_directory(&new, directory, files, access, before);
    let exchanged = filled.and_then(|()| {
        before(Step::Preparing)?;
        Ok(exchange(&new, directory).is_ok())
    });
    if matches!(exchanged, Ok(true)) {
        before(Step::Committing)?;
    }
    // This is now the old directory, or the new one if it is not needed.
    let _ = fs::remove_dir_all(&new);
    exchanged
}

/// Removes what a killed process left next to the directory.
pub(super) fn clear(directory: &Path) {
    if let Some(left) = beside(directory).filter(|it| it.is_dir()) {
        let _ = fs::remove_dir_all(left);
    }
}

/// Returns the path of the new directory. Returns `None` if the directory cannot be renamed: it is
/// a link, has no name, or has a name that is too long.
fn beside(directory: &Path) -> Option<PathBuf> {
    let name = directory.file_name().filter(|it| it.len() <= MAX_NAME)?;
    let is_real = fs::symlink_metadata(directory).is_ok_and(|it| it.is_dir());
    is_real.then(|| directory.with_file_name(temporary(name, "new")))
}

fn fill_directory(
    new: &Path,
    old: &Path,
    files: &Files<'_>,
    access: Access,
    before: Before<'_>,
) -> Result<(), WorldError> {
    for (path, bytes) in files {
        before(Step::Preparing)?;
        let (target, place) = (new.join(path), old.join(path));
        for parent in path.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            if !parent.as_os_str().is_empty() {
                create_directory(&new.join(parent), access)?;
            }
        }
        // An unchanged file is linked, not copied.
        let is_kept =
            has_content(&place, bytes).unwrap_or(false) && fs::hard_link(&place, &target).is_ok();
        if !is_kept {
            fill(&target, &place, bytes, access)?;
        }
    }
    Ok(())
}

/// Exchanges the names of two paths atomically.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
