//! Runs a program from a file, and prints its output or its error with frames.

use std::any::Any;
use std::process::ExitCode;

use plumb_source::{SourceKind, Sources, Span, Text};
use plumb_starlark::{Environment, Error, Fragment, Host, Limits, Piece, Program, Thread};

struct Terminal;

impl Host for Terminal {
    #[expect(clippy::print_stdout, reason = "this is a program for the terminal")]
    fn print(&self, message: &Text) {
        println!("{message}");
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a separate program, which reads the file in its argument"
)]
fn main() -> ExitCode {
    let path = std::env::args().nth(1).expect("usage: run FILE");
    let text = std::fs::read(&path).expect("the file can be read");
    let sources = Sources::new();
    let file = sources.add(path, SourceKind::File, text.as_slice().into());
    let end = u32::try_from(text.len()).expect("checked when it was added");
    let span = Some(Span::new(file, 0, end));
    let pieces = [Piece::Code(Fragment { text: &text, span })];
    let result = match Program::compile(&pieces, Environment::standard()) {
        Ok(program) => Thread::new(&Terminal, Limits::default())
            .run(&program)
            .map(|_| ())
            .map_err(|error| vec![error]),
        Err(errors) => Err(errors),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            for error in &errors {
                show(&sources, error);
            }
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "this is a program for the terminal")]
fn show(sources: &Sources, error: &Error) {
    eprintln!("- {}", error.message().shown());
    for frame in error.frames() {
        let Some(span) = frame.span else { continue };
        let source = sources.get(span.file);
        let line = source.line(span.start);
        if let Some(function) = &frame.function {
            eprintln!("    in {function}");
        }
        eprintln!("      {line} | {}", source.line_text(line));
    }
}
