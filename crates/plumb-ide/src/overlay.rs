//! A world with unsaved buffers laid over it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use plumb::world::{Entry, EntryKind, OutputTree, Text, World, WorldError, WorldErrorKind};
use plumb_source::{lexical, pass_on};

use crate::Edit;

/// A world in which some files have the text of an editor. Nothing is written.
pub struct Overlay {
    below: Arc<dyn World>,
    buffers: RwLock<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl Overlay {
    /// A world without buffers.
    pub fn new(below: Arc<dyn World>) -> Self {
        Self { below, buffers: RwLock::default() }
    }

    /// Replaces the text of a file, which does not have to exist.
    pub fn set(&self, path: &Path, text: impl AsRef<[u8]>) {
        let mut buffers = self.buffers.write().unwrap_or_else(PoisonError::into_inner);
        buffers.insert(lexical::clean(path), text.as_ref().into());
    }

    /// Removes the buffer of a file. The text is then that of the world below.
    pub fn remove(&self, path: &Path) {
        let mut buffers = self.buffers.write().unwrap_or_else(PoisonError::into_inner);
        buffers.remove(&lexical::clean(path));
    }

    /// The text of a file, with unsaved changes. Returns `None` if it cannot be read.
    pub fn text(&self, path: &Path) -> Option<Arc<[u8]>> {
        self.read(path).ok()
    }

    /// The paths of all buffers.
    pub fn buffers(&self) -> Vec<PathBuf> {
        self.buffers.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// A copy of this world with changes to some files.
    pub(crate) fn edited(&self, edits: &[Edit]) -> Self {
        let buffers = self.buffers.read().unwrap_or_else(PoisonError::into_inner).clone();
        let edited = Self { below: Arc::clone(&self.below), buffers: RwLock::new(buffers) };
        let mut edits: Vec<&Edit> = edits.iter().collect();
        // From the last to the first, so that the other positions stay valid.
        edits.sort_by_key(|it| std::cmp::Reverse(it.range.start));
        for edit in edits {
            let Some(text) = edited.text(&edit.path) else { continue };
            let (start, end) = (edit.range.start as usize, edit.range.end as usize);
            edited.set(&edit.path, [&text[..start], edit.text.as_bytes(), &text[end..]].concat());
        }
        edited
    }

    fn buffer(&self, path: &Path) -> Option<Arc<[u8]>> {
        let buffers = self.buffers.read().unwrap_or_else(PoisonError::into_inner);
        buffers.get(&lexical::clean(path)).cloned()
    }

    /// Whether a buffer is below a directory, which may exist only in the editor.
    fn has_below(&self, directory: &Path) -> bool {
        let directory = lexical::clean(directory);
        let buffers = self.buffers.read().unwrap_or_else(PoisonError::into_inner);
        buffers.keys().any(|it| it.starts_with(&directory) && *it != directory)
    }
}

impl World for Overlay {
    pass_on!(below: environment, directory, link_target, cores);

    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        match self.below.entry(path) {
            Err(_) if self.buffer(path).is_some() => Ok(EntryKind::File),
            Err(_) if self.has_below(path) => Ok(EntryKind::Directory),
            entry => entry,
        }
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        let listed = self.below.list(directory);
        let clean = lexical::clean(directory);
        let mut new: Vec<Entry> = Vec::new();
        for path in self.buffers() {
            let Ok(below) = path.strip_prefix(&clean) else { continue };
            let mut steps = below.components();
            let Some(first) = steps.next() else { continue };
            let kind = if steps.next().is_some() { EntryKind::Directory } else { EntryKind::File };
            new.push(Entry { name: PathBuf::from(first.as_os_str()), kind });
        }
        let mut entries = match listed {
            Err(error) if new.is_empty() => return Err(error),
            Err(_) => Vec::new(),
            Ok(entries) => entries,
        };
        new.retain(|it| entries.iter().all(|known| known.name != it.name));
        if !new.is_empty() {
            entries.append(&mut new);
            entries.sort_by(|a, b| a.name.as_os_str().cmp(b.name.as_os_str()));
            entries.dedup_by(|a, b| a.name == b.name);
        }
        Ok(entries)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        match self.buffer(path) {
            Some(text) => Ok(text),
            None => self.below.read(path),
        }
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        Ok(Arc::from(&[][..]))
    }

    /// A project may be opened before its author is trusted, so nothing is sent to the addresses
    /// that it names.
    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        let (is_answered, why) = (false, "an editor does not use the network".to_owned());
        Err(WorldError::new("", url, WorldErrorKind::Network { is_answered, why }))
    }

    /// Discards what templates print: standard output belongs to the protocol.
    fn print(&self, _line: &Text) {}

    fn write(&self, _tree: &OutputTree<'_>) -> Result<(), WorldError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plumb::world::MemoryWorld;

    use super::*;

    #[test]
    fn nothing_is_fetched() {
        let url = "http://example.com/a.yml";
        let overlay = Overlay::new(Arc::new(MemoryWorld::new().url(url, "a: 1")));
        assert!(overlay.fetch(url).is_err());
    }

    #[test]
    fn buffers_are_files_in_their_directories() {
        let below = MemoryWorld::new().file("a/b.yml", "old").file("a/c.yml", "c");
        let overlay = Overlay::new(Arc::new(below));
        overlay.set(Path::new("a/b.yml"), "new");
        overlay.set(Path::new("a/d/e.yml"), "e");
        let read = |path: &str| {
            let text = overlay.text(Path::new(path)).expect("it is there");
            String::from_utf8_lossy(&text).into_owned()
        };
        assert_eq!((read("a/b.yml"), read("a/c.yml"), read("a/d/e.yml")), {
            ("new".to_owned(), "c".to_owned(), "e".to_owned())
        });
        let listed = overlay.list(Path::new("a")).expect("it is a directory");
        let names: Vec<String> =
            listed.iter().map(|it| it.name.to_string_lossy().into_owned()).collect();
        assert_eq!(names, ["b.yml", "c.yml", "d"]);
        assert_eq!(overlay.entry(Path::new("a/d")).ok(), Some(EntryKind::Directory));
        overlay.remove(Path::new("a/b.yml"));
        assert_eq!(read("a/b.yml"), "old");
    }
}
