//! Runs targets again, but only those that a change affects.
//!
//! This module does not watch files: a front end reports what may have changed
//! ([`Incremental::change`]), and then brings the targets up to date ([`Incremental::update`]).
//! After each update, the results are the same as those of a run from scratch.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use plumb::{Cancel, Failure, Session, Sources, World};

use crate::cache::{Cache, Change, Changed, Writing};
use crate::run::{self, Kept, Request};
use crate::target_world::TargetWorld;
use crate::{Dependency, Ending, Finished, Progress, Project};

/// How many bytes the texts of a session may grow beyond twice their size after a complete run.
const MAX_GROWTH: usize = 1 << 20;

/// The targets of a project, with the results of their last run.
///
/// Parsed and compiled files are kept between runs. If too many of them are old versions, the
/// targets that run next read everything again.
pub struct Incremental {
    cache: Arc<Cache>,
    writing: Writing,
    /// The path of the project file.
    path: PathBuf,
    session: Session,
    /// The size of the texts of the session after its first run.
    usual_size: usize,
    /// The last project that was valid.
    project: Option<Project>,
    /// Why the project file cannot be used now.
    mistake: Option<Failure>,
    /// Whether the project file must be read again, because it has changed.
    is_project_stale: bool,
    /// The dependencies of reading the project file.
    project_uses: Vec<Dependency>,
    /// For each target of the project, the result of its last run.
    results: Vec<Option<Held>>,
}

struct Held {
    finished: Finished,
    is_stale: bool,
}

