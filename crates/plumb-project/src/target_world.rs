//! The world of one target: it contains only the allowed variables, and records everything that was
//! used.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plumb::world::{Cores, Entry, EntryKind, OutputTree, Text, World, WorldError, WorldErrorKind};
use plumb_source::{lexical, pass_on};

use crate::cache::{Cache, Changed};

/// How a target used a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// It looked for something that does not exist.
    Missed,
    /// It looked for something that exists.
    LookedAt,
    /// It listed a directory.
    Listed,
    /// It read a file.
    Read,
}

/// A path that the result of a target depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dependency {
    pub path: PathBuf,
    pub used: Use,
}

pub(crate) struct TargetWorld {
    cache: Arc<Cache>,
    env: Vec<String>,
    max_file_size: Option<u64>,
    cores: Cores,
    used: Mutex<HashSet<Dependency>>,
    printed: Mutex<Vec<Text>>,
    rewritten: Mutex<Changed>,
}

impl TargetWorld {
    pub(crate) fn new(
        cache: Arc<Cache>,
        env: Vec<String>,
        max_file_size: Option<u64>,
        cores: Cores,
    ) -> Self {
        let (used, printed, rewritten) = Default::default();
        Self { cache, env, max_file_size, cores, used, printed, rewritten }
    }

    /// Removes and returns all recorded dependencies, in the order of paths.
    pub(crate) fn take_dependencies(&self) -> Vec<Dependency> {
        let used = std::mem::take(&mut *lock(&self.used));
        let mut used: Vec<Dependency> = used.into_iter().collect();
        used.sort_unstable();
        used
    }

    /// Removes and returns the lines that templates printed.
    pub(crate) fn take_printed(&self) -> Vec<Text> {
        std::mem::take(&mut *lock(&self.printed))
    }

    /// Removes and returns the changes that were caused by the output of the target.
    pub(crate) fn take_rewritten(&self) -> Changed {
        std::mem::take(&mut *lock(&self.rewritten))
    }

    /// Records the use of a path, and returns the result.
    fn recorded<T>(
        &self,
        path: &Path,
        used: Use,
        result: Result<T, WorldError>,
    ) -> Result<T, WorldError> {
        let is_missing = |it: &WorldError| {
            matches!(it.kind, WorldErrorKind::NotFound | WorldErrorKind::NotADirectory)
        };
        let used = if result.as_ref().is_err_and(is_missing) { Use::Missed } else { used };
        lock(&self.used).insert(Dependency { path: lexical::clean(path), used });
        result
    }

    fn may_read(&self, name: &Text) -> bool {
        let name = name.to_str_lossy();
        self.env.iter().any(|allowed| match allowed.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == allowed.as_str(),
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World for TargetWorld {
    pass_on!(cache: stdin, fetch, directory);

    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        self.recorded(path, Use::LookedAt, self.cache.entry(path))
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        self.recorded(directory, Use::Listed, self.cache.list(directory))
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        self.recorded(link, Use::LookedAt, self.cache.link_target(link))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        let bytes = self.recorded(path, Use::Read, self.cache.read(path))?;
        match self.max_file_size {
            Some(max_size) if bytes.len() as u64 > max_size => {
                let kind = format!("larger than the {} MiB that a file may have", max_size >> 20);
                Err(WorldError::new("read", path.to_string_lossy(), WorldErrorKind::Other(kind)))
            }
            _ => Ok(bytes),
        }
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        if self.env.is_empty() {
            return Vec::new();
        }
        let mut variables = self.cache.environment();
        variables.retain(|(name, _)| self.may_read(name));
        variables
    }

    /// Stores the line. Lines are printed in the order of targets.
    fn print(&self, line: &Text) {
        lock(&self.printed).push(line.clone());
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        lock(&self.rewritten).extend(self.cache.write_tree(tree)?);
        Ok(())
    }

    fn cores(&self) -> Cores {
        self.cores
    }
}

#[cfg(test)]
mod tests {
    use plumb::world::MemoryWorld;

    use super::*;
    use crate::cache::Writing;

    #[test]
    fn a_target_sees_only_its_variables_and_its_reads_are_known() {
        let below = MemoryWorld::new()
            .file("config/a.yml", "a: 1\n")
            .variable("APP_name", "x")
            .variable("HOME", "/root");
        let cache = Arc::new(Cache::new(Arc::new(below), Writing::InMemory));
        let env = vec!["APP_*".to_owned()];
        let world = TargetWorld::new(cache, env, Some(2), Cores::ONE);
        let names: Vec<Text> = world.environment().into_iter().map(|it| it.0).collect();
        assert_eq!(names, [Text::from("APP_name")]);
        assert!(world.read(Path::new("./config/a.yml")).is_err(), "it is too large");
        assert!(world.entry(Path::new("b.yml")).is_err());
        let paths: Vec<(PathBuf, Use)> =
            world.take_dependencies().into_iter().map(|it| (it.path, it.used)).collect();
        let expected = [("b.yml".into(), Use::Missed), ("config/a.yml".into(), Use::Read)];
        assert_eq!(paths, expected);
    }
}
