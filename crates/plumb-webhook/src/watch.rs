//! A value that is read from files, and read again when they change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

/// The current value. Reading it only increases a reference count. Replacing it never waits for
/// users of the old value.
#[derive(Debug)]
pub(crate) struct Current<T>(RwLock<Arc<T>>);

impl<T> Current<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwLock::new(Arc::new(value)))
    }

    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().expect("no holder of this lock panics"))
    }

    pub(crate) fn set(&self, value: T) {
        *self.0.write().expect("no holder of this lock panics") = Arc::new(value);
    }
}

/// The state of files. If it is the same, the files are unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    files: Vec<(PathBuf, Option<Stamp>)>,
    /// The number of changes in other sources.
    n_changes: u64,
}

impl Look {
    /// The same state after a number of changes in other sources.
    pub(crate) fn after(self, n_changes: u64) -> Self {
        Self { n_changes, ..self }
    }
}

/// The time of the last change, the length, and the number of the file.
type Stamp = (SystemTime, u64, u64);

/// Returns the state of files, and of all files in directories. Hidden directories are skipped:
/// Kubernetes keeps the versions of a mounted volume in them, and links to the current version.
pub(crate) fn look(paths: &[&Path]) -> Look {
    let mut seen = Vec::new();
    for path in paths {
        for file in files_below(path) {
            let metadata = fs::metadata(&file).ok();
            let look = metadata.and_then(|it| Some((it.modified().ok()?, it.len(), number(&it))));
            seen.push((file, look));
        }
    }
    Look { files: seen, n_changes: 0 }
}

/// The path itself if it is not a directory. Otherwise the files in it, sorted.
pub(crate) fn files_below(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![(path.to_owned(), 0)];
    while let Some((path, depth)) = waiting.pop() {
        let entries = if depth < MAX_DEPTH { fs::read_dir(&path).ok() } else { None };
        match entries {
            None => files.push(path),
            Some(entries) => {
                let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
                let visible = names.filter(|name| !name.as_encoded_bytes().starts_with(b"."));
                waiting.extend(visible.map(|name| (path.join(name), depth + 1)));
            }
        }
    }
    files.sort();
    files
}

/// The depth limit for directories that link to each other.
const MAX_DEPTH: usize = 16;

/// Identifies the file: a file that replaces another one with the same size and time has a
/// different number.
#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.ino()
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> u64 {
    0
}
