//! Output files, written whole or not at all.
//!
//! Every file is first written under a temporary name beside its place. Only when all are there
//! do they take their places, one rename each. Whatever fails before that leaves the old files
//! as they were; a process that is killed leaves each file old or new, never half. One that is
//! told to end first takes its temporary files away.
//!
//! Nothing is synced to the disk: this holds for the end of a process, not for the loss of power.
//! Output can be made again, and to sync 500 files takes several times as long as to make them.
//! Usual file systems (ext4, btrfs) write a file out by themselves before it replaces another.

mod replace;
mod signals;
mod staged;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path};

use plumb::world::{Access, Fault, Occupant, OutputTree, WorldError};

use signals::Watch;
use staged::Staged;

/// Writes a tree of files, all or none.
pub(crate) fn tree(tree: &OutputTree<'_>) -> Result<(), WorldError> {
    // Of two files with one path the later one stays.
    let files: BTreeMap<&Path, &[u8]> =
        tree.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
    check_paths(tree.directory, &files)?;
    let watch = Watch::new();
    match tree.occupant {
        Occupant::Kept => add(tree.directory, tree.access, &files, &watch),
        Occupant::Removed => replace::replace(tree.directory, tree.access, &files, &watch),
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
fn add(
    directory: &Path,
    access: Access,
    files: &BTreeMap<&Path, &[u8]>,
    watch: &Watch,
) -> Result<(), WorldError> {
    let mut staged = Staged::new(access);
    staged.make_directories(directory)?;
    let parents: BTreeSet<&Path> = files.keys().filter_map(|path| path.parent()).collect();
    for parent in parents {
        staged.make_inside(directory, parent)?;
    }
    for (path, bytes) in files {
        if watch.is_told_to_end() {
            return Err(WorldError::new("write", shown(directory), interrupted()));
        }
        staged.add(directory.join(path), bytes)?;
    }
    staged.commit()
}

/// For no one to read: the process ends with the signal when all is tidy.
fn interrupted() -> Fault {
    Fault::Other("told to end".to_owned())
}

fn temporary(name: &OsStr, what: &str) -> String {
    // Long names must not become too long.
    let name: String = name.to_string_lossy().chars().take(40).collect();
    format!(".{name}.plumb-{}-{what}", std::process::id())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
