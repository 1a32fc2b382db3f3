//! A world that remembers its answers, for targets that read the same files.
//!
//! Each path is read only once, even if many targets use it. After a change, only the affected
//! questions are asked again. A path counts as changed only if its answer differs: a file that is
//! saved without an edit does not.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use plumb::world::{Entry, EntryKind, OutputTree, World, WorldError, WorldErrorKind};
use plumb_source::{lexical, pass_on};

use crate::unwritten::Unwritten;
use crate::{Dependency, Use};

/// What happens to files that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// They are written to the world below.
    Real,
    /// They are kept in memory, where other targets can read them.
    InMemory,
}

/// What may have changed in the world.
#[derive(Clone, Debug)]
pub enum Change {
    /// These paths, and everything inside them: created, written, moved or removed.
    Paths(Vec<PathBuf>),
    /// Unknown: anything may have changed.
    Anything,
}

/// A world over another one, which is asked at most once for each path.
pub(crate) struct Cache {
    below: Arc<dyn World>,
    here: PathBuf,
    entries: Memo<EntryKind>,
    lists: Memo<Vec<Entry>>,
    links: Memo<PathBuf>,
    files: Memo<Arc<[u8]>>,
    urls: MemoOf<String, Arc<[u8]>>,
    /// The paths that were requested, by their absolute paths.
    asked: Mutex<BTreeMap<PathBuf, BTreeSet<PathBuf>>>,
}

/// The questions whose answers have changed.
#[derive(Debug, Default)]
pub(crate) struct Changed(HashSet<Dependency>);

impl Changed {
    /// Whether one of these dependencies has changed. They must be sorted.
    pub(crate) fn affects(&self, dependencies: &[Dependency]) -> bool {
        self.0.iter().any(|changed| {
            let is_before = |it: &Dependency| it.path < changed.path;
            let from = dependencies.partition_point(is_before);
            let same = dependencies[from..].iter().take_while(|it| it.path == changed.path);
            // A path that was missing is affected by every change of the path.
            { same }.any(|it| it.used == changed.used || it.used == Use::Missed)
        })
    }

