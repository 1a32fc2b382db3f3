//! Makes several changes to an output directory: either all of them or none.
//!
//! Everything is in the directory `.plumb-write`: new files (`new-N`), files that were replaced or
//! removed (`old-N`), and the list of changes, whose name is the current state:
//!
//! ```text
//!            no list ──> journal ──> done ──> nothing
//!               │           │          ^
//!               │           └──> undo ─┘
//!               └──────────────────────────> nothing
//! ```
//!
//! Without a list, nothing was moved yet. With `journal`, changes are being made; with `undo`, they
//! are being undone; with `done`, only `.plumb-write` itself must be removed. Each arrow is one
//! rename or removal, and each change can be made or undone again if it was interrupted.
//!
//! Some time may pass before a run finds the journal of a killed run. A file that was modified
//! after the list was written keeps its content: someone edited it. A file that was deleted since
//! then stays deleted. To make this possible, a file is never missing while it is replaced: if it
//! is missing, someone else deleted it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use plumb_source::{Access, WorldError, WorldErrorKind};

use super::changes::Change;
use super::file::{create_directory, fill, is_there, keep_permissions, relocate};
use super::{Before, Step, check_inside, is_plain, leads_out, shown};

/// The name of the directory below an output directory.
pub(super) const NAME: &str = ".plumb-write";

/// The names of the list of changes.
const JOURNAL: &str = "journal";
const UNDO: &str = "undo";
const DONE: &str = "done";
const UNFINISHED: &str = "unfinished";

pub(super) struct Journal<'a> {
    /// The output directory.
    directory: &'a Path,
    /// The directory with the journal.
    own: PathBuf,
    access: Access,
    /// If a killed run wrote the journal: the time at which it wrote the list.
    written: Option<SystemTime>,
}

/// A change in the list. Files are identified by their number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    action: Action,
    path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Remove,
    MakeDirectory,
    /// Put a file at a path where no file was.
    Put,
    /// Put a file in the place of another one.
    Replace,
}

/// Returns whether a run is writing to the directory, or was killed while it did.
pub(super) fn is_left(directory: &Path) -> bool {
    is_there(&directory.join(NAME))
}

/// Completes or undoes the changes of a killed run. This run has the lock, so the other one has
/// ended.
pub(super) fn recover(
    directory: &Path,
    access: Access,
    before: Before<'_>,
) -> Result<(), WorldError> {
    let mut journal = Journal::new(directory, access);
    if !is_there(&journal.own) {
        return Ok(());
    }
    // A link would lead to the journal of another directory.
    let is_own = fs::symlink_metadata(&journal.own).is_ok_and(|it| it.is_dir());
    if is_own && is_there(&journal.list(JOURNAL)) {
        let entries = journal.read(JOURNAL)?;
        journal.written = modified(&journal.list(JOURNAL));
        journal.commit(&entries, before)?;
    } else if is_own && is_there(&journal.list(UNDO)) {
        let entries = journal.read(UNDO)?;
        journal.written = modified(&journal.list(UNDO));
        journal.undo(&entries, before)?;
    } else {
        before(Step::Committing)?;
        journal.remove();
    }
    Ok(())
}

impl<'a> Journal<'a> {
    pub(super) fn new(directory: &'a Path, access: Access) -> Self {
        Self { directory, own: directory.join(NAME), access, written: None }
    }

