//! A value made of files, made anew when they change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

/// The current value. Taking it costs a count; putting a new one in place never waits for those
/// who still use the old.
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

/// What files looked like: if that is the same, so are they.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look(Vec<(PathBuf, Option<Stamp>)>);

/// When it was changed, how long it is, and which file it is.
type Stamp = (SystemTime, u64, u64);

/// Looks at files, and at all files below directories. Hidden ones are left out: Kubernetes keeps
/// the versions of a mounted volume in them, and links to the current one.
pub(crate) fn look(paths: &[&Path]) -> Look {
    let mut seen = Vec::new();
    for path in paths {
        for file in files_below(path) {
            let metadata = fs::metadata(&file).ok();
            let look = metadata.and_then(|it| Some((it.modified().ok()?, it.len(), number(&it))));
            seen.push((file, look));
        }
    }
    Look(seen)
}

/// The path itself if it is no directory, else the files below it, in order.
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

/// Directories that link to each other end somewhere.
const MAX_DEPTH: usize = 16;

/// Which file it is: one that is put in place of another of the same size and time is another.
#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.ino()
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> u64 {
    0
}
