//! A world that remembers what it was asked, for targets that read the same files.
//!
//! Each path is looked at once, however many targets use it. What is written is forgotten, so that
//! later targets see it; without writing, the new files replace what was remembered.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use plumb::world::{
    Cores, Entry, EntryKind, Occupant, OutputTree, Text, World, WorldError, WorldErrorKind,
};
use plumb_source::lexical;

/// What happens to files that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// They are written to the world below.
    Real,
    /// They are kept in memory, where other targets can read them.
    InMemory,
}

/// A world over another one, which it asks at most once for each path.
pub(crate) struct Cache {
    below: Arc<dyn World>,
    writing: Writing,
    entries: Memo<EntryKind>,
    lists: Memo<Vec<Entry>>,
    links: Memo<PathBuf>,
    files: Memo<Arc<[u8]>>,
    urls: MemoOf<String, Arc<[u8]>>,
}

impl Cache {
    pub(crate) fn new(below: Arc<dyn World>, writing: Writing) -> Self {
        Self {
            below,
            writing,
            entries: MemoOf::default(),
            lists: MemoOf::default(),
            links: MemoOf::default(),
            files: MemoOf::default(),
            urls: MemoOf::default(),
        }
    }

    /// Forgets everything about a directory, what is inside it, and the directories above it.
    fn forget(&self, directory: &Path) {
        let directory = lexical::clean(directory);
        let is_affected = |path: &PathBuf| {
            let path = lexical::clean(path);
            path.starts_with(&directory) || directory.starts_with(&path) || path == Path::new(".")
        };
        self.entries.forget(is_affected);
        self.lists.forget(is_affected);
        self.links.forget(is_affected);
        self.files.forget(is_affected);
    }

    /// Makes a tree of files visible that is not written.
    fn pretend(&self, tree: &OutputTree<'_>) {
        let root = tree.directory;
        // The directories with new entries, and what the new entries are.
        let mut new: BTreeMap<PathBuf, BTreeMap<PathBuf, EntryKind>> = BTreeMap::new();
        new.entry(root.to_owned()).or_default();
        for (path, bytes) in tree.files {
            let mut kind = EntryKind::File;
            for step in path.ancestors() {
                let (Some(name), Some(above)) = (step.file_name(), step.parent()) else { break };
                let above = lexical::clean(&root.join(above));
                new.entry(above).or_default().insert(name.into(), kind);
                kind = EntryKind::Directory;
            }
            let path = lexical::clean(&root.join(path));
            self.entries.put(path.clone(), Ok(EntryKind::File));
            self.files.put(path, Ok(bytes.as_slice().into()));
        }
        for (directory, mut entries) in new {
            if tree.occupant == Occupant::Kept {
                for entry in self.below.list(&directory).unwrap_or_default() {
                    entries.entry(entry.name).or_insert(entry.kind);
                }
            }
            let entries = entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect();
            self.entries.put(directory.clone(), Ok(EntryKind::Directory));
            self.lists.put(directory, Ok(entries));
        }
    }
}

impl World for Cache {
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        self.entries.get(path, || self.below.entry(path))
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        self.lists.get(directory, || self.below.list(directory))
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        self.links.get(link, || self.below.link_target(link))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        self.files.get(path, || self.below.read(path))
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        let kind = WorldErrorKind::Other("a target cannot read standard input".to_owned());
        Err(WorldError::new("read", "/dev/stdin", kind))
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        self.urls.get(url, || self.below.fetch(url))
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        self.below.environment()
    }

    fn directory(&self) -> Result<PathBuf, WorldError> {
        self.below.directory()
    }

    fn print(&self, line: &Text) {
        self.below.print(line);
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        match self.writing {
            Writing::Real => {
                self.below.write(tree)?;
                self.forget(tree.directory);
            }
            Writing::InMemory => self.pretend(tree),
        }
        Ok(())
    }

    fn cores(&self) -> Cores {
        self.below.cores()
    }
}

type Memo<V> = MemoOf<PathBuf, V>;

/// Answers by question. Threads that ask the same at the same time wait for one answer.
struct MemoOf<K, V>(RwLock<HashMap<K, Answer<V>>>);

type Answer<V> = Arc<OnceLock<Result<V, WorldError>>>;

impl<K, V> Default for MemoOf<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash, V: Clone> MemoOf<K, V> {
    fn get<Q>(
        &self,
        question: &Q,
        ask: impl FnOnce() -> Result<V, WorldError>,
    ) -> Result<V, WorldError>
    where
        K: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned();
        let answer = known.unwrap_or_else(|| {
            let mut answers = self.0.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(answers.entry(question.to_owned()).or_default())
        });
        answer.get_or_init(ask).clone()
    }

    fn put(&self, question: K, answer: Result<V, WorldError>) {
        let answer = Arc::new(OnceLock::from(answer));
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(question, answer);
    }

    fn forget(&self, is_affected: impl Fn(&K) -> bool) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).retain(|it, _| !is_affected(it));
    }
}

#[cfg(test)]
mod tests {
    use plumb::world::{Access, MemoryWorld};

    use super::*;

    fn tree(occupant: Occupant, files: &[(PathBuf, Vec<u8>)]) -> OutputTree<'_> {
        OutputTree { directory: Path::new("out"), occupant, access: Access::Owner, files }
    }

    #[test]
    fn files_that_are_not_written_can_be_read() {
        let below = MemoryWorld::new().file("out/old.yml", "a: 1\n");
        let cache = Cache::new(Arc::new(below), Writing::InMemory);
        let files = [(PathBuf::from("sub/new.yml"), b"b: 2\n".to_vec())];
        cache.write(&tree(Occupant::Kept, &files)).expect("nothing is written");
        let names = |path: &str| -> Vec<PathBuf> {
            let list = cache.list(Path::new(path)).expect("it is a directory");
            list.into_iter().map(|it| it.name).collect()
        };
        assert_eq!(names("out"), [Path::new("old.yml"), Path::new("sub")]);
        assert_eq!(names("out/sub"), [Path::new("new.yml")]);
        assert_eq!(&*cache.read(Path::new("out/sub/new.yml")).expect("it is there"), b"b: 2\n");
        cache.write(&tree(Occupant::Removed, &files)).expect("nothing is written");
        assert_eq!(names("out"), [Path::new("sub")]);
    }

    #[test]
    fn what_is_written_is_seen_by_later_readers() {
        let cache = Cache::new(Arc::new(MemoryWorld::new()), Writing::Real);
        assert!(cache.read(Path::new("out/a.yml")).is_err());
        let files = [(PathBuf::from("a.yml"), b"a: 1\n".to_vec())];
        cache.write(&tree(Occupant::Kept, &files)).expect("the world is writable");
        assert!(!cache.files.0.read().expect("no one panics").contains_key(Path::new("out/a.yml")));
    }
}
