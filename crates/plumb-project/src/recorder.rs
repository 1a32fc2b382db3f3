//! A run without a project, and whether something that it depends on has changed.

use std::path::PathBuf;
use std::sync::Arc;

use plumb::World;

use crate::Dependency;
use crate::cache::{Cache, Change, Writing};
use crate::target_world::TargetWorld;

/// Remembers what runs ask of a world, and what the last of them depends on.
pub struct Recorder {
    cache: Arc<Cache>,
    dependencies: Vec<Dependency>,
}

impl Recorder {
    pub fn new(world: Arc<dyn World>) -> Self {
        let cache = Arc::new(Cache::new(world, Writing::Real));
        Self { cache, dependencies: Vec::new() }
    }

    /// Calls a function with a world that remembers what it was asked. All environment variables are
    /// visible in it.
    pub fn run<T>(&mut self, run: impl FnOnce(&Arc<dyn World>) -> T) -> T {
        let (env, cores) = (vec!["*".to_owned()], self.cache.cores());
        let own = Arc::new(TargetWorld::new(Arc::clone(&self.cache), env, None, cores));
        let world: Arc<dyn World> = Arc::clone(&own) as _;
        let result = run(&world);
        for line in own.take_printed() {
            self.cache.print(&line);
        }
        self.dependencies = own.take_dependencies();
        result
    }

    /// Everything that the last run depends on, in the order of paths.
    pub fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    /// Looks at what may have changed. Returns the changed paths if the last run depends on one of
    /// them.
    pub fn change(&self, change: &Change) -> Vec<PathBuf> {
        let changed = self.cache.change(change);
        if changed.affects(&self.dependencies) { changed.into_paths() } else { Vec::new() }
    }
}
