//! `plumb version`

use super::{Command, flags_alone};
use crate::Name;
use crate::args::UsageError;
use crate::exit::Exit;
use crate::report::Report;

/// The version of jk that Plumb is compatible with.
const JK_VERSION: &str = "0.4.0";

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let flags = flags_alone::<()>(report, Command::Version, arguments, &[])?;
    Ok(match flags {
        Ok(()) => show(report),
        Err(exit) => exit,
    })
}

pub(super) fn show(report: &Report) -> Exit {
    let line = match report.name() {
        Name::Plumb => format!("plumb {}\n", env!("CARGO_PKG_VERSION")),
        Name::Ytt => format!("ytt version {}\n", plumb::YTT_VERSION),
        Name::Jk => format!("version: {JK_VERSION}\n"),
    };
    report.print(line.as_bytes())
}
