//! `plumb krm`: a function of kustomize or kpt.

use std::path::Path;
use std::sync::Arc;

use plumb::{Code, Diagnostic, Sources, World};

use super::{Command, help};
use crate::args::{self, Parsed, UsageError};
use crate::exit::Exit;
use crate::report::Report;
use plumb::native::NativeWorld;
use plumb_source::message::plain;

/// A list of resources cannot be read.
///
/// It is read from standard input, or from the file that was given.
const NOT_READ: Code = Code::new("krm/not-read");

/// The name of standard input in findings.
const STDIN: &str = "stdin.yml";

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { wants_help, extra, .. } = args::parse::<()>(arguments, &[])?;
    if wants_help {
        return Ok(help::show(report, Command::Krm));
    }
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let (name, bytes) = match extra.as_slice() {
        [] => (STDIN, world.stdin()),
        [path] if path == "-" => (STDIN, world.stdin()),
        [path] => (path.as_str(), world.read(Path::new(path))),
        _ => {
            return Err(UsageError {
                message: "krm takes one list of resources".into(),
                help: Some("to name files of the function, use functionConfig".into()),
            });
        }
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            let finding = Diagnostic::error(NOT_READ, plain(error.words()));
            return Ok(report.failure(&finding.into(), &Sources::new()));
        }
    };
    let outcome = plumb::krm(&world, name, &bytes);
    for warning in &outcome.warnings {
        report.warning(warning, &outcome.sources);
    }
    // The findings are also in the list, for the calling program.
    let printed = outcome.printed.map_or(Exit::Fine, |it| report.print(&it));
    Ok(match &outcome.failure {
        Some(failure) => report.failure(failure, &outcome.sources),
        None => printed,
    })
}
