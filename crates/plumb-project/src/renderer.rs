//! Renders a target with other data values any number of times, without writing files: for tests.

use std::sync::Arc;
use std::time::Duration;

use plumb::world::{Cores, Text};
use plumb::{Cancel, Options, Outcome, Rendered, Session, World};

use crate::cache::{Cache, Writing};
use crate::run::{self, Finished, Kept, Request};
use crate::target_world::{Dependency, TargetWorld};
use crate::{Project, Render};

/// Renders targets over one world, in which each path is read only once.
pub struct Renderer {
    cache: Arc<Cache>,
    session: Session,
    timer: Timer,
}

/// Creates a request to stop after some time.
pub type Timer = fn(Duration) -> Cancel;

/// The result of one rendering.
#[derive(Debug)]
pub struct Rendering {
    pub outcome: Outcome<Rendered>,
    /// The lines that templates printed.
    pub printed: Vec<Text>,
    /// Every path that was read, listed or looked for, in the order of paths.
    pub dependencies: Vec<Dependency>,
}

impl Renderer {
    /// A renderer over a world. Written files stay in memory.
    pub fn new(world: &Arc<dyn World>, session: Session, timer: Timer) -> Self {
        let cache = Arc::new(Cache::new(Arc::clone(world), Writing::InMemory));
        Self { cache, session, timer }
    }

    /// Runs the targets whose output these targets read. Returns the results of those targets.
    pub fn prepare(&self, project: &Project, targets: &[usize], cores: Cores) -> Vec<Finished> {
        let read = targets.iter().flat_map(|&at| &project.order.after[at]).copied().collect();
        let request = Request {
            project,
            session: &self.session,
            targets: read,
            writing: Writing::InMemory,
            denies_warnings: false,
            kept: Kept::Nothing,
            cancel: Cancel::default(),
            timer: &self.timer,
            progress: &|_| {},
        };
        run::run_over(&self.cache, cores, &request)
    }

    /// Renders a target; `change` may add to its options. `env` are the variables that it may read.
    pub fn render(
        &self,
        render: &Render,
        env: &[String],
        change: impl FnOnce(Options) -> Options,
    ) -> Rendering {
        let cache = Arc::clone(&self.cache);
        let own = TargetWorld::new(cache, env.to_vec(), render.max_file_size, Cores::ONE);
        let own = Arc::new(own);
        let world: Arc<dyn World> = Arc::clone(&own) as _;
        let cancel = render.time_limit.map(self.timer).unwrap_or_default();
        let options = change(render.options.clone());
        let options = options.cancel(cancel).session(self.session.clone());
        let outcome = plumb::render(&world, &options);
        let (printed, dependencies) = (own.take_printed(), own.take_dependencies());
        Rendering { outcome, printed, dependencies }
    }

    /// The world that all renderings read from.
    pub fn world(&self) -> Arc<dyn World> {
        Arc::clone(&self.cache) as _
    }
}
