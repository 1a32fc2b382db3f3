//! Runs targets: on all cores, each after the targets whose output it reads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

#[cfg(feature = "generators")]
use plumb::generator::Destination;
use plumb::print::{self, Format, Style};
use plumb::world::{Cores, Text};
use plumb::{
    Cancel, Diagnostic, Failure, Inspection, MachineOptions, Outcome, Rendered, Session, Severity,
    Sources, World,
};
use plumb_source::on_deep_stack;

#[cfg(feature = "generators")]
use crate::Generate;
use crate::cache::{Cache, Changed, Writing};
use crate::target_world::{Dependency, TargetWorld};
use crate::{Project, Render, Target, Work};

/// The targets to run, and the options of the run.
pub struct Request<'a> {
    pub project: &'a Project,
    /// The files that targets share. The project file is among its sources.
    pub session: &'a Session,
    /// The indices of the targets. The targets whose output they read are run too.
    pub targets: Vec<usize>,
    pub writing: Writing,
    /// Whether a target with warnings is not written.
    pub denies_warnings: bool,
    /// Which results are kept.
    pub kept: Kept,
    /// Stops the targets that render templates and have no time limit.
    pub cancel: Cancel,
    /// Creates a request to stop after some time.
    pub timer: &'a (dyn Fn(Duration) -> Cancel + Sync),
    /// Called whenever a target begins or ends.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// Which results are kept after they were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    #[default]
    Nothing,
    /// Those of one target, as printed text.
    Printed(usize),
    /// The documents and files of all targets.
    Everything,
}

/// How many targets are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub n_targets: usize,
    /// The number of finished targets, including those that failed.
    pub n_done: usize,
    pub n_running: usize,
    pub n_failed: usize,
}

/// The result of one target.
#[derive(Debug)]
pub struct Finished {
    /// The index of the target.
    pub target: usize,
    pub ending: Ending,
    pub warnings: Vec<Diagnostic>,
    /// The texts that findings point into.
    pub sources: Arc<Sources>,
    /// The lines that templates printed.
    pub printed: Vec<Text>,
    /// Every path that was read, listed or looked for, in the order of paths.
    pub dependencies: Vec<Dependency>,
    /// The paths that others must read again, because the target wrote them.
    pub(crate) rewritten: Changed,
    /// The schema and the data values of a target that renders templates.
    pub inspection: Inspection,
}

/// How a target ended.
#[derive(Debug)]
pub enum Ending {
    Done(Product),
    Failed(Failure),
    /// It has warnings, which count as errors. Nothing was written.
    Refused,
    /// It did not run, because the targets with these indices failed and it reads their output.
    NotRun(Vec<usize>),
}

/// The output of a target.
#[derive(Debug, Default)]
pub struct Product {
    /// The paths of the files that were written.
    pub files: Vec<PathBuf>,
    /// The output itself, if it was requested.
    pub shown: Option<Shown>,
}

/// The result of a target, for use in the same process.
#[derive(Debug)]
pub enum Shown {
    Documents(Rendered),
    /// The text that a generator prints.
    Text(Vec<u8>),
    /// The files that a generator writes: their paths below the output directory, and contents.
    Files(Vec<(PathBuf, Vec<u8>)>),
}

