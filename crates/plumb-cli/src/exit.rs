//! The exit code of a run.

use std::process::ExitCode;

pub(crate) use plumb_report::Ending as Exit;

use crate::Name;

/// The exit code for a program that was called by this name.
pub(crate) fn code(exit: Exit, name: Name) -> ExitCode {
    ExitCode::from(match (exit, name) {
        (Exit::Fine, _) => 0,
        (Exit::Findings, _) | (_, Name::Ytt | Name::Jk) => 1,
        (Exit::UsageError, Name::Plumb) => 2,
        (Exit::Bug, Name::Plumb) => 3,
    })
}
