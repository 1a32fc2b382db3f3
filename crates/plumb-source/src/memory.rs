//! A world in memory, for tests and for programs that have no file system.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;

use crate::{Entry, EntryKind, OutputTree, Text, World, WorldError, WorldErrorKind, lexical, root};

/// A world of files, links, standard input, URLs and environment variables that a program adds.
/// Paths are relative to `/work`, or absolute. A directory exists if it contains something.
#[derive(Debug, Default)]
pub struct MemoryWorld {
    things: BTreeMap<PathBuf, Thing>,
    urls: BTreeMap<String, Arc<[u8]>>,
    variables: Vec<(Text, Text)>,
    stdin: Mutex<Option<Arc<[u8]>>>,
    printed: Mutex<Vec<String>>,
    written: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
}

#[derive(Debug)]
enum Thing {
    File(Arc<[u8]>),
    Link(PathBuf),
    /// A directory that cannot be listed, or a file that cannot be read.
    Locked(EntryKind),
}

const DIRECTORY: &str = "/work";

impl MemoryWorld {
    /// An empty world.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.with(path, Thing::File(content.as_ref().into()))
    }

    /// Adds a symbolic link.
    #[must_use]
    pub fn link(self, path: &str, target: &str) -> Self {
        self.with(path, Thing::Link(target.into()))
    }

    /// Adds a directory that cannot be listed, or a file that cannot be read.
    #[must_use]
    pub fn locked(self, path: &str, kind: EntryKind) -> Self {
        self.with(path, Thing::Locked(kind))
    }

    /// Adds a response to GET requests for a URL.
    #[must_use]
    pub fn url(mut self, url: &str, content: impl AsRef<[u8]>) -> Self {
        self.urls.insert(url.to_owned(), content.as_ref().into());
        self
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Sets the content of standard input.
    #[must_use]
    pub fn stdin(self, content: impl AsRef<[u8]>) -> Self {
        Self { stdin: Mutex::new(Some(content.as_ref().into())), ..self }
    }

    /// Returns the files that were written, by their absolute paths.
    pub fn written(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.written.lock().expect("no holder of this lock panics").clone()
    }

    /// Returns the lines that templates printed.
    pub fn printed(&self) -> Vec<String> {
        self.printed.lock().expect("no holder of this lock panics").clone()
    }

    fn with(mut self, path: &str, thing: Thing) -> Self {
        self.things.insert(absolute(Path::new(path)), thing);
        self
    }

    /// Returns the kind of the entry at an absolute path that contains no links.
    fn at(&self, path: &Path) -> Option<EntryKind> {
        match self.things.get(path) {
            Some(Thing::File(_)) => Some(EntryKind::File),
            Some(Thing::Link(_)) => Some(EntryKind::Symlink),
            Some(Thing::Locked(kind)) => Some(*kind),
            None => {
                // In the order of paths, a directory is followed by the paths below it.
                let next = self.things.range(path.to_owned()..).next();
                let is_directory = next.is_some_and(|(it, _)| it.starts_with(path));
                (is_directory || path == Path::new(DIRECTORY)).then_some(EntryKind::Directory)
            }
        }
    }
}

impl World for MemoryWorld {
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        self.at(&absolute(path)).ok_or_else(|| refused("lstat", path, WorldErrorKind::NotFound))
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        let path = absolute(directory);
        if let Some(Thing::Locked(_)) = self.things.get(&path) {
            return Err(refused("open", directory, WorldErrorKind::PermissionDenied));
        }
        let from_here = self.things.range(path.clone()..).map(|(it, _)| it);
        let below = from_here.map_while(|it| it.strip_prefix(&path).ok());
        let mut names: Vec<PathBuf> =
            below.filter_map(|it| it.components().next()).map(|it| it.as_os_str().into()).collect();
        names.dedup();
        let entry =
            |name: PathBuf| Entry { kind: self.at(&path.join(&name)).expect("it is there"), name };
        Ok(names.into_iter().map(entry).collect())
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        match self.things.get(&absolute(link)) {
            Some(Thing::Link(target)) => Ok(target.clone()),
            _ => Err(refused("readlink", link, WorldErrorKind::NotFound)),
        }
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        let resolved = root::resolve(self, path).map_err(|it| refused("open", path, it.kind))?;
        let resolved = absolute(&resolved);
        match self.things.get(&resolved) {
            Some(Thing::File(bytes)) => Ok(Arc::clone(bytes)),
            Some(Thing::Locked(_)) => Err(refused("open", path, WorldErrorKind::PermissionDenied)),
            // A resolved path exists, and is not a link.
            Some(Thing::Link(_)) | None => Err(refused("read", path, WorldErrorKind::IsADirectory)),
        }
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        let mut stdin = self.stdin.lock().expect("no holder of this lock panics");
        stdin.take().ok_or_else(|| WorldError::new("", "", WorldErrorKind::AlreadyRead))
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        let (is_answered, why) = (false, "404 Not Found".to_owned());
        let missing = || WorldError::new("", url, WorldErrorKind::Network { is_answered, why });
        self.urls.get(url).cloned().ok_or_else(missing)
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        self.variables.clone()
    }

    fn directory(&self) -> Result<PathBuf, WorldError> {
        Ok(PathBuf::from(DIRECTORY))
    }

    fn print(&self, line: &Text) {
        self.printed.lock().expect("no holder of this lock panics").push(line.to_string());
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        let mut written = self.written.lock().expect("no holder of this lock panics");
        let directory = absolute(tree.directory);
        written.extend(tree.files.iter().map(|(path, it)| (directory.join(path), it.clone())));
        Ok(())
    }
}

fn refused(action: &'static str, path: &Path, kind: WorldErrorKind) -> WorldError {
    WorldError::new(action, path.to_string_lossy(), kind)
}

fn absolute(path: &Path) -> PathBuf {
    lexical::absolute(path, Path::new(DIRECTORY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_and_directories_are_followed_to_read() {
        let world = MemoryWorld::new()
            .file("d/a.yml", "a")
            .link("linked", "d")
            .link("a.yml", "linked/a.yml")
            .link("circle.yml", "circle.yml");
        let read = |path: &str| world.read(Path::new(path)).map_err(|it| it.kind);
        for path in ["d/a.yml", "linked/a.yml", "a.yml", "/work/linked/../a.yml"] {
            assert_eq!(read(path).as_deref(), Ok(b"a".as_slice()), "{path}");
        }
        assert_eq!(read("linked"), Err(WorldErrorKind::IsADirectory));
        assert_eq!(read("gone.yml"), Err(WorldErrorKind::NotFound));
        assert_eq!(read("circle.yml"), Err(WorldErrorKind::TooManyLinks));
    }
}
