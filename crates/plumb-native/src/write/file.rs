//! Creates and writes single files and directories, and moves them to their destinations.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use plumb_source::{Access, WorldError};

use super::{Before, Step};

/// The longest name that can be part of a temporary name.
pub(super) const MAX_NAME: usize = 200;

/// Writes one file under a temporary name, and renames it. The file is locked until it is renamed,
/// so that other runs can distinguish it from what a killed process left.
pub(super) fn put(
    place: &Path,
    bytes: &[u8],
    access: Access,
    before: Before<'_>,
) -> Result<(), WorldError> {
    let name = place.file_name().unwrap_or_default();
    let directory = place.parent().filter(|it| !it.as_os_str().is_empty());
    clear(directory.unwrap_or(Path::new(".")), name);
    before(Step::Preparing)?;
    let temporary = place.with_file_name(temporary(name, &std::process::id().to_string()));
    let locked = fill(&temporary, place, bytes, access);
    let done = locked.and_then(|file| {
        before(Step::Preparing)?;
        fs::rename(&temporary, place).map_err(|it| WorldError::from_io("rename", place, &it))?;
        drop(file);
        Ok(())
    });
    if done.is_err() {
        // Best effort: the original error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Writes a new file that will replace another one. It gets the permissions of the existing file.
pub(super) fn fill(
    path: &Path,
    place: &Path,
    bytes: &[u8],
    access: Access,
) -> Result<fs::File, WorldError> {
    let mut file = create(path, access).map_err(|it| WorldError::from_io("open", place, &it))?;
    // Not every file system has locks.
    let _ = file.try_lock();
    file.write_all(bytes).map_err(|it| WorldError::from_io("write", place, &it))?;
    let replaced = fs::symlink_metadata(place).ok().filter(fs::Metadata::is_file);
    if let Some(metadata) = replaced {
        fs::set_permissions(path, metadata.permissions())
            .map_err(|it| WorldError::from_io("chmod", place, &it))?;
    }
    Ok(file)
}

/// Returns a temporary name for a file that will replace, or was replaced by, another one.
pub(super) fn temporary(name: &OsStr, what: &str) -> OsString {
    let mut temporary = prefix(name);
    temporary.push(what);
    temporary
}

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    if name.len() <= MAX_NAME {
        prefix.push(name);
    }
    prefix.push(".plumb-");
    prefix
}

/// Removes files that killed processes left while they wrote a file with this name.
fn clear(directory: &Path, name: &OsStr) {
    let prefix = prefix(name);
    let left = fs::read_dir(directory).into_iter().flatten().flatten().filter(|it| {
        let is_left = it.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
        is_left && it.file_type().is_ok_and(|it| it.is_file())
    });
    for entry in left {
        let is_dead = fs::File::open(entry.path()).is_ok_and(|it| it.try_lock().is_ok());
        if is_dead {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates a new file. A file that already has its name was left by a killed process.
fn create(path: &Path, access: Access) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(match access {
            Access::Owner => 0o700,
            Access::Usual => 0o666,
        });
    }
    #[cfg(not(unix))]
    let _ = access;
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            options.open(path)
        }
        opened => opened,
    }
}

/// Creates a directory. Returns false if it exists already.
pub(super) fn create_directory(path: &Path, access: Access) -> Result<bool, WorldError> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(match access {
            Access::Owner => 0o700,
            Access::Usual => 0o777,
        });
    }
    #[cfg(not(unix))]
    let _ = access;
    match builder.create(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(false),
        Err(error) => Err(WorldError::from_io("mkdir", path, &error)),
    }
}

/// Renames a file or directory. A file is copied if its destination is on another file system.
pub(super) fn relocate(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices && from.is_file() => {
            let beside: PathBuf =
                to.with_file_name(temporary(to.file_name().unwrap_or_default(), "copy"));
            let copied = fs::copy(from, &beside).and_then(|_| fs::rename(&beside, to));
            if copied.is_err() {
                let _ = fs::remove_file(&beside);
                return copied;
            }
            fs::remove_file(from)
        }
        renamed => renamed,
    }
}

/// Returns whether something is at a path, even if it is a broken link.
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
