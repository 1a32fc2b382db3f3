//! A lock on an output directory while a run writes to it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use plumb_source::{WorldError, WorldErrorKind};

use super::{Before, Step, journal, shown};

/// How long to wait for another run.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// The file that a run keeps open in an output directory on Windows. It is not part of the output.
pub(super) const NAME: &str = ".plumb-lock";

const PAUSE: Duration = Duration::from_millis(5);

/// Waits until no other run writes to the directory. The lock is released when the file is closed,
/// at the latest when the process ends. Returns `None` if the system has no such locks.
pub(super) fn lock(directory: &Path, before: Before<'_>) -> Result<Option<File>, WorldError> {
    let start = Instant::now();
    loop {
        before(Step::Preparing)?;
        match attempt(directory) {
            Ok(file) if is_at(&file, directory)? => return Ok(Some(file)),
            // Another run has replaced the directory in the meantime.
            Ok(_) => {}
            Err(TryLockError::WouldBlock) if start.elapsed() > MAX_WAIT => {
                let kind = WorldErrorKind::Other("another process is writing to it".to_owned());
                return Err(WorldError::new("lock", shown(directory), kind));
            }
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(_)) => return without_lock(directory),
        }
    }
}

/// Locks the directory itself.
#[cfg(not(windows))]
fn attempt(directory: &Path) -> Result<File, TryLockError> {
    let file = File::open(directory).map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// Windows cannot lock a directory. Instead, a file in it is opened exclusively. The system deletes
/// the file when the process ends.
#[cfg(windows)]
fn attempt(directory: &Path) -> Result<File, TryLockError> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    options.open(directory.join(NAME)).map_err(|error| match error.raw_os_error() {
        Some(SHARING_VIOLATION) => TryLockError::WouldBlock,
        _ => TryLockError::Error(error),
    })
}

/// Fails if there are leftovers: without a lock, they cannot be distinguished from the work of
/// another run.
fn without_lock(directory: &Path) -> Result<Option<File>, WorldError> {
    if !journal::is_left(directory) {
        return Ok(None);
    }
    let kind = "another run is writing, or was killed: remove it if none is running";
    let path = directory.join(journal::NAME);
    Err(WorldError::new("lock", shown(&path), WorldErrorKind::Other(kind.to_owned())))
}

/// Returns whether a file is still the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> Result<bool, WorldError> {
    use std::os::unix::fs::MetadataExt as _;
    let own = file.metadata().map_err(|it| WorldError::from_io("lstat", path, &it))?;
    let there = std::fs::metadata(path).map_err(|it| WorldError::from_io("lstat", path, &it))?;
    Ok((own.dev(), own.ino()) == (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> Result<bool, WorldError> {
    std::fs::metadata(path).map(|_| true).map_err(|it| WorldError::from_io("lstat", path, &it))
}
