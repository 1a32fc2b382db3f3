//! The changes to make in an output directory.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use plumb_source::{Occupant, WorldError, WorldErrorKind};

use super::{Files, check_inside, journal, shown};

/// One change, with a path below the output directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// Remove a file, or a directory with everything in it.
    Remove {
        path: PathBuf,
    },
    MakeDirectory {
        path: PathBuf,
    },
    /// Write a new file, or new content to an existing one.
    Put {
        path: PathBuf,
        bytes: &'a [u8],
    },
}

/// Returns the changes that produce the files, in the order in which they can be made.
pub(super) fn changes<'a>(
    directory: &Path,
    files: &Files<'a>,
    occupant: Occupant,
) -> Result<Vec<Change<'a>>, WorldError> {
    let parents: BTreeSet<&Path> = files.keys().flat_map(|path| path.ancestors().skip(1)).collect();
    let mut changes = Vec::new();
    if occupant == Occupant::Removed {
        add_removed(directory, Path::new(""), files, &parents, &mut changes)?;
    }
    let removed: BTreeSet<PathBuf> = changes
        .iter()
        .filter_map(|it| match it {
            Change::Remove { path } => Some(path.clone()),
            Change::MakeDirectory { .. } | Change::Put { .. } => None,
        })
        .collect();
    let is_there = |path: &Path| {
        !path.ancestors().any(|it| removed.contains(it))
            && fs::symlink_metadata(directory.join(path)).is_ok()
    };
    // Parents sort before their children.
    for parent in parents {
        if !parent.as_os_str().is_empty() && !is_there(parent) {
            changes.push(Change::MakeDirectory { path: parent.to_owned() });
        }
    }
    for (&path, &bytes) in files {
        check_inside(directory, path)?;
        let place = directory.join(path);
        if !is_there(path) || !has_content(&place, bytes)? {
            changes.push(Change::Put { path: path.to_owned(), bytes });
        }
    }
    Ok(changes)
}

/// Adds what a directory contains that is neither a new file nor the directory of one.
fn add_removed(
    root: &Path,
    path: &Path,
    files: &Files<'_>,
    parents: &BTreeSet<&Path>,
    changes: &mut Vec<Change<'_>>,
) -> Result<(), WorldError> {
    let directory = root.join(path);
    let entries =
        fs::read_dir(&directory).map_err(|it| WorldError::from_io("open", &directory, &it))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|it| WorldError::from_io("readdirent", &directory, &it))?;
        let kind =
            entry.file_type().map_err(|it| WorldError::from_io("lstat", &entry.path(), &it))?;
        names.push((entry.file_name(), kind));
    }
    names.sort_by(|left, right| left.0.cmp(&right.0));
    for (name, kind) in names {
        let below = path.join(&name);
        if path.as_os_str().is_empty() && name == journal::NAME {
            continue;
        }
        match kind.is_dir() {
            true if parents.contains(below.as_path()) => {
                add_removed(root, &below, files, parents, changes)?;
            }
            false if files.contains_key(below.as_path()) => {}
            _ => changes.push(Change::Remove { path: below }),
        }
    }
    Ok(())
}

/// Returns whether a path is a file with this content.
pub(super) fn has_content(place: &Path, bytes: &[u8]) -> Result<bool, WorldError> {
    let Ok(metadata) = fs::symlink_metadata(place) else {
        return Ok(false);
    };
    if metadata.is_dir() {
        return Err(WorldError::new("open", shown(place), WorldErrorKind::IsADirectory));
    }
    if !metadata.is_file() || metadata.len() != bytes.len() as u64 {
        return Ok(false);
    }
    // A file that cannot be read can still be replaced.
    let Ok(file) = fs::File::open(place) else {
        return Ok(false);
    };
    let mut content = Vec::with_capacity(bytes.len());
    let is_read = file.take(bytes.len() as u64 + 1).read_to_end(&mut content).is_ok();
    Ok(is_read && content == bytes)
}
