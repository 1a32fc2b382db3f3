//! The common parts of answers: the report, and texts.

use std::path::Path;
use std::sync::Arc;

use plumb::{Diagnostic, Failure, Outcome, Severity, Sources};
use plumb_report::{Ending, Finding, Run};
use serde_json::Value;

/// The working directory of the files, which all paths in findings are relative to.
const HERE: &str = "/work";

/// The findings of a run, with the texts that they point into.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) sources: Arc<Sources>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl Found {
    /// Separates the findings from the result.
    pub(crate) fn of<T>(outcome: Outcome<T>) -> (Self, Option<T>) {
        let Outcome { sources, warnings, result, .. } = outcome;
        let mut found = Self { sources, findings: warnings };
        let result = found.keep(result);
        (found, result)
    }

    /// Keeps the findings of a failure.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(failure) => {
                self.findings.extend_from_slice(failure.findings());
                None
            }
        }
    }

    /// The report that `plumb --report=json` writes.
    pub(crate) fn report(&self) -> Value {
        let here = Path::new(HERE);
        let findings = self.findings.iter().map(|it| Finding::new(it, &self.sources, here));
        let is_wrong = self.findings.iter().any(|it| it.severity == Severity::Error);
        let run = Run {
            version: env!("CARGO_PKG_VERSION"),
            command: "",
            ending: if is_wrong { Ending::Findings } else { Ending::Fine },
            findings: findings.collect(),
            suites: Vec::new(),
        };
        serde_json::from_str(&plumb_report::json::render(&run)).expect("a report is JSON")
    }
}

/// Output as a JavaScript string.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