impl Ending {
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// Runs targets, and the targets whose output they read. The results are in the order of the
/// project file.
pub fn run(world: &Arc<dyn World>, request: &Request<'_>) -> Vec<Finished> {
    let cache = Arc::new(Cache::new(Arc::clone(world), request.writing));
    run_over(&cache, world.cores(), request)
}

/// Like [`run`], over a world that is also used elsewhere.
pub(crate) fn run_over(
    cache: &Arc<Cache>,
    all_cores: Cores,
    request: &Request<'_>,
) -> Vec<Finished> {
    let chosen = request.project.with_prerequisites(&request.targets);
    let none_failed = vec![false; request.project.targets.len()];
    run_on(cache, all_cores, request, &chosen, none_failed)
}

/// Runs exactly the chosen targets. `is_failed` states for each target of the project whether it
/// failed earlier. The chosen ones run again.
pub(crate) fn run_on(
    cache: &Arc<Cache>,
    all_cores: Cores,
    request: &Request<'_>,
    chosen: &[usize],
    is_failed: Vec<bool>,
) -> Vec<Finished> {
    let n_cores = all_cores.count();
    let cores = n_cores.min(chosen.len().max(1));
    let shared = Shared {
        request,
        cache: Arc::clone(cache),
        // If there are fewer targets than cores, each target may use several cores.
        cores: Cores::new(n_cores / cores),
        state: Mutex::new(State::new(request.project, chosen, is_failed)),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        let helper = || scope.spawn(|| on_deep_stack(|| shared.work()));
        let helpers: Vec<_> = (1..cores).map(|_| helper()).collect();
        on_deep_stack(|| shared.work());
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        }
    });
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = state.panic.take() {
        panic::resume_unwind(panic);
    }
    state.finished.into_iter().flatten().collect()
}

struct Shared<'a> {
    request: &'a Request<'a>,
    cache: Arc<Cache>,
    /// How many threads one target may use.
    cores: Cores,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// For each target, how many targets it waits for.
    n_awaited: Vec<usize>,
    /// For each target, those that wait for it.
    waiting: Vec<Vec<usize>>,
    ready: VecDeque<usize>,
    /// For each target, whether it failed, now or earlier.
    is_failed: Vec<bool>,
    finished: Vec<Option<Finished>>,
    progress: Progress,
    panic: Option<Box<dyn Any + Send>>,
}

impl State {
    fn new(project: &Project, chosen: &[usize], mut is_failed: Vec<bool>) -> Self {
        let n_targets = project.targets.len();
        let mut is_chosen = vec![false; n_targets];
        for &at in chosen {
            (is_chosen[at], is_failed[at]) = (true, false);
        }
        let mut waiting = vec![Vec::new(); n_targets];
        let mut n_awaited = vec![0; n_targets];
        for &at in chosen {
            for &other in project.order.after[at].iter().filter(|it| is_chosen[**it]) {
                n_awaited[at] += 1;
                waiting[other].push(at);
            }
        }
        let finished = (0..n_targets).map(|_| None).collect();
        let progress = Progress { n_targets: chosen.len(), ..Progress::default() };
        let ready = VecDeque::new();
        let panic = None;
        let mut state = Self { n_awaited, waiting, ready, is_failed, finished, progress, panic };
        for &at in chosen {
            // A target that fails immediately may already have made others ready.
            if state.n_awaited[at] == 0 && state.finished[at].is_none() {
                state.begin(at, project);
            }
        }
        state
    }

    fn is_over(&self) -> bool {
        self.panic.is_some() || self.progress.n_done == self.progress.n_targets
    }

    /// Makes a target ready that does not wait for another one. If a target whose output it reads
    /// has failed, it fails instead.
    fn begin(&mut self, at: usize, project: &Project) {
        match self.failed_before(at, project) {
            failed if failed.is_empty() => self.ready.push_back(at),
            failed => self.finish(Finished::not_run(at, failed), project),
        }
    }

    fn failed_before(&self, at: usize, project: &Project) -> Vec<usize> {
        let awaited = project.order.after[at].iter().copied();
        awaited.filter(|it| self.is_failed[*it]).collect()
    }

    /// Adds a result. Targets that waited only for it become ready; if it failed, they fail too.
    fn finish(&mut self, finished: Finished, project: &Project) {
        let mut ahead = vec![finished];
        while let Some(finished) = ahead.pop() {
            let at = finished.target;
            self.is_failed[at] = !finished.ending.is_done();
            self.progress.n_done += 1;
            self.progress.n_failed += usize::from(self.is_failed[at]);
            self.finished[at] = Some(finished);
            for other in self.waiting[at].clone() {
                self.n_awaited[other] -= 1;
                if self.n_awaited[other] > 0 {
                    continue;
                }
                match self.failed_before(other, project) {
                    failed if failed.is_empty() => self.ready.push_back(other),
                    failed => ahead.push(Finished::not_run(other, failed)),
                }
            }
        }
    }
}

