//! The number that a run ends with.

use std::process::ExitCode;

pub(crate) use plumb_report::Ending as Exit;

use crate::Name;

/// For whoever called the program by this name.
pub(crate) fn code(exit: Exit, name: Name) -> ExitCode {
    ExitCode::from(match (exit, name) {
        (Exit::Fine, _) => 0,
        (Exit::Findings, _) | (_, Name::Ytt | Name::Jk) => 1,
        (Exit::Misuse, Name::Plumb) => 2,
        (Exit::Bug, Name::Plumb) => 3,
    })
}
