//! The changes to make in an output directory.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use plumb_source::{Occupant, WorldError, WorldErrorKind};

use super::{Files, check_directory, check_inside, journal, lock, shown};

/// The size of the pieces in which files are compared.
const MAX_PIECE: usize = 1 << 20;

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
    let is_removed = |path: &Path| path.ancestors().any(|it| removed.contains(it));
    // Parents sort before their children.
    for parent in parents {
        let is_there =
            || !is_removed(parent) && fs::symlink_metadata(directory.join(parent)).is_ok();
        if parent.as_os_str().is_empty() {
            continue;
        }
        if is_there() {
            check_directory(&directory.join(parent))?;
        } else {
            changes.push(Change::MakeDirectory { path: parent.to_owned() });
        }
    }
    let mut checked = None;
    for (&path, &bytes) in files {
        // Files of one directory are consecutive.
        if checked != path.parent() {
            check_inside(directory, path)?;
            checked = path.parent();
        }
        if is_removed(path) || !has_content(&directory.join(path), bytes)? {
            changes.push(Change::Put { path: path.to_owned(), bytes });
        }
    }
    Ok(changes)
}

/// Adds the entries of a directory that are neither new files nor directories of new files.
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
        if path.as_os_str().is_empty() && [journal::NAME, lock::NAME].iter().any(|it| name == *it) {
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
    // The sizes are equal. A file that cannot be read can still be replaced.
    let is_same = fs::File::open(place).and_then(|file| begins_with(file, bytes));
    Ok(is_same.unwrap_or(false))
}

/// Returns whether a file begins with this content.
fn begins_with(mut file: fs::File, bytes: &[u8]) -> io::Result<bool> {
    let mut buffer = vec![0; bytes.len().min(MAX_PIECE)];
    for piece in bytes.chunks(MAX_PIECE) {
        let read = &mut buffer[..piece.len()];
        file.read_exact(read)?;
        if read != piece {
            return Ok(false);
        }
    }
    Ok(true)
}
