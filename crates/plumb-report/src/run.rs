//! All that one run found.

use plumb_diagnostic::Severity;

use crate::Finding;

/// A run of the program, for its report.
#[derive(Clone, Debug)]
pub struct Run {
    pub version: &'static str,
    /// The command, such as `check`; empty for the main one.
    pub command: &'static str,
    pub ending: Ending,
    pub findings: Vec<Finding>,
}

/// How a run ended. The set is closed: each has an exit code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Fine,
    Findings,
    Misuse,
    Bug,
}

impl Ending {
    /// Its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Findings => "findings",
            Self::Misuse => "misuse",
            Self::Bug => "bug",
        }
    }
}

impl Run {
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|it| it.severity == severity).count()
    }
}
