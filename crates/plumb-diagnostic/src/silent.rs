//! Input that ytt leaves out without a word.

use crate::{Diagnostic, Severity};

/// What to do about input that has no effect although its author meant it to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SilentDrops {
    #[default]
    Refuse,
    /// Who had ytt before gets the result that ytt gives, and is told.
    Warn,
}

impl SilentDrops {
    /// The finding as what it is to the user: a mistake that ends the run, or a warning.
    pub fn judge(self, mut finding: Diagnostic) -> Result<Diagnostic, Box<Diagnostic>> {
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
