//! A file system in memory that can be changed while targets are run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use plumb::lexical;
use plumb::world::{
    Cores, Entry, EntryKind, MemoryWorld, Occupant, OutputTree, Text, World, WorldError,
};

#[derive(Default)]
pub(crate) struct Disk {
    state: Mutex<State>,
    n_reads: AtomicUsize,
    /// A file that is deleted when it is about to be read.
    vanishing: Mutex<Option<PathBuf>>,
}

#[derive(Default)]
struct State {
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// The files as a world. `None` if they have changed.
    world: Option<Arc<MemoryWorld>>,
}

impl Disk {
    pub(crate) fn new(files: &[(&str, &str)]) -> Arc<Self> {
        let disk = Self::default();
        for (path, text) in files {
            disk.put(path, text);
        }
        Arc::new(disk)
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        self.change(|files| {
            files.insert(path.into(), text.into());
        });
    }

    /// Removes a file, or a directory with everything in it.
    pub(crate) fn remove(&self, path: &str) {
        self.change(|files| files.retain(|it, _| !it.starts_with(path)));
    }

    /// Deletes a file when it is about to be read: after it was listed.
    pub(crate) fn delete_when_read(&self, path: &str) {
        *self.vanishing.lock().expect("no test panics here") = Some(path.into());
    }

    /// All files with their contents.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.state.lock().expect("no test panics here").files.clone()
    }

    /// A copy of all files.
    pub(crate) fn copy(&self) -> Arc<Self> {
        let copy = Self::default();
        copy.change(|files| *files = self.files());
        Arc::new(copy)
    }

    /// How many times a file was read.
    pub(crate) fn n_reads(&self) -> usize {
        self.n_reads.load(Ordering::Relaxed)
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<PathBuf, Vec<u8>>)) {
        let mut state = self.state.lock().expect("no test panics here");
        change(&mut state.files);
        state.world = None;
    }

    fn world(&self) -> Arc<MemoryWorld> {
        let mut state = self.state.lock().expect("no test panics here");
        let State { files, world } = &mut *state;
        let with = |world: MemoryWorld, (path, bytes): (&PathBuf, &Vec<u8>)| {
            world.file(&path.to_string_lossy(), bytes)
        };
        let make = || Arc::new(files.iter().fold(MemoryWorld::new(), with));
        Arc::clone(world.get_or_insert_with(make))
    }
}

impl World for Disk {
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        self.world().entry(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        self.world().entry(directory)?;
        self.world().list(directory)
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        self.world().link_target(link)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        self.n_reads.fetch_add(1, Ordering::Relaxed);
        let is_vanishing = |it: &mut PathBuf| *it == lexical::clean(path);
        let vanishing = self.vanishing.lock().expect("no test panics here").take_if(is_vanishing);
        if vanishing.is_some() {
            self.change(|files| files.retain(|it, _| *it != lexical::clean(path)));
        }
        self.world().read(path)
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        World::stdin(&*self.world())
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        self.world().fetch(url)
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        Vec::new()
    }

    fn directory(&self) -> Result<PathBuf, WorldError> {
        self.world().directory()
    }

    fn print(&self, _: &Text) {}

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        self.change(|files| {
            let directory = lexical::clean(tree.directory);
            if tree.occupant == Occupant::Removed {
                files.retain(|it, _| !it.starts_with(&directory));
            }
            let new = tree.files.iter().map(|(path, it)| (directory.join(path), it.clone()));
            files.extend(new);
        });
        Ok(())
    }

    fn cores(&self) -> Cores {
        Cores::new(2)
    }
}
