//! Writes output files, completely or not at all.
//!
//! The changes are determined first: a file whose content stays the same is not touched. Then they
//! are made in one of three ways:
//!
//! - One changed file is written next to its destination under a temporary name, and renamed
//!   ([`file`]).
//! - A directory that is new or must be emptied is filled next to its destination and exchanged for
//!   the existing one, in one step ([`whole`]). Unchanged files are linked into the new one. If the
//!   system cannot do that (a mount point, a parent that is not writable), the third way is used.
//! - Otherwise all new files are written into `.plumb-write` in the output directory, together with
//!   a journal of their destinations. Then each is renamed to its destination ([`journal`]).
//!
//! Any failure, and a termination signal before files are moved to their destinations, undoes
//! everything. After a process was killed, each file is old or new, never partly written. The next
//! run that writes to the directory first completes or undoes the changes of the killed run, and
//! removes temporary files. A lock on the directory prevents runs from writing to it at the same
//! time.
//!
//! Nothing is synced to the disk: the guarantees apply if a process ends, not if the power fails.
//! Output can be created again, and syncing 500 files takes several times as long as creating them.

mod changes;
mod file;
mod journal;
mod lock;
mod signals;
#[cfg(test)]
mod tests;
mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use plumb_source::{Access, Occupant, OutputTree, WorldError, WorldErrorKind, lexical, root};

use crate::NativeWorld;
use changes::{Change, changes};
use journal::Journal;
use signals::Watch;
use whole::Old;

/// New files by their paths below the output directory.
type Files<'a> = BTreeMap<&'a Path, &'a [u8]>;

/// A change to the file system that is about to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// No file was moved to its destination yet: an interrupted run can end here.
    Preparing,
    Committing,
}

/// Called before each step. An error ends the run, and everything is undone.
type Before<'a> = &'a dyn Fn(Step) -> Result<(), WorldError>;

/// Writes all files of a tree, or none of them.
pub fn write_tree(tree: &OutputTree<'_>) -> Result<(), WorldError> {
    let watch = Watch::new();
    write(tree, &|step| {
        if step == Step::Preparing && watch.is_end_requested() {
            // Nobody reads this message: after the cleanup, the signal ends the process.
            let kind = WorldErrorKind::Other("ended by a signal".to_owned());
            return Err(WorldError::new("write", shown(tree.directory), kind));
        }
        Ok(())
    })
}

fn write(tree: &OutputTree<'_>, before: Before<'_>) -> Result<(), WorldError> {
    // If two files have the same path, the later one is written.
    let files: Files<'_> =
        tree.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
    check_paths(tree.directory, &files)?;
    let directory = match tree.directory {
        it if it.as_os_str().is_empty() => Path::new("."),
        it => it,
    };
    let mut made = Vec::new();
    let written = make_directories(directory, tree.access, &mut made)
        .and_then(|()| into(directory, tree, &files, !made.is_empty(), before));
    if written.is_err() {
        for directory in made.iter().rev() {
            // Best effort: the original error is the one to report.
            let _ = fs::remove_dir(directory);
        }
    }
    written
}

/// Writes files into an existing directory.
fn into(
    directory: &Path,
    tree: &OutputTree<'_>,
    files: &Files<'_>,
    is_new: bool,
    before: Before<'_>,
) -> Result<(), WorldError> {
    let (access, occupant) = (tree.access, tree.occupant);
    if files.is_empty() && occupant == Occupant::Kept && !journal::is_left(directory) {
        return Ok(());
    }
    if let (Occupant::Kept, 1, false) = (occupant, files.len(), journal::is_left(directory))
        && let [Change::Put { path, bytes }] = changes(directory, files, occupant)?.as_slice()
    {
        return file::put(&directory.join(path), bytes, access, before);
    }
    let _lock = lock::lock(directory, before)?;
    whole::clear(directory);
    journal::recover(directory, access, before)?;
    // The files of an empty directory do not have to be compared one by one.
    let is_blank = is_new && !files.is_empty() && is_empty(directory);
    if is_blank && whole::replace(directory, Old::Empty, files, access, before)? {
        return Ok(());
    }
    let changes = changes(directory, files, occupant)?;
    if changes.is_empty() {
        return Ok(());
    }
    let is_emptied = occupant == Occupant::Removed && !is_blank;
    if is_emptied && whole::replace(directory, Old::WithFiles, files, access, before)? {
        return Ok(());
    }
    Journal::new(directory, access).write(&changes, before)
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut it| it.next().is_none())
}

/// Rejects paths that lead out of the directory, and a path that is a parent of another one.
fn check_paths(directory: &Path, files: &Files<'_>) -> Result<(), WorldError> {
    let mut parents: BTreeSet<&Path> = BTreeSet::new();
    for path in files.keys() {
        if !is_plain(path) {
            return Err(leads_out(directory, path));
        }
        parents.extend(path.ancestors().skip(1));
    }
    match files.keys().find(|path| parents.contains(*path)) {
        Some(path) => {
            Err(WorldError::new("open", shown(&directory.join(path)), WorldErrorKind::IsADirectory))
        }
        None => Ok(()),
    }
}

/// Returns whether all components of a path are names.
fn is_plain(path: &Path) -> bool {
    !path.as_os_str().is_empty() && path.components().all(|it| matches!(it, Component::Normal(_)))
}

fn leads_out(directory: &Path, path: &Path) -> WorldError {
    let kind = format!("leads out of the output directory '{}'", lexical::shown(directory));
    WorldError::new("open", shown(path), WorldErrorKind::Other(kind))
}

/// Creates a directory and its missing parents. The new ones are added to `made`, parents first.
fn make_directories(
    directory: &Path,
    access: Access,
    made: &mut Vec<PathBuf>,
) -> Result<(), WorldError> {
    let named = || directory.ancestors().take_while(|it| !it.as_os_str().is_empty());
    let missing: Vec<&Path> = named().take_while(|it| !it.exists()).collect();
    if let Some(existing) = named().nth(missing.len()) {
        check_directory(existing)?;
    }
    for directory in missing.into_iter().rev() {
        if file::create_directory(directory, access)? {
            made.push(directory.to_owned());
        }
    }
    Ok(())
}

/// Rejects a path that exists and is not a directory. A broken link is not rejected here.
fn check_directory(path: &Path) -> Result<(), WorldError> {
    if path.is_dir() || !path.exists() {
        return Ok(());
    }
    let path = shown(&lexical::clean(path));
    Err(WorldError::new("mkdir", path, WorldErrorKind::NotADirectory))
}

/// Rejects a path below the output directory if a symbolic link in it leads out of the directory.
fn check_inside(directory: &Path, path: &Path) -> Result<(), WorldError> {
    let world = NativeWorld::default();
    let mut here = directory.to_owned();
    for step in path.parent().into_iter().flat_map(Path::components) {
        here.push(step);
        match fs::symlink_metadata(&here) {
            Ok(metadata) if metadata.is_symlink() => {
                if root::leads_out(&world, directory, &here)? {
                    return Err(leads_out(directory, &here));
                }
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
