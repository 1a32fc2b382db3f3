//! `--watch`: runs a command again whenever something changes that it depends on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::lexical;
use plumb::native::NativeWorld;
use plumb::{Failure, Sources, World};
use plumb_project::{Change, Finished, Incremental, Recorder, Update, Writing};

use super::build::{self, Counts};
use super::project::{self, Choice, ProgressLine};
use super::template;
use crate::exit::Exit;
use crate::report::Report;
use crate::watcher::Watcher;

/// Builds or checks targets until a signal ends the process.
pub(super) fn targets(
    report: &Report,
    directory: Option<&Path>,
    choice: &Choice<'_>,
    writing: Writing,
) -> Exit {
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let path = match project::path(&*world, directory) {
        Ok(path) => path,
        Err(failure) => return report.failure(&failure, &Sources::new()),
    };
    let build = Incremental::new(Arc::clone(&world), path, writing);
    repeat(report, build, |build, cause| update(report, &*world, build, choice, cause))
}

/// Calls a function again whenever something changes that its last call depends on. From the second
/// call on, it gets a description of what has changed.
pub(super) fn calls(
    report: &Report,
    world: Arc<dyn World>,
    run: impl Fn(&Arc<dyn World>, Option<&str>),
) -> Exit {
    repeat(report, Recorder::new(world), |recorder, cause| recorder.run(|world| run(world, cause)))
}

/// Runs `run` again whenever a path changes that `dependent` depends on.
pub(super) fn repeat<D: Dependent>(
    report: &Report,
    mut dependent: D,
    mut run: impl FnMut(&mut D, Option<&str>),
) -> Exit {
    let mut watcher = match Watcher::new() {
        Ok(watcher) => watcher,
        Err(failure) => return report.failure(&failure, &Sources::new()),
    };
    let mut cause = None;
    loop {
        run(&mut dependent, cause.as_deref());
        report.pause();
        if cause.is_none() {
            report.note(WATCHING);
        }
        cause = match next_change(&mut watcher, &mut dependent) {
            Ok(changed) => Some(named(&changed)),
            Err(failure) => return report.failure(&failure, &Sources::new()),
        };
        report.begin_again();
    }
}

const WATCHING: &str = "watching for changes; Ctrl-C ends\n";

/// Something that depends on paths.
pub(super) trait Dependent {
    fn paths(&self) -> Vec<&Path>;

    /// The paths that it depends on and that have changed.
    fn change(&mut self, change: &Change) -> Vec<PathBuf>;
}

impl Dependent for Incremental {
    fn paths(&self) -> Vec<&Path> {
        self.dependencies().map(|it| it.path.as_path()).collect()
    }

    fn change(&mut self, change: &Change) -> Vec<PathBuf> {
        Self::change(self, change)
    }
}

impl Dependent for Recorder {
    fn paths(&self) -> Vec<&Path> {
        self.dependencies().iter().map(|it| it.path.as_path()).collect()
    }

    fn change(&mut self, change: &Change) -> Vec<PathBuf> {
        Self::change(self, change)
    }
}

/// Waits until something has changed. Returns the changed paths.
fn next_change(
    watcher: &mut Watcher,
    dependent: &mut impl Dependent,
) -> Result<Vec<PathBuf>, Failure> {
    // The contents of a directory may have changed before it was watched.
    let mut new = watcher.watch(&dependent.paths())?;
    loop {
        if !new.is_empty() {
            let changed = dependent.change(&Change::Paths(new));
            if !changed.is_empty() {
                return Ok(changed);
            }
        }
        let change = watcher.wait();
        new = watcher.watch(&dependent.paths())?;
        let changed = dependent.change(&change);
        if !changed.is_empty() {
            return Ok(changed);
        }
    }
}

/// Names what has changed in a few words.
fn named(changed: &[PathBuf]) -> String {
    match changed {
        [] => String::new(),
        [path] => lexical::shown(path),
        [first, rest @ ..] => format!("{} and {} more", lexical::shown(first), rest.len()),
    }
}

/// Brings targets up to date, and reports the findings of those that were run.
fn update(
    report: &Report,
    world: &dyn World,
    build: &mut Incremental,
    choice: &Choice<'_>,
    cause: Option<&str>,
) {
    let writing = build.writing();
    let line = ProgressLine::new(report);
    let updated = build.update(&Update {
        choose: &|project| choice.targets(project),
        denies_warnings: report.denies_warnings(),
        timer: &template::after,
        progress: &|progress| line.show(progress),
    });
    line.clear();
    let sources = build.sources();
    let ran = match updated {
        Ok(ran) => ran,
        Err(failure) => {
            report.failure(&failure, &sources);
            if let Some(cause) = cause {
                report.summary(&format!("{cause}: nothing was built"));
            }
            return;
        }
    };
    let project = build.project().expect("it was updated");
    let ran: Vec<&Finished> = ran.iter().filter_map(|&at| build.result(at)).collect();
    for printed in ran.iter().flat_map(|it| &it.printed) {
        world.print(printed);
    }
    report.findings(&plumb_project::findings(project, ran.iter().copied(), &sources), &sources);
    let n_targets = project.targets.len();
    let Some(cause) = cause else {
        let summary = match writing {
            Writing::Real => build::summary(project, &ran),
            Writing::InMemory => {
                format!("{} checked: {}", build::counted(ran.len(), "target"), report.counts())
            }
        };
        report.summary(&summary);
        return;
    };
    let n_failed_earlier = (0..n_targets)
        .filter_map(|at| build.result(at))
        .filter(|it| !it.ending.is_done() && ran.iter().all(|run| run.target != it.target))
        .count();
    let what = match writing {
        Writing::Real => Counts::of(&ran).shown(Some(n_targets)),
        Writing::InMemory => {
            format!("{} of {n_targets} targets checked: {}", ran.len(), report.counts())
        }
    };
    let earlier = match n_failed_earlier {
        0 => String::new(),
        n => format!("; {n} failed earlier"),
    };
    report.summary(&format!("{cause}: {what}{earlier}"));
}
