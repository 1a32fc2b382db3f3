//! A world that keeps written files in memory, where later readers see them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use plumb::world::{Entry, EntryKind, Occupant, OutputTree, World, WorldError, WorldErrorKind};
use plumb_source::{lexical, pass_on};

/// A world over another one, to which it never writes.
pub(crate) struct Unwritten {
    below: Arc<dyn World>,
    here: PathBuf,
    /// By their absolute directories.
    trees: RwLock<BTreeMap<PathBuf, Tree>>,
}

/// Files that were written to a directory. All paths are absolute.
struct Tree {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    /// The new entries of directories, including those above the tree.
    directories: BTreeMap<PathBuf, BTreeMap<PathBuf, EntryKind>>,
    occupant: Occupant,
}

/// What is at a path.
enum Content {
    File(Arc<[u8]>),
    Directory,
    /// Nothing: the directory was emptied.
    Removed,
    /// The content of the world below.
    Below,
}

impl Unwritten {
    pub(crate) fn new(below: Arc<dyn World>) -> Self {
        let here = below.directory().unwrap_or_default();
        Self { below, here, trees: RwLock::default() }
    }

    fn trees(&self) -> RwLockReadGuard<'_, BTreeMap<PathBuf, Tree>> {
        self.trees.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        lexical::absolute(path, &self.here)
    }

    fn at(&self, path: &Path) -> Content {
        for (root, tree) in &*self.trees() {
            if let Some(bytes) = tree.files.get(path) {
                return Content::File(Arc::clone(bytes));
            }
            if tree.directories.contains_key(path) {
                return Content::Directory;
            }
            if tree.occupant == Occupant::Removed && path.starts_with(root) {
                return Content::Removed;
            }
        }
        Content::Below
    }
}

fn missing(action: &'static str, path: &Path) -> WorldError {
    WorldError::new(action, path.to_string_lossy(), WorldErrorKind::NotFound)
}

impl Tree {
    fn new(root: &Path, tree: &OutputTree<'_>) -> Self {
        let mut files = BTreeMap::new();
        let mut directories: BTreeMap<PathBuf, BTreeMap<PathBuf, EntryKind>> = BTreeMap::new();
        directories.insert(root.to_owned(), BTreeMap::new());
        let mut add = |path: &Path, mut kind: EntryKind| {
            for step in path.ancestors() {
                let (Some(name), Some(above)) = (step.file_name(), step.parent()) else { break };
                directories.entry(above.to_owned()).or_default().insert(name.into(), kind);
                kind = EntryKind::Directory;
            }
        };
        add(root, EntryKind::Directory);
        for (path, bytes) in tree.files {
            let path = lexical::clean(&root.join(path));
            add(&path, EntryKind::File);
            files.insert(path, bytes.as_slice().into());
        }
        Self { files, directories, occupant: tree.occupant }
    }
}

impl World for Unwritten {
    pass_on!(below: stdin, fetch, environment, directory, print, cores);

    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        match self.at(&self.absolute(path)) {
            Content::File(_) => Ok(EntryKind::File),
            Content::Directory => Ok(EntryKind::Directory),
            Content::Removed => Err(missing("lstat", path)),
            Content::Below => self.below.entry(path),
        }
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        let path = self.absolute(directory);
        let trees = self.trees();
        let is_emptied = |(root, tree): (&PathBuf, &Tree)| {
            tree.occupant == Occupant::Removed && path.starts_with(root)
        };
        let mut new = trees.values().filter_map(|it| it.directories.get(&path)).peekable();
        let listed = if trees.iter().any(is_emptied) {
            Err(missing("open", directory))
        } else {
            self.below.list(directory)
        };
        if new.peek().is_none() {
            return listed;
        }
        let old = listed.unwrap_or_default().into_iter().map(|it| (it.name, it.kind));
        let mut entries: BTreeMap<PathBuf, EntryKind> = old.collect();
        entries.extend(new.flatten().map(|(name, kind)| (name.clone(), *kind)));
        Ok(entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        match self.at(&self.absolute(link)) {
            Content::File(_) | Content::Directory | Content::Removed => {
                Err(missing("readlink", link))
            }
            Content::Below => self.below.link_target(link),
        }
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        match self.at(&self.absolute(path)) {
            Content::File(bytes) => Ok(bytes),
            Content::Removed => Err(missing("open", path)),
            Content::Directory | Content::Below => self.below.read(path),
        }
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        let root = self.absolute(tree.directory);
        let tree = Tree::new(&root, tree);
        self.trees.write().unwrap_or_else(PoisonError::into_inner).insert(root, tree);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plumb::world::{Access, MemoryWorld};

    use super::*;

    #[test]
    fn files_that_are_not_written_can_be_read() {
        let below = MemoryWorld::new().file("out/a/old.yml", "a: 1\n").file("out/b.yml", "b: 1\n");
        let world = Unwritten::new(Arc::new(below));
        let files = [(PathBuf::from("sub/new.yml"), b"b: 2\n".to_vec())];
        let write = |occupant| {
            let (directory, access) = (Path::new("out/a"), Access::Owner);
            let written = world.write(&OutputTree { directory, occupant, access, files: &files });
            written.expect("nothing is written");
        };
        let names = |path: &str| -> Vec<PathBuf> {
            let list = world.list(Path::new(path)).expect("it is a directory");
            list.into_iter().map(|it| it.name).collect()
        };
        write(Occupant::Kept);
        assert_eq!(names("out/a"), [Path::new("old.yml"), Path::new("sub")]);
        assert_eq!(names("./out/a/sub"), [Path::new("new.yml")]);
        assert_eq!(&*world.read(Path::new("out/a/sub/new.yml")).expect("it is there"), b"b: 2\n");
        write(Occupant::Removed);
        assert_eq!(names("out/a"), [Path::new("sub")]);
        assert!(world.read(Path::new("out/a/old.yml")).is_err());
        assert_eq!(names("out"), [Path::new("a"), Path::new("b.yml")]);
    }

    #[test]
    fn directories_above_the_files_exist_too() {
        let world = Unwritten::new(Arc::new(MemoryWorld::new()));
        let files = [(PathBuf::from("a.yml"), b"a: 1\n".to_vec())];
        let (directory, access) = (Path::new("out/prod"), Access::Owner);
        let occupant = Occupant::Kept;
        world.write(&OutputTree { directory, occupant, access, files: &files }).expect("in memory");
        assert_eq!(world.entry(Path::new("out")), Ok(EntryKind::Directory));
        let entry = Entry { name: "prod".into(), kind: EntryKind::Directory };
        assert_eq!(world.list(Path::new("out")), Ok(vec![entry]));
    }
}
