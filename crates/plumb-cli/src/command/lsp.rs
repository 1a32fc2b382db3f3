//! `plumb lsp`: serves an editor, if the program contains the server.

use super::{Command, flags_alone};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

#[derive(Debug, Default)]
pub(super) struct Flags {
    /// Has no effect: standard input and output are the only transport. Many editors pass it.
    is_stdio: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[Spec {
    long: "stdio",
    short: None,
    takes: Takes::Nothing(|flags| &mut flags.is_stdio),
    topic: Topic::Input,
    help: "Use standard input and output, which is the default; many editors pass this flag",
}];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    if let Err(exit) = flags_alone(report, Command::Lsp, arguments, SPECS)? {
        return Ok(exit);
    }
    serve()
}

#[cfg(feature = "lsp")]
#[expect(clippy::unnecessary_wraps, reason = "a program without the server returns an error")]
fn serve() -> Result<Exit, UsageError> {
    use std::sync::Arc;

    let world: Arc<dyn plumb::World> = Arc::new(plumb::native::NativeWorld::default());
    // If the connection is lost, the editor is gone and cannot receive a report.
    Ok(plumb_lsp::serve_stdio(world).map_or(Exit::Findings, |()| Exit::Fine))
}

#[cfg(not(feature = "lsp"))]
fn serve() -> Result<Exit, UsageError> {
    Err(UsageError {
        help: Some("build it with the feature `lsp`, which is on by default".into()),
        .."this program was built without the language server".into()
    })
}