impl Shared<'_> {
    /// Runs targets until none is left.
    fn work(&self) {
        let project = self.request.project;
        let mut state = self.lock();
        loop {
            if state.is_over() {
                return;
            }
            let Some(at) = state.ready.pop_front() else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.progress.n_running += 1;
            (self.request.progress)(state.progress);
            drop(state);
            let run = AssertUnwindSafe(|| self.target(at, &project.targets[at]));
            let ended = panic::catch_unwind(run);
            state = self.lock();
            state.progress.n_running -= 1;
            match ended {
                Ok(finished) => state.finish(finished, project),
                Err(panic) => state.panic = Some(panic),
            }
            (self.request.progress)(state.progress);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn target(&self, at: usize, target: &Target) -> Finished {
        match &target.work {
            Work::Render(render) => self.render(at, target, render),
            #[cfg(feature = "generators")]
            Work::Generate(generate) => self.generate(at, target, generate),
            Work::Machines(options) => self.machines(at, target, options),
        }
    }

    /// The world of a target.
    fn world(&self, target: &Target, max_file_size: Option<u64>) -> Arc<TargetWorld> {
        let cache = Arc::clone(&self.cache);
        Arc::new(TargetWorld::new(cache, target.env.clone(), max_file_size, self.cores))
    }

    #[cfg(feature = "generators")]
    fn generate(&self, at: usize, target: &Target, generate: &Generate) -> Finished {
        let own = self.world(target, None);
        let world: Arc<dyn World> = Arc::clone(&own) as _;
        let mut options = generate.options.clone();
        options.cancel = generate.time_limit.map(self.request.timer).unwrap_or_default();
        options.session = Some(self.request.session.clone());
        let is_printed = self.request.kept == Kept::Printed(at);
        if is_printed {
            options.destination = Destination::Stdout;
        }
        let outcome = plumb::generate(&world, &options);
        let Outcome { sources, warnings, result, .. } = outcome;
        let is_refused = self.request.denies_warnings && !warnings.is_empty();
        let ending = match result {
            Err(failure) => Ending::Failed(failure),
            Ok(_) if is_refused => Ending::Refused,
            Ok(generated) => match generated.write(&*world) {
                Err(error) => Ending::Failed(plumb::not_written(&error)),
                Ok(()) => {
                    let files = generated.files().map(|(path, _)| path).collect();
                    let shown = match self.request.kept {
                        Kept::Everything => Some(Shown::Files(files_of(&generated))),
                        Kept::Printed(_) if is_printed => Some(Shown::Text(generated.printed)),
                        Kept::Printed(_) | Kept::Nothing => None,
                    };
                    Ending::Done(Product { files, shown })
                }
            },
        };
        Finished::of(at, ending, warnings, sources, &own)
    }

    fn machines(&self, at: usize, target: &Target, options: &MachineOptions) -> Finished {
        let own = self.world(target, None);
        let world: Arc<dyn World> = Arc::clone(&own) as _;
        let mut options = options.clone();
        options.session = Some(self.request.session.clone());
        let Outcome { sources, result, .. } = plumb::check_machines(&world, &options);
        let (ending, warnings) = match result {
            Err(failure) => (Ending::Failed(failure), Vec::new()),
            Ok(inspection) => {
                let is_error = |it: &Diagnostic| it.severity == Severity::Error;
                let (errors, warnings): (Vec<_>, Vec<_>) =
                    inspection.diagnostics.into_iter().partition(is_error);
                let is_refused = self.request.denies_warnings && !warnings.is_empty();
                let ending = match () {
                    () if !errors.is_empty() => Ending::Failed(errors.into()),
                    () if is_refused => Ending::Refused,
                    () => Ending::Done(Product::default()),
                };
                (ending, warnings)
            }
        };
        Finished::of(at, ending, warnings, sources, &own)
    }

    fn render(&self, at: usize, target: &Target, render: &Render) -> Finished {
        let own = self.world(target, render.max_file_size);
        let world: Arc<dyn World> = Arc::clone(&own) as _;
        let cancel = render.time_limit.map(self.request.timer);
        let cancel = cancel.unwrap_or_else(|| self.request.cancel.clone());
        let options = render.options.clone().cancel(cancel).session(self.request.session.clone());
        let (outcome, inspection) = plumb::inspect(&world, &options);
        let mut warnings = Vec::new();
        if let Some(output) = &render.output {
            warnings.extend(plumb::read_back(&*world, &output.directory, outcome.inputs()));
        }
        let Outcome { sources, warnings: found, result, .. } = outcome;
        warnings.splice(0..0, found);
        let is_refused = self.request.denies_warnings && !warnings.is_empty();
        let ending = match result {
            Err(failure) => Ending::Failed(failure),
            Ok(_) if is_refused => Ending::Refused,
            Ok(rendered) => match deliver(&*world, render, &rendered, &sources) {
                Err(failure) => Ending::Failed(failure),
                Ok(files) => {
                    let is_kept = match self.request.kept {
                        Kept::Nothing => false,
                        Kept::Printed(printed) => printed == at,
                        Kept::Everything => true,
                    };
                    let shown = is_kept.then_some(Shown::Documents(rendered));
                    Ending::Done(Product { files, shown })
                }
            },
        };
        Finished { inspection, ..Finished::of(at, ending, warnings, sources, &own) }
    }
}

/// The files of a generator, with their paths below the directories that they are written to.
#[cfg(feature = "generators")]
fn files_of(generated: &plumb::Generated) -> Vec<(PathBuf, Vec<u8>)> {
    generated.trees.iter().flat_map(|it| &it.files).cloned().collect()
}

/// Writes the files of a target. Without a directory, they are printed and the text is discarded:
/// this finds documents that cannot be printed in the format.
fn deliver(
    world: &dyn World,
    render: &Render,
    rendered: &Rendered,
    sources: &Sources,
) -> Result<Vec<PathBuf>, Failure> {
    match &render.output {
        Some(output) => {
            plumb::check_paths(&rendered.files)?;
            let (directory, occupant) = (&output.directory, output.occupant);
            let written = plumb::write(world, directory, occupant, &rendered.files)?;
            Ok(written.into_iter().map(|(path, _)| directory.join(path)).collect())
        }
        None if render.format == Format::Json => {
            print::stream(rendered.documents(), style(render.format), sources)?;
            Ok(Vec::new())
        }
        None => Ok(Vec::new()),
    }
}

/// How documents of a target are printed.
pub fn style(format: Format) -> Style {
    Style::new().format(format)
}

impl Finished {
    fn of(
        target: usize,
        ending: Ending,
        warnings: Vec<Diagnostic>,
        sources: Arc<Sources>,
        world: &TargetWorld,
    ) -> Self {
        let (printed, dependencies) = (world.take_printed(), world.take_dependencies());
        let (rewritten, inspection) = (world.take_rewritten(), Inspection::default());
        Self { target, ending, warnings, sources, printed, dependencies, rewritten, inspection }
    }

    fn not_run(target: usize, failed: Vec<usize>) -> Self {
        Self {
            target,
            ending: Ending::NotRun(failed),
            warnings: Vec::new(),
            sources: Arc::default(),
            printed: Vec::new(),
            dependencies: Vec::new(),
            rewritten: Changed::default(),
            inspection: Inspection::default(),
        }
    }
}
