//! An in-memory world of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb_generate::Console;
use plumb_source::{Entry, EntryKind, OutputTree, Text, World, WorldError, WorldErrorKind};

#[derive(Default)]
pub(crate) struct Memory {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Memory {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().into()));
        Self { files: files.collect() }
    }
}

fn missing(action: &'static str, path: &Path) -> WorldError {
    WorldError::new(action, path.to_string_lossy(), WorldErrorKind::NotFound)
}

impl World for Memory {
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        if self.files.contains_key(path) {
            return Ok(EntryKind::File);
        }
        let is_directory = self.files.keys().any(|it| it.starts_with(path));
        if is_directory { Ok(EntryKind::Directory) } else { Err(missing("lstat", path)) }
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        Err(missing("open", directory))
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        Err(missing("readlink", link))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        self.files.get(path).cloned().ok_or_else(|| missing("open", path))
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        Err(missing("read", Path::new("-")))
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        Err(missing("get", Path::new(url)))
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        Vec::new()
    }

    fn directory(&self) -> Result<PathBuf, WorldError> {
        Ok(PathBuf::from("/work"))
    }

    fn print(&self, _: &Text) {}

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        unreachable!("a run writes no files, also not below {}", tree.directory.display())
    }
}

/// Discards what scripts print.
pub(crate) struct Lines;

impl Console for Lines {
    fn print(&self, _: &[u8]) {}

    fn log(&self, _: &[u8]) {}
}
