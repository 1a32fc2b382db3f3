//! The findings of one run.

use std::path::PathBuf;

use plumb_diagnostic::Severity;

use crate::Finding;

/// A run of the program and its findings.
#[derive(Clone, Debug)]
pub struct Run {
    pub version: &'static str,
    /// The command, such as `check`; empty for the main one.
    pub command: &'static str,
    pub ending: Ending,
    pub findings: Vec<Finding>,
    /// The suites of tests that were run.
    pub suites: Vec<TestSuite>,
}

/// A suite of tests.
#[derive(Clone, Debug)]
pub struct TestSuite {
    pub name: String,
    pub file: PathBuf,
    pub tests: Vec<Test>,
}

/// One test. It passed if it has no failures.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    /// Its line in the file.
    pub line: Option<u32>,
    pub failures: Vec<Finding>,
}

/// How a run ended, better endings first. The set is closed: each ending has its own exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Fine,
    Findings,
    UsageError,
    Bug,
}

impl Ending {
    /// The ending with this name in reports. Returns `None` for other words.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        [Self::Fine, Self::Findings, Self::UsageError, Self::Bug]
            .into_iter()
            .find(|it| it.as_str() == word)
    }

    /// The worse one of two endings.
    pub(crate) fn worse(self, other: Self) -> Self {
        self.max(other)
    }

    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Findings => "findings",
            Self::UsageError => "misuse",
            Self::Bug => "bug",
        }
    }
}

impl Run {
    /// The number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|it| it.severity == severity).count()
    }
}
