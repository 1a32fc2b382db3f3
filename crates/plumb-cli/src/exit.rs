//! How a run ended, and the number that says so.

use std::process::ExitCode;

use crate::Name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Fine,
    /// Something is wrong with the input, or with what the machine let us do.
    Findings,
    /// The command line was used wrongly.
    Misuse,
    /// Something is wrong with us.
    Bug,
}

impl Exit {
    pub(crate) fn code(self, name: Name) -> ExitCode {
        ExitCode::from(match (self, name) {
            (Self::Fine, _) => 0,
            (Self::Findings, _) | (_, Name::Ytt | Name::Jk) => 1,
            (Self::Misuse, Name::Plumb) => 2,
            (Self::Bug, Name::Plumb) => 3,
        })
    }
}
