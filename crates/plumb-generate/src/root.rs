//! A directory that paths may not leave, neither by `..` nor through a symbolic link.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use plumb_source::{EntryKind, Fault, World, WorldError};

/// More links than this in one path are a circle.
const MAX_LINKS: u32 = 40;

pub(crate) struct Root {
    /// As the user named it: relative to the working directory, or absolute.
    directory: PathBuf,
    /// What was found at paths below the directory, so that no path is asked for twice: nothing
    /// is written while a script runs.
    entries: RefCell<HashMap<PathBuf, Option<EntryKind>>>,
}

/// Why a path is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    Absolute,
    Parent,
    /// A symbolic link points out of the root.
    Link,
    World(WorldError),
}

/// A path inside its root, free of `.`, `..` and links.
#[derive(Debug)]
pub(crate) struct Located {
    /// Below the root.
    pub(crate) path: PathBuf,
    /// None: nothing stands there yet.
    pub(crate) kind: Option<EntryKind>,
}

impl Root {
    pub(crate) fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), entries: RefCell::default() }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path that the world knows a path below the root by.
    pub(crate) fn full(&self, path: &Path) -> PathBuf {
        match self.directory.join(path) {
            full if full.as_os_str().is_empty() => PathBuf::from("."),
            full => full,
        }
    }

    /// Follows a path from the root. `..` may stand in it as long as it does not leave the root.
    pub(crate) fn locate(&self, world: &dyn World, path: &Path) -> Result<Located, Denied> {
        let mut walk =
            Walk { root: self, world, real: PathBuf::new(), ahead: Vec::new(), n_links: 0 };
        walk.push_ahead(&clean(path)?);
        walk.run()
    }

    fn entry(&self, world: &dyn World, path: &Path) -> Result<Option<EntryKind>, Denied> {
        if let Some(kind) = self.entries.borrow().get(path) {
            return Ok(*kind);
        }
        let kind = match world.entry(&self.full(path)) {
            Ok(kind) => Some(kind),
            Err(error) if matches!(error.fault, Fault::NotFound | Fault::NotADirectory) => None,
            Err(error) => return Err(Denied::World(error)),
        };
        self.entries.borrow_mut().insert(path.to_owned(), kind);
        Ok(kind)
    }
}

/// A path without `.` and `..`, which may not lead out of where it starts.
pub(crate) fn clean(path: &Path) -> Result<PathBuf, Denied> {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => cleaned.push(name),
            Component::CurDir => {}
            Component::ParentDir if cleaned.pop() => {}
            Component::ParentDir => return Err(Denied::Parent),
            Component::RootDir | Component::Prefix(_) => return Err(Denied::Absolute),
        }
    }
    Ok(cleaned)
}

struct Walk<'a> {
    root: &'a Root,
    world: &'a dyn World,
    /// How far we are: a path without links.
    real: PathBuf,
    /// What is still to be walked, the next name last.
    ahead: Vec<OsString>,
    n_links: u32,
}

impl Walk<'_> {
    fn run(mut self) -> Result<Located, Denied> {
        while let Some(name) = self.ahead.pop() {
            if name == ".." {
                if !self.real.pop() {
                    return Err(Denied::Link);
                }
                continue;
            }
            self.real.push(name);
            match self.root.entry(self.world, &self.real)? {
                Some(EntryKind::Symlink) => self.follow()?,
                Some(_) => {}
                None => {
                    while let Some(name) = self.ahead.pop() {
                        self.real.push(name);
                    }
                    return Ok(Located { path: self.real, kind: None });
                }
            }
        }
        let kind = if self.real.as_os_str().is_empty() {
            Some(EntryKind::Directory)
        } else {
            self.root.entry(self.world, &self.real)?
        };
        Ok(Located { path: self.real, kind })
    }

    fn follow(&mut self) -> Result<(), Denied> {
        self.n_links += 1;
        if self.n_links > MAX_LINKS {
            let path = self.root.full(&self.real).to_string_lossy().into_owned();
            let fault = Fault::Other("too many levels of symbolic links".to_owned());
            return Err(Denied::World(WorldError::new("open", path, fault)));
        }
        let target = self.world.link_target(&self.root.full(&self.real)).map_err(Denied::World)?;
        self.real.pop();
        if target.is_absolute() {
            let inside = self.inside(&target).ok_or(Denied::Link)?;
            self.real.clear();
            self.push_ahead(&inside);
        } else {
            self.push_ahead(&target);
        }
        Ok(())
    }

    /// An absolute target as a path below the root, if it is below the root.
    fn inside(&self, target: &Path) -> Option<PathBuf> {
        let working = self.world.directory().ok()?;
        let root = flatten(&working.join(self.root.directory()));
        flatten(target).strip_prefix(&root).ok().map(Path::to_owned)
    }

    fn push_ahead(&mut self, path: &Path) {
        let names = path.components().rev().filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
        });
        self.ahead.extend(names);
    }
}

/// An absolute path without `.` and `..`, by its text alone.
fn flatten(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                flat.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                flat.push(component);
            }
        }
    }
    flat
}

impl Denied {
    /// In words, for what was being done: `reading` or `writing`.
    pub(crate) fn words(&self, doing: Doing) -> String {
        match (self, doing) {
            (Self::Absolute, Doing::Reading) => "reading absolute paths is forbidden".to_owned(),
            (Self::Absolute, Doing::Writing) => {
                "writing to an absolute path is forbidden".to_owned()
            }
            (Self::Parent, Doing::Reading) => "reading from a parent path is forbidden".to_owned(),
            (Self::Parent, Doing::Writing) => "writing to parent path is forbidden".to_owned(),
            (Self::Link, doing) => {
                format!("{doing} through a symbolic link that leaves the directory is forbidden")
            }
            (Self::World(error), _) => error.to_string(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Reading,
    Writing,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "reading",
            Self::Writing => "writing",
        })
    }
}
