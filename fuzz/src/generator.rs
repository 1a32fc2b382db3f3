//! Runs scripts in an in-memory world, with little time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumb_generate::{
    Action, Clock, Console, Dialect, EngineMemory, Limits, Parameters, Reporting, Request,
    Surroundings,
};
use plumb_source::{MemoryWorld, Sources};

/// How often the engine may ask whether time is up: it asks about every ten thousand steps.
const PATIENCE: usize = 20;

pub fn request(action: Action) -> Request {
    Request {
        action,
        dialect: Dialect::Plumb,
        parameters: Parameters::default(),
        input_directory: None,
        output_directory: PathBuf::from("out"),
        libraries: Vec::new(),
        validators: Vec::new(),
        native_validators: Vec::new(),
        schema: None,
        limits: Limits { memory: 32 << 20, stack: 1 << 20 },
        clock: Clock::Fixed,
        reporting: Reporting::default(),
    }
}

/// Executes a request, and checks the invariants of all outcomes.
pub fn run(request: Request, world: MemoryWorld) {
    let sources = Arc::new(Sources::new());
    let asked = AtomicUsize::new(0);
    let surroundings = Surroundings {
        world: Arc::new(world),
        console: Arc::new(Silent),
        sources: Arc::clone(&sources),
        stop: Arc::new(move || {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) > PATIENCE;
            is_over.then(|| "out of patience".to_owned())
        }),
        memory: EngineMemory::Freed,
        wording: Clone::clone,
    };
    match plumb_generate::run(request, &surroundings) {
        Ok(outcome) => {
            for report in &outcome.reports {
                report.lines(&sources);
            }
        }
        Err(failure) => {
            assert!(!failure.findings().is_empty(), "a failure has findings");
            for finding in failure.findings() {
                crate::hold(finding, &sources);
            }
        }
    }
}

struct Silent;

impl Console for Silent {
    fn print(&self, _: &[u8]) {}

    fn log(&self, _: &[u8]) {}
}
