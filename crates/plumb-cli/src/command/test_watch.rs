//! `plumb test --watch`: runs tests again whenever something changes that they depend on.
//!
//! Directories are searched for files with tests, but a change in one of them matters only if the
//! search then finds other files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::{Failure, World};
use plumb_project::{Change, Recorder};

use super::test::Wanted;
use super::watch::{self, Dependent};
use crate::args::UsageError;
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn run(
    report: &Report,
    world: &Arc<dyn World>,
    wanted: &Wanted,
) -> Result<Exit, UsageError> {
    if wanted.flags.updates {
        return Err(UsageError {
            message: "--update cannot be combined with --watch: each change would be accepted immediately".into(),
            help: Some("run `plumb test --update` when you intend to change a snapshot".into()),
        });
    }
    let tests = Tests::new(world, wanted);
    Ok(watch::repeat(report, tests, |tests, cause| {
        let Tests { running, found, .. } = tests;
        running.run(|world| wanted.run(report, world, found, cause));
    }))
}

/// Files with tests, and what they depend on.
struct Tests<'a> {
    wanted: &'a Wanted,
    finding: Recorder,
    running: Recorder,
    found: Result<Vec<PathBuf>, Failure>,
}

impl<'a> Tests<'a> {
    fn new(world: &Arc<dyn World>, wanted: &'a Wanted) -> Self {
        let mut finding = Recorder::new(Arc::clone(world));
        let found = finding.run(|world| wanted.find(&**world));
        Self { wanted, finding, running: Recorder::new(Arc::clone(world)), found }
    }
}

impl Dependent for Tests<'_> {
    fn paths(&self) -> Vec<&Path> {
        self.finding.paths().into_iter().chain(self.running.paths()).collect()
    }

    fn change(&mut self, change: &Change) -> Vec<PathBuf> {
        let mut changed = self.running.change(change);
        let places = self.finding.change(change);
        if !places.is_empty() {
            let wanted = self.wanted;
            let found = self.finding.run(|world| wanted.find(&**world));
            if found.as_ref().ok() != self.found.as_ref().ok() {
                changed.extend(places);
            }
            self.found = found;
        }
        changed.sort();
        changed.dedup();
        changed
    }
}