    /// Makes all changes, or none.
    pub(super) fn write(
        &self,
        changes: &[Change<'_>],
        before: Before<'_>,
    ) -> Result<(), WorldError> {
        let entries = self.entries(changes);
        if let Err(error) = self.prepare(changes, &entries, before) {
            self.remove();
            return Err(error);
        }
        self.commit(&entries, before)
    }

    fn entries(&self, changes: &[Change<'_>]) -> Vec<Entry> {
        let mut removed: BTreeSet<&Path> = BTreeSet::new();
        let mut entries = Vec::with_capacity(changes.len());
        for change in changes {
            let (action, path) = match change {
                Change::Remove { path } => {
                    removed.insert(path);
                    (Action::Remove, path)
                }
                Change::MakeDirectory { path } => (Action::MakeDirectory, path),
                Change::Put { path, .. } => {
                    let is_removed = path.ancestors().any(|it| removed.contains(it));
                    let is_replaced = !is_removed && is_there(&self.directory.join(path));
                    (if is_replaced { Action::Replace } else { Action::Put }, path)
                }
            };
            entries.push(Entry { action, path: path.clone() });
        }
        entries
    }

    /// Writes new files and the list.
    fn prepare(
        &self,
        changes: &[Change<'_>],
        entries: &[Entry],
        before: Before<'_>,
    ) -> Result<(), WorldError> {
        before(Step::Preparing)?;
        // Users do not know this directory: the one that it is in cannot be written to.
        create_directory(&self.own, Access::Owner)
            .map_err(|error| WorldError { subject: shown(self.directory), ..error })?;
        for (at, change) in changes.iter().enumerate() {
            if let Change::Put { path, bytes } = change {
                before(Step::Preparing)?;
                let (new, place) = (self.new_file(at), self.directory.join(path));
                fill(&new, &place, bytes, self.access)?;
                keep_permissions(&new, &place)?;
            }
        }
        before(Step::Preparing)?;
        let list = self.list(UNFINISHED);
        fs::write(&list, encoded(entries))
            .map_err(|it| WorldError::from_io("write", &list, &it))?;
        before(Step::Preparing)?;
        self.advance(UNFINISHED, JOURNAL)
    }

    /// Makes the changes that were not made yet. If one fails, all are undone.
    fn commit(&self, entries: &[Entry], before: Before<'_>) -> Result<(), WorldError> {
        let waiting = self.waiting(entries);
        for (at, entry) in entries.iter().enumerate() {
            before(Step::Committing)?;
            if self.is_deleted_since(entry, &waiting) {
                continue;
            }
            if let Err(error) = self.make(at, entry) {
                before(Step::Committing)?;
                self.advance(JOURNAL, UNDO)?;
                // If undoing also fails, the first error is the one to report.
                let _ = self.undo(entries, before);
                return Err(error);
            }
        }
        before(Step::Committing)?;
        self.advance(JOURNAL, DONE)?;
        before(Step::Committing)?;
        self.remove();
        Ok(())
    }

    /// Undoes the changes that were made.
    fn undo(&self, entries: &[Entry], before: Before<'_>) -> Result<(), WorldError> {
        let waiting = self.waiting(entries);
        for (at, entry) in entries.iter().enumerate().rev() {
            before(Step::Committing)?;
            if !self.is_deleted_since(entry, &waiting) {
                self.take_back(at, entry)?;
            }
        }
        before(Step::Committing)?;
        self.advance(UNDO, DONE)?;
        before(Step::Committing)?;
        self.remove();
        Ok(())
    }

    /// Makes a change, unless it was already made.
    fn make(&self, at: usize, entry: &Entry) -> Result<(), WorldError> {
        let place = self.place(entry)?;
        let (new, old) = (self.new_file(at), self.old_file(at));
        let failed = |error: io::Error| WorldError::from_io("rename", &place, &error);
        match entry.action {
            Action::MakeDirectory => create_directory(&place, self.access).map(|_| ()),
            _ if self.is_modified_since(&place) => Ok(()),
            Action::Remove if is_there(&old) => Ok(()),
            Action::Remove => match relocate(&place, &old) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                moved => moved.map_err(failed),
            },
            Action::Put | Action::Replace if !is_there(&new) => Ok(()),
            Action::Put | Action::Replace
                if fs::symlink_metadata(&place).is_ok_and(|it| it.is_dir()) =>
            {
                Err(WorldError::new("open", shown(&place), WorldErrorKind::IsADirectory))
            }
            Action::Put | Action::Replace => {
                if is_there(&place) && !is_there(&old) {
                    self.keep(&place, &old).map_err(failed)?;
                }
                relocate(&new, &place).map_err(failed)
            }
        }
    }

    /// Undoes a change, unless it was not made.
    fn take_back(&self, at: usize, entry: &Entry) -> Result<(), WorldError> {
        let place = self.place(entry)?;
        let (new, old) = (self.new_file(at), self.old_file(at));
        let undone = match entry.action {
            Action::MakeDirectory => {
                // Another process may have put something into the directory.
                let _ = fs::remove_dir(&place);
                Ok(())
            }
            _ if self.is_modified_since(&place) => Ok(()),
            _ if is_there(&old) => relocate(&old, &place),
            Action::Remove => Ok(()),
            Action::Put | Action::Replace if is_there(&new) => Ok(()),
            Action::Put | Action::Replace => match fs::remove_file(&place) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
        };
        undone.map_err(|it| WorldError::from_io("rename", &place, &it))
    }

    /// Keeps the old content of a file that will be replaced. The file itself stays in place until
    /// it is replaced. On a file system without links, it is copied.
    fn keep(&self, place: &Path, old: &Path) -> io::Result<()> {
        if fs::hard_link(place, old).is_ok() {
            return Ok(());
        }
        if !fs::symlink_metadata(place)?.is_file() {
            return relocate(place, old);
        }
        let copy = self.list(UNFINISHED);
        fs::copy(place, &copy).and_then(|_| fs::rename(&copy, old))
    }

    /// Returns the path of an entry. The list may have been written by anyone, so paths outside the
    /// directory are rejected.
    fn place(&self, entry: &Entry) -> Result<PathBuf, WorldError> {
        if !is_plain(&entry.path) {
            return Err(leads_out(self.directory, &entry.path));
        }
        check_inside(self.directory, &entry.path)?;
        Ok(self.directory.join(&entry.path))
    }

    /// Returns whether a file was modified after a killed run had written its journal.
    fn is_modified_since(&self, place: &Path) -> bool {
        self.written.is_some_and(|written| modified(place).is_some_and(|it| it > written))
    }

    /// Returns whether what an entry changes was deleted after a killed run had written its
    /// journal: a file that was replaced, a directory that was created, or the directory of a new
    /// file.
    fn is_deleted_since(&self, entry: &Entry, waiting: &BTreeSet<&Path>) -> bool {
        let place = self.directory.join(&entry.path);
        if self.written.is_none() || is_there(&place) {
            return false;
        }
        match entry.action {
            Action::Remove => false,
            Action::Replace => true,
            Action::Put => place.parent().is_some_and(|it| !is_there(it)),
            Action::MakeDirectory => !waiting.contains(entry.path.as_path()),
        }
    }

    /// Returns the directories of files that a killed run did not move to their destinations.
    fn waiting<'e>(&self, entries: &'e [Entry]) -> BTreeSet<&'e Path> {
        let entries = entries.iter().enumerate().filter(|_| self.written.is_some());
        let waiting = entries.filter(|(at, _)| is_there(&self.new_file(*at)));
        waiting.flat_map(|(_, it)| it.path.ancestors().skip(1)).collect()
    }

