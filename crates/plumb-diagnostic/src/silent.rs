//! Input that ytt drops silently.

use crate::{Diagnostic, Severity};

/// How to report input that has no effect although its author expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SilentDrops {
    /// The run fails.
    #[default]
    Refuse,
    /// Warns and continues with the result that ytt gives, for users who migrate from ytt.
    Warn,
}

impl SilentDrops {
    /// Turns the finding into an error (`Err`), which ends the run, or into a warning (`Ok`).
    pub fn apply(self, mut finding: Diagnostic) -> Result<Diagnostic, Box<Diagnostic>> {
        match self {
            Self::Refuse => {
                finding.severity = Severity::Error;
                Err(Box::new(finding))
            }
            Self::Warn => {
                finding.severity = Severity::Warning;
                Ok(finding)
            }
        }
    }
}
