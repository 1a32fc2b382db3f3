//! Output files, written whole or not at all.
//!
//! Every file is first written under a temporary name beside its place. Only when all are there
//! do they take their places, one rename each. Whatever fails before that leaves the old files
//! as they were; a process that is killed leaves each file old or new, never half.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use plumb::world::{Access, Fault, Occupant, OutputTree, WorldError};

use crate::world::refused;

/// Writes a tree of files, all or none.
pub(crate) fn tree(tree: &OutputTree<'_>) -> Result<(), WorldError> {
    // Of two files with one path the later one stays.
    let files: BTreeMap<&Path, &[u8]> =
        tree.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
    check_paths(tree.directory, &files)?;
    match tree.occupant {
        Occupant::Kept => add(tree.directory, tree.access, &files),
        Occupant::Removed => replace(tree.directory, tree.access, &files),
    }
}

/// Refuses paths that lead out of the directory, or of which one is a directory of another.
fn check_paths(directory: &Path, files: &BTreeMap<&Path, &[u8]>) -> Result<(), WorldError> {
    let mut parents: BTreeSet<&Path> = BTreeSet::new();
    for path in files.keys() {
        let is_plain = path.components().all(|it| matches!(it, Component::Normal(_)));
        if !is_plain || path.as_os_str().is_empty() {
            return Err(leads_out(directory, path));
        }
        parents.extend(path.ancestors().skip(1));
    }
    match files.keys().find(|path| parents.contains(*path)) {
        Some(path) => {
            Err(WorldError::new("open", shown(&directory.join(path)), Fault::IsADirectory))
        }
        None => Ok(()),
    }
}

fn leads_out(directory: &Path, path: &Path) -> WorldError {
    let fault = format!("leads out of the output directory '{}'", directory.display());
    WorldError::new("open", shown(path), Fault::Other(fault))
}

/// Puts files beside those that are there.
fn add(directory: &Path, access: Access, files: &BTreeMap<&Path, &[u8]>) -> Result<(), WorldError> {
    let mut staged = Staged::new(access);
    staged.make_directories(directory)?;
    let parents: BTreeSet<&Path> = files.keys().filter_map(|path| path.parent()).collect();
    for parent in parents {
        staged.make_inside(directory, parent)?;
    }
    for (path, bytes) in files {
        staged.add(directory.join(path), bytes)?;
    }
    staged.commit()
}

/// Puts files in the place of all that are there: a new directory is filled beside the old one,
/// and takes its place.
fn replace(
    directory: &Path,
    access: Access,
    files: &BTreeMap<&Path, &[u8]>,
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
    add(&new.0, access, files)?;
    match fs::rename(directory, &old.0) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(|it| refused("rename", directory, &it))?,
    }
    if let Err(error) = fs::rename(&new.0, directory) {
        // Where the old one cannot be put back either, the first refusal is the one to report.
        let _ = fs::rename(&old.0, directory);
        return Err(refused("rename", directory, &error));
    }
    above.made.clear();
    old.clear()
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

/// Files under temporary names and new directories, which are removed again unless all files take
/// their places.
struct Staged {
    access: Access,
    /// Temporary path and final place.
    files: Vec<(PathBuf, PathBuf)>,
    /// Those above stand before those below.
    made: Vec<PathBuf>,
}

impl Staged {
    fn new(access: Access) -> Self {
        Self { access, files: Vec::new(), made: Vec::new() }
    }

    /// Makes a directory and those above it.
    fn make_directories(&mut self, directory: &Path) -> Result<(), WorldError> {
        let missing: Vec<&Path> = directory
            .ancestors()
            .take_while(|it| !it.as_os_str().is_empty() && !it.exists())
            .collect();
        missing.into_iter().rev().try_for_each(|it| self.make(it))
    }

    /// Makes the directories of a path below the output directory. A symbolic link on the way
    /// must not lead out of it.
    fn make_inside(&mut self, directory: &Path, path: &Path) -> Result<(), WorldError> {
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

    fn add(&mut self, place: PathBuf, bytes: &[u8]) -> Result<(), WorldError> {
        let replaced = fs::symlink_metadata(&place).ok();
        if replaced.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(WorldError::new("open", shown(&place), Fault::IsADirectory));
        }
        let name = temporary(OsStr::new("file"), &self.files.len().to_string());
        let temporary = place.with_file_name(name);
        self.files.push((temporary.clone(), place));
        let (temporary, place) = &self.files[self.files.len() - 1];
        create(temporary, self.access, bytes).map_err(|it| refused("open", place, &it))?;
        // The permissions that someone gave the old file are theirs to take away.
        if let Some(metadata) = replaced.filter(fs::Metadata::is_file) {
            fs::set_permissions(temporary, metadata.permissions())
                .map_err(|it| refused("chmod", place, &it))?;
        }
        Ok(())
    }

    fn commit(mut self) -> Result<(), WorldError> {
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

fn temporary(name: &OsStr, what: &str) -> String {
    // Long names must not become too long.
    let name: String = name.to_string_lossy().chars().take(40).collect();
    format!(".{name}.plumb-{}-{what}", std::process::id())
}

fn create(path: &Path, access: Access, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
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
    options.open(path)?.write_all(bytes)
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

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
