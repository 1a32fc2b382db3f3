//! A new directory in the place of an old one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use plumb::world::{Access, Fault, WorldError};

use super::signals::Watch;
use super::staged::Staged;
use super::{add, shown, temporary};
use crate::world::refused;

/// Puts files in the place of all that are there: a new directory is filled beside the old one,
/// and takes its place.
pub(super) fn replace(
    directory: &Path,
    access: Access,
    files: &BTreeMap<&Path, &[u8]>,
    watch: &Watch,
) -> Result<(), WorldError> {
    let name = directory.file_name().ok_or_else(|| {
        WorldError::new("rename", shown(directory), Fault::Other("invalid argument".to_owned()))
    })?;
    let parent = directory.parent().filter(|it| !it.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let mut above = Staged::new(access);
    above.make_directories(parent)?;
    let new = Scrap(parent.join(temporary(name, "new")));
    let old = Scrap(parent.join(temporary(name, "old")));
    new.clear()?;
    old.clear()?;
    add(&new.0, access, files, watch)?;
    match exchange(&new.0, directory) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::rename(&new.0, directory).map_err(|it| refused("rename", directory, &it))?;
        }
        // Not every file system can do both at once.
        Err(_) => one_after_the_other(&new.0, &old.0, directory)?,
    }
    above.keep();
    new.clear()?;
    old.clear()
}

/// Gives two paths each the name of the other, at once.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, other: &Path) -> io::Result<()> {
    fs::symlink_metadata(other)?;
    Err(ErrorKind::Unsupported.into())
}

fn one_after_the_other(new: &Path, old: &Path, directory: &Path) -> Result<(), WorldError> {
    fs::rename(directory, old).map_err(|it| refused("rename", directory, &it))?;
    fs::rename(new, directory).map_err(|error| {
        // Where the old one cannot be put back either, the first refusal is the one to report.
        let _ = fs::rename(old, directory);
        refused("rename", directory, &error)
    })
}

/// A directory under a temporary name, which goes when it is no longer needed.
struct Scrap(PathBuf);

impl Scrap {
    fn clear(&self) -> Result<(), WorldError> {
        let removed = match fs::symlink_metadata(&self.0) {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&self.0),
            Ok(_) => fs::remove_file(&self.0),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|it| refused("remove", &self.0, &it)),
        }
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        // Best effort: what failed was reported by whoever gave up.
        let _ = self.clear();
    }
}