    fn list(&self, name: &str) -> PathBuf {
        self.own.join(name)
    }

    fn new_file(&self, at: usize) -> PathBuf {
        self.own.join(format!("new-{at}"))
    }

    fn old_file(&self, at: usize) -> PathBuf {
        self.own.join(format!("old-{at}"))
    }

    fn advance(&self, from: &str, to: &str) -> Result<(), WorldError> {
        let to = self.list(to);
        fs::rename(self.list(from), &to).map_err(|it| WorldError::from_io("rename", &to, &it))
    }

    fn read(&self, name: &str) -> Result<Vec<Entry>, WorldError> {
        let list = self.list(name);
        let bytes = fs::read(&list).map_err(|it| WorldError::from_io("read", &list, &it))?;
        decoded(&bytes).ok_or_else(|| {
            let kind = "not a journal of this version: remove its directory";
            WorldError::new("read", shown(&list), WorldErrorKind::Other(kind.to_owned()))
        })
    }

    /// Removes the directory. The next run removes the files that cannot be removed now.
    fn remove(&self) {
        let _ = fs::remove_dir_all(&self.own);
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(path).and_then(|it| it.modified()).ok()
}

/// Encodes an action and a path for each entry, each followed by a zero byte, which no path
/// contains.
fn encoded(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let action: &[u8] = match entry.action {
            Action::Remove => b"remove",
            Action::MakeDirectory => b"mkdir",
            Action::Put => b"put",
            Action::Replace => b"replace",
        };
        bytes.extend_from_slice(action);
        bytes.push(0);
        bytes.extend_from_slice(entry.path.as_os_str().as_encoded_bytes());
        bytes.push(0);
    }
    bytes
}

fn decoded(bytes: &[u8]) -> Option<Vec<Entry>> {
    let bytes = bytes.strip_suffix(&[0])?;
    let parts: Vec<&[u8]> = bytes.split(|it| *it == 0).collect();
    let entries = parts.chunks(2).map(|pair| {
        let [action, path] = pair else {
            return None;
        };
        let action = match *action {
            b"remove" => Action::Remove,
            b"mkdir" => Action::MakeDirectory,
            b"put" => Action::Put,
            b"replace" => Action::Replace,
            _ => return None,
        };
        Some(Entry { action, path: path_of(path)? })
    });
    entries.collect()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "on other systems, not all bytes are a path")]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(Path::new(std::ffi::OsStr::from_bytes(bytes)).to_owned())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
