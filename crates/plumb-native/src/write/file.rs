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
/// so that other runs can distinguish it from leftovers of a killed process.
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
    let mut file = create(&temporary, place, access)?;
    // Not every file system has locks.
    let _ = file.try_lock();
    let done = write_to(&mut file, place, bytes)
        .and_then(|()| keep_permissions(&temporary, place))
        .and_then(|()| before(Step::Preparing))
        .and_then(|()| {
            fs::rename(&temporary, place).map_err(|it| WorldError::from_io("rename", place, &it))
        });
    if done.is_err() {
        // Best effort: the original error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Creates a file that will be moved to its destination. Messages name the destination.
pub(super) fn fill(
    path: &Path,
    place: &Path,
    bytes: &[u8],
    access: Access,
) -> Result<(), WorldError> {
    write_to(&mut create(path, place, access)?, place, bytes)
}

fn write_to(file: &mut fs::File, place: &Path, bytes: &[u8]) -> Result<(), WorldError> {
    file.write_all(bytes).map_err(|it| WorldError::from_io("write", place, &it))
}

/// Gives a new file the permissions of the file that it will replace, if there is one.
pub(super) fn keep_permissions(path: &Path, place: &Path) -> Result<(), WorldError> {
    match fs::symlink_metadata(place) {
        Ok(replaced) if replaced.is_file() => fs::set_permissions(path, replaced.permissions())
            .map_err(|it| WorldError::from_io("chmod", place, &it)),
        _ => Ok(()),
    }
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

/// Creates a new file. An existing file with this name is a leftover of a killed process.
fn create(path: &Path, place: &Path, access: Access) -> Result<fs::File, WorldError> {
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
    let opened = match options.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::remove_file(path).and_then(|()| options.open(path))
        }
        opened => opened,
    };
    opened.map_err(|it| WorldError::from_io("open", place, &it))
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

/// Returns whether a path exists, even as a broken link.
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