    /// The paths of the questions, each once, in their order.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        let paths: BTreeSet<PathBuf> = self.0.into_iter().map(|it| it.path).collect();
        paths.into_iter().collect()
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl Cache {
    pub(crate) fn new(below: Arc<dyn World>, writing: Writing) -> Self {
        let below = match writing {
            Writing::Real => below,
            Writing::InMemory => Arc::new(Unwritten::new(below)),
        };
        let here = below.directory().unwrap_or_default();
        Self {
            below,
            here,
            entries: MemoOf::default(),
            lists: MemoOf::default(),
            links: MemoOf::default(),
            files: MemoOf::default(),
            urls: MemoOf::default(),
            asked: Mutex::default(),
        }
    }

    /// Asks the questions again that a change affects. Returns those with a new answer.
    pub(crate) fn change(&self, change: &Change) -> Changed {
        let mut changed = Changed::default();
        match change {
            Change::Paths(paths) => {
                for path in paths {
                    self.look_again(&lexical::absolute(path, &self.here), &mut changed);
                }
            }
            Change::Anything => self.look_again(Path::new("/"), &mut changed),
        }
        changed
    }

    /// Writes files. Returns the questions with a new answer.
    pub(crate) fn write_tree(&self, tree: &OutputTree<'_>) -> Result<Changed, WorldError> {
        self.below.write(tree)?;
        let mut changed = Changed::default();
        self.look_again(&lexical::absolute(tree.directory, &self.here), &mut changed);
        Ok(changed)
    }

    /// Asks again about a path, everything inside it, and the directories above it.
    fn look_again(&self, path: &Path, changed: &mut Changed) {
        let asked: Vec<PathBuf> = {
            let asked = lock(&self.asked);
            // In the order of paths, a directory is followed by the paths inside it.
            let inside = asked.range(path.to_owned()..).take_while(|it| it.0.starts_with(path));
            let above = path.ancestors().skip(1).filter_map(|it| asked.get(it));
            inside.map(|it| it.1).chain(above).flatten().cloned().collect()
        };
        for path in &asked {
            let clean = lexical::clean(path);
            let mut note = |is_changed: bool, used: Use| {
                if is_changed {
                    changed.0.insert(Dependency { path: clean.clone(), used });
                }
            };
            note(self.entries.ask_again(path, || self.below.entry(path)), Use::LookedAt);
            note(self.links.ask_again(path, || self.below.link_target(path)), Use::LookedAt);
            note(self.lists.ask_again(path, || self.below.list(path)), Use::Listed);
            note(self.files.ask_again(path, || self.below.read(path)), Use::Read);
        }
    }

    fn answer<V: Clone>(
        &self,
        memo: &Memo<V>,
        path: &Path,
        ask: impl FnOnce() -> Result<V, WorldError>,
    ) -> Result<V, WorldError> {
        let answer = memo.get(path, ask, || {
            let whole = lexical::absolute(path, &self.here);
            lock(&self.asked).entry(whole).or_default().insert(path.to_owned());
        });
        // `a` and `a/` are the same path, but a message must contain the path that was requested.
        answer.map_err(|error| {
            let is_same = Path::new(&error.subject) == path;
            let subject = if is_same { path.to_string_lossy().into() } else { error.subject };
            WorldError { subject, ..error }
        })
    }
}

impl World for Cache {
    pass_on!(below: environment, directory, print, cores);

    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        self.answer(&self.entries, path, || self.below.entry(path))
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        self.answer(&self.lists, directory, || self.below.list(directory))
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        self.answer(&self.links, link, || self.below.link_target(link))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        self.answer(&self.files, path, || self.below.read(path))
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        let kind = WorldErrorKind::Other("a target cannot read standard input".to_owned());
        Err(WorldError::new("read", "/dev/stdin", kind))
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        self.urls.get(url, || self.below.fetch(url), || {})
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        self.write_tree(tree).map(drop)
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
    /// Returns the answer to a question. Calls `note` if the question is new.
    fn get<Q>(
        &self,
        question: &Q,
        ask: impl FnOnce() -> Result<V, WorldError>,
        note: impl FnOnce(),
    ) -> Result<V, WorldError>
    where
        K: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned();
        let answer = known.unwrap_or_else(|| {
            note();
            let mut answers = self.0.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(answers.entry(question.to_owned()).or_default())
        });
        answer.get_or_init(ask).clone()
    }
}

impl<V: PartialEq> Memo<V> {
    /// Repeats a question that was asked before. Returns whether the answer is new.
    fn ask_again(&self, path: &Path, ask: impl FnOnce() -> Result<V, WorldError>) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        let Some(before) = known else { return false };
        let now = ask();
        if before.get().is_some_and(|it| *it == now) {
            return false;
        }
        let answer = Arc::new(OnceLock::from(now));
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), answer);
        true
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use plumb::world::{Access, MemoryWorld, Occupant};

    use super::*;

    #[test]
    fn what_is_written_is_seen_by_later_readers() {
        let cache = Cache::new(Arc::new(MemoryWorld::new()), Writing::InMemory);
        assert!(cache.read(Path::new("./out/a.yml")).is_err());
        assert!(cache.entry(Path::new("out")).is_err());
        assert!(cache.read(Path::new("in/a.yml")).is_err());
        let files = [(PathBuf::from("a.yml"), b"a: 1\n".to_vec())];
        let (directory, access) = (Path::new("out"), Access::Owner);
        let tree = OutputTree { directory, occupant: Occupant::Kept, access, files: &files };
        let changed = cache.write_tree(&tree).expect("the world is writable");
        assert_eq!(&*cache.read(Path::new("./out/a.yml")).expect("it is there"), b"a: 1\n");
        let missed = |path: &str| [Dependency { path: path.into(), used: Use::Missed }];
        assert!(changed.affects(&missed("out/a.yml")) && changed.affects(&missed("out")));
        assert!(!changed.affects(&missed("in/a.yml")));
        let changed = cache.write_tree(&tree).expect("the world is writable");
        assert!(changed.0.is_empty(), "nothing is different");
    }
}
