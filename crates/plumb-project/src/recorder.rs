//! A run without a project: finds out whether its dependencies have changed.

use std::path::PathBuf;
use std::sync::Arc;

use plumb::World;

use crate::Dependency;
use crate::cache::{Cache, Change, Writing};
use crate::target_world::TargetWorld;

/// Records what runs ask of a world, and what the last run depends on.
pub struct Recorder {
    cache: Arc<Cache>,
    dependencies: Vec<Dependency>,
}

impl Recorder {
    pub fn new(world: Arc<dyn World>) -> Self {
        let cache = Arc::new(Cache::new(world, Writing::Real));
        Self { cache, dependencies: Vec::new() }
    }

    /// Calls a function with a world that records what it is asked. All environment variables are
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

    /// Checks what has changed. Returns the changed paths if the last run depends on one of them.
    pub fn change(&self, change: &Change) -> Vec<PathBuf> {
        let changed = self.cache.change(change);
        if changed.affects(&self.dependencies) { changed.into_paths() } else { Vec::new() }
    }
}
