//! Runs the manual: every session in `cases/**/*.md`.
//!
//! A `repl` block is a session. Lines after `...` are statements, a line after `>>>` is an
//! expression. Its `repr` follows, or its error with the lines of its frames. An expression only
//! sees the statements above it in its block.

mod session;

use std::process::ExitCode;

use plumb_testkit::Suite;
use session::Session;

fn main() -> ExitCode {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");
    Suite::new().cases("", cases, &["repl"], |_, expectation| replay(&expectation.text)).run()
}

/// The session with its current results.
fn replay(written: &str) -> String {
    let mut actual = String::new();
    let mut session = Session::default();
    for line in written.lines() {
        if let Some(statement) = line.strip_prefix("...") {
            session.statement(statement.strip_prefix(' ').unwrap_or(statement));
            actual.extend([line, "\n"]);
        } else if let Some(expression) = line.strip_prefix(">>> ") {
            actual.extend([line, "\n"]);
            actual.push_str(&session.evaluate(expression));
        }
    }
    actual
}
