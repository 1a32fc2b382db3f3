//! Replaces a directory by a new one, in one step.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plumb_source::{Access, WorldError};

use super::changes::has_content;
use super::file::{MAX_NAME, create_directory, fill, keep_permissions, temporary};
use super::{Before, Files, Step};

/// Whether the existing directory has files that may stay the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Old {
    Empty,
    WithFiles,
}

/// Fills a new directory next to the existing one, and exchanges the two. Returns false, without
/// any change, if this is not possible here.
pub(super) fn replace(
    directory: &Path,
    old: Old,
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
    let filled = make_parents(&new, files, access).and_then(|()| {
        for (path, bytes) in files {
            before(Step::Preparing)?;
            put(&new.join(path), &directory.join(path), old, bytes, access)?;
        }
        Ok(())
    });
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

/// Removes leftovers of a killed process next to the directory.
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

/// Creates the directories of the files, each once.
fn make_parents(new: &Path, files: &Files<'_>, access: Access) -> Result<(), WorldError> {
    // Parents sort before their children.
    let parents: BTreeSet<&Path> = files.keys().flat_map(|path| path.ancestors().skip(1)).collect();
    for parent in parents.into_iter().filter(|it| !it.as_os_str().is_empty()) {
        create_directory(&new.join(parent), access)?;
    }
    Ok(())
}

/// Puts a file into the new directory. An unchanged file is linked, not copied.
fn put(
    target: &Path,
    place: &Path,
    old: Old,
    bytes: &[u8],
    access: Access,
) -> Result<(), WorldError> {
    if old == Old::Empty {
        return fill(target, place, bytes, access);
    }
    let is_same = has_content(place, bytes).unwrap_or(false);
    if is_same && fs::hard_link(place, target).is_ok() {
        return Ok(());
    }
    fill(target, place, bytes, access)?;
    keep_permissions(target, place)
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