/// How targets are brought up to date.
pub struct Update<'a> {
    /// Chooses the targets. The targets whose output they read are run too.
    pub choose: &'a dyn Fn(&Project) -> Result<Vec<usize>, Failure>,
    /// Whether a target with warnings is not written.
    pub denies_warnings: bool,
    /// Creates a request to stop after some time.
    pub timer: &'a (dyn Fn(Duration) -> Cancel + Sync),
    /// Called whenever a target begins or ends.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Incremental {
    /// A project whose targets have not run yet.
    pub fn new(world: Arc<dyn World>, path: PathBuf, writing: Writing) -> Self {
        Self {
            cache: Arc::new(Cache::new(world, writing)),
            writing,
            path,
            session: Session::default(),
            usual_size: 0,
            project: None,
            mistake: None,
            is_project_stale: true,
            project_uses: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Where the targets are written.
    pub fn writing(&self) -> Writing {
        self.writing
    }

    /// The last project that was valid.
    pub fn project(&self) -> Option<&Project> {
        self.project.as_ref()
    }

    /// The texts that the findings of the last update point into.
    pub fn sources(&self) -> Arc<Sources> {
        self.session.sources()
    }

    /// The result of the last run of a target. Returns `None` if it was not chosen yet.
    pub fn result(&self, target: usize) -> Option<&Finished> {
        self.results.get(target)?.as_ref().map(|it| &it.finished)
    }

    /// Everything that the project and its targets depend on. The same dependency may occur more
    /// than once.
    pub fn dependencies(&self) -> impl Iterator<Item = &Dependency> {
        let results = self.results.iter().flatten();
        self.project_uses.iter().chain(results.flat_map(|it| &it.finished.dependencies))
    }

    /// Checks what has changed. Returns the changed paths that the project or a target depends on.
    /// If there are any, an update is needed.
    pub fn change(&mut self, change: &Change) -> Vec<PathBuf> {
        let changed = self.cache.change(change);
        self.is_project_stale |= changed.affects(&self.project_uses);
        for held in self.results.iter_mut().flatten() {
            held.is_stale |= changed.affects(&held.finished.dependencies);
        }
        let is_any = self.is_project_stale || self.results.iter().flatten().any(|it| it.is_stale);
        if is_any { changed.into_paths() } else { Vec::new() }
    }

    /// Marks the targets that read what a target has just written, unless they ran after it. The
    /// target itself is left out: if it reads the directory that it writes to, it would run
    /// forever.
    fn mark_readers(&mut self, writer: usize, changed: &Changed, has_just_run: &[usize]) {
        let order = &self.project.as_ref().expect("a target was run").order;
        for held in self.results.iter_mut().flatten() {
            let at = held.finished.target;
            let ran_after = has_just_run.contains(&at) && order.after[at].contains(&writer);
            if at != writer && !ran_after {
                held.is_stale |= changed.affects(&held.finished.dependencies);
            }
        }
    }

    /// Runs the chosen targets whose results are missing or old. Returns the indices of those that
    /// were run, in the order of the project file. Fails if the project file has mistakes; the
    /// results of the last valid one are kept.
    pub fn update(&mut self, update: &Update<'_>) -> Result<Vec<usize>, Failure> {
        self.renew_session();
        if self.is_project_stale {
            self.read_project();
        }
        if let Some(mistake) = &self.mistake {
            return Err(mistake.clone());
        }
        let project = self.project.as_ref().expect("without a mistake there is a project");
        let chosen = project.with_prerequisites(&(update.choose)(project)?);
        let mut has_run = vec![false; project.targets.len()];
        loop {
            let stale: Vec<usize> =
                chosen.iter().copied().filter(|&at| self.is_stale(at)).collect();
            if stale.is_empty() {
                break;
            }
            let mut rewritten = Vec::new();
            for mut finished in self.run(update, &stale) {
                let at = finished.target;
                has_run[at] = true;
                rewritten.push((at, std::mem::take(&mut finished.rewritten)));
                self.results[at] = Some(Held { finished, is_stale: false });
            }
            for (writer, changed) in rewritten {
                self.mark_readers(writer, &changed, &stale);
            }
        }
        if self.usual_size == 0 {
            self.usual_size = self.session.sources().size();
        }
        Ok((0..has_run.len()).filter(|&at| has_run[at]).collect())
    }

    /// Whether the result of a target is missing, old, or does not fit those that it depends on.
    fn is_stale(&self, at: usize) -> bool {
        let Some(held) = &self.results[at] else { return true };
        let failed = self.failed_before(at);
        let is_run = match &held.finished.ending {
            Ending::NotRun(before) => *before == failed,
            Ending::Done(_) | Ending::Failed(_) | Ending::Refused => failed.is_empty(),
        };
        held.is_stale || !is_run
    }

    /// The failed targets whose output a target reads.
    fn failed_before(&self, at: usize) -> Vec<usize> {
        let project = self.project.as_ref().expect("there is a result, so there is a project");
        project.order.after[at].iter().copied().filter(|&it| self.is_failed(it)).collect()
    }

    fn is_failed(&self, at: usize) -> bool {
        self.result(at).is_some_and(|it| !it.ending.is_done())
    }

    fn run(&self, update: &Update<'_>, targets: &[usize]) -> Vec<Finished> {
        let project = self.project.as_ref().expect("targets were chosen from it");
        let request = Request {
            project,
            session: &self.session,
            targets: targets.to_vec(),
            writing: self.writing,
            denies_warnings: update.denies_warnings,
            kept: Kept::Nothing,
            cancel: Cancel::default(),
            timer: update.timer,
            progress: update.progress,
        };
        let is_failed = (0..project.targets.len()).map(|at| self.is_failed(at)).collect();
        let mut finished =
            run::run_on(&self.cache, self.cache.cores(), &request, targets, is_failed);
        for run in &mut finished {
            // A result without findings does not need the texts, which may become old versions.
            if run.ending.is_done() && run.warnings.is_empty() {
                run.sources = Arc::default();
            }
        }
        finished
    }

    /// Reads the project file. Targets with the same settings as before keep their results.
    fn read_project(&mut self) {
        let cache = Arc::clone(&self.cache);
        let cores = cache.cores();
        let world = TargetWorld::new(cache, Vec::new(), None, cores);
        let read = Project::read(&world, &self.path, &self.session.sources());
        self.project_uses = world.take_dependencies();
        self.is_project_stale = false;
        match read {
            Err(failure) => self.mistake = Some(failure),
            Ok(project) => {
                self.mistake = None;
                self.carry_over(&project);
                self.project = Some(project);
            }
        }
    }

    fn carry_over(&mut self, new: &Project) {
        let old = self.project.take().map(|it| it.targets).unwrap_or_default();
        let n_old = old.len();
        let names: Vec<(String, String)> =
            old.into_iter().map(|it| (it.name, it.settings)).collect();
        let mut held: HashMap<&(String, String), Held> = HashMap::with_capacity(n_old);
        for (name, result) in names.iter().zip(std::mem::take(&mut self.results)) {
            held.extend(result.map(|it| (name, it)));
        }
        let indices: HashMap<&str, usize> =
            new.targets.iter().enumerate().map(|(at, it)| (it.name.as_str(), at)).collect();
        let renumbered = |old: &usize| indices.get(names[*old].0.as_str()).copied();
        self.results = new
            .targets
            .iter()
            .enumerate()
            .map(|(at, target)| {
                let key = (target.name.clone(), target.settings.clone());
                let mut held = held.remove(&key)?;
                held.finished.target = at;
                if let Ending::NotRun(failed) = &mut held.finished.ending {
                    *failed = failed.iter().filter_map(renumbered).collect();
                }
                Some(held)
            })
            .collect();
    }

    /// Begins a new session if the texts of this one are mostly old versions.
    fn renew_session(&mut self) {
        if self.usual_size > 0 && self.session.sources().size() > 2 * self.usual_size + MAX_GROWTH {
            self.session = Session::default();
            self.usual_size = 0;
            self.is_project_stale = true;
        }
    }
}
