//! Files under temporary names, beside the places that they are to take.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use plumb::world::{Access, Fault, WorldError};

use super::{leads_out, shown, temporary};
use crate::world::refused;

/// Files under temporary names and new directories, which are removed again unless all files take
/// their places.
pub(super) struct Staged {
    access: Access,
    /// Temporary path and final place.
    files: Vec<(PathBuf, PathBuf)>,
    /// Those above stand before those below.
    made: Vec<PathBuf>,
}

impl Staged {
    pub(super) fn new(access: Access) -> Self {
        Self { access, files: Vec::new(), made: Vec::new() }
    }

    /// Makes a directory and those above it.
    pub(super) fn make_directories(&mut self, directory: &Path) -> Result<(), WorldError> {
        let missing: Vec<&Path> = directory
            .ancestors()
            .take_while(|it| !it.as_os_str().is_empty() && !it.exists())
            .collect();
        missing.into_iter().rev().try_for_each(|it| self.make(it))
    }

    /// Makes the directories of a path below the output directory. A symbolic link on the way
    /// must not lead out of it.
    pub(super) fn make_inside(&mut self, directory: &Path, path: &Path) -> Result<(), WorldError> {
        let mut here = directory.to_owned();
        for step in path.components() {
            here.push(step);
            match fs::symlink_metadata(&here) {
                Ok(metadata) if metadata.is_symlink() => stays_inside(directory, &here)?,
                Ok(_) => {}
                Err(_) => self.make(&here)?,
            }
        }
        Ok(())
    }

    fn make(&mut self, directory: &Path) -> Result<(), WorldError> {
        create_directory(directory, self.access).map_err(|it| refused("mkdir", directory, &it))?;
        self.made.push(directory.to_owned());
        Ok(())
    }

    pub(super) fn add(&mut self, place: PathBuf, bytes: &[u8]) -> Result<(), WorldError> {
        let replaced = fs::symlink_metadata(&place).ok();
        if replaced.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(WorldError::new("open", shown(&place), Fault::IsADirectory));
        }
        let name = temporary(OsStr::new("file"), &self.files.len().to_string());
        let temporary = place.with_file_name(name);
        self.files.push((temporary.clone(), place));
        let (temporary, place) = &self.files[self.files.len() - 1];
        let mut file = create(temporary, self.access).map_err(|it| refused("open", place, &it))?;
        file.write_all(bytes).map_err(|it| refused("write", place, &it))?;
        // The permissions that someone gave the old file are theirs to take away.
        if let Some(metadata) = replaced.filter(fs::Metadata::is_file) {
            fs::set_permissions(temporary, metadata.permissions())
                .map_err(|it| refused("chmod", place, &it))?;
        }
        Ok(())
    }

    /// The directories that were made stay.
    pub(super) fn keep(&mut self) {
        self.made.clear();
    }

    pub(super) fn commit(mut self) -> Result<(), WorldError> {
        self.made.clear();
        let mut files = std::mem::take(&mut self.files).into_iter();
        while let Some((temporary, place)) = files.next() {
            if let Err(error) = fs::rename(&temporary, &place) {
                self.files = std::iter::once((temporary, place.clone())).chain(files).collect();
                return Err(refused("rename", &place, &error));
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Best effort: the failure that brought us here is the one to report.
        for (temporary, _) in &self.files {
            let _ = fs::remove_file(temporary);
        }
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

/// A new file. What has its name was left by a process that was killed, and had our number.
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

fn create_directory(path: &Path, access: Access) -> io::Result<()> {
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
    builder.create(path)
}

/// Refuses a symbolic link that leads out of the output directory.
fn stays_inside(directory: &Path, link: &Path) -> Result<(), WorldError> {
    let real = |path: &Path| fs::canonicalize(path).map_err(|it| refused("lstat", path, &it));
    if real(link)?.starts_with(real(directory)?) { Ok(()) } else { Err(leads_out(directory, link)) }
}
