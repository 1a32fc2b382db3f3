//! One block of the manual: statements, and expressions that see them.

use std::any::Any;
use std::cell::RefCell;
use std::fmt::Write as _;

use plumb_source::{SourceKind, Sources, Span, Text};
use plumb_starlark::{
    Args, Effect, Environment, Error, Fragment, Host, Instruction, Limits, Operands, Piece,
    Program, Result, Thread, Value,
};

/// The instructions of a session.
const SHOW: u32 = 0;
const END: u32 = 1;

#[derive(Default)]
pub(crate) struct Session {
    statements: Vec<String>,
}

/// Shows the value of an instruction, and what was printed before it.
#[derive(Default)]
struct Reader {
    shown: RefCell<String>,
}

impl Host for Reader {
    fn instruction(&self, _: &mut Thread<'_>, op: u32, args: &Args<'_>) -> Result<Value> {
        if op == END {
            return Ok(Value::None);
        }
        let value = args.get(0).cloned().unwrap_or_default();
        self.print(&value.repr()?);
        Ok(Value::None)
    }

    fn print(&self, message: &Text) {
        let mut shown = self.shown.borrow_mut();
        shown.push_str(&message.to_string());
        shown.push('\n');
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Session {
    pub(crate) fn statement(&mut self, line: &str) {
        self.statements.push(line.to_owned());
    }

    /// The result of an expression, as the manual shows it.
    pub(crate) fn evaluate(&self, expression: &str) -> String {
        let sources = Sources::new();
        let mut text = self.statements.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(expression);
        let file = sources.add("manual", SourceKind::File, text.as_bytes().into());
        let fragment = |from: usize, to: usize| Fragment {
            text: &text.as_bytes()[from..to],
            span: Some(Span::new(file, at(from), at(to))),
        };
        let mut pieces = Vec::new();
        let mut from = 0;
        for line in &self.statements {
            pieces.push(Piece::Code(fragment(from, from + line.len())));
            from += line.len() + 1;
        }
        let value = fragment(start, text.len());
        pieces.push(Piece::Host(Instruction {
            op: SHOW,
            span: value.span,
            operands: Operands::Value(value),
            effect: Effect::None,
        }));
        // As in a template, something always follows.
        let (operands, effect) = (Operands::None, Effect::None);
        pieces.push(Piece::Host(Instruction { op: END, span: None, operands, effect }));
        let reader = Reader::default();
        let result = Program::compile(&pieces, Environment::standard()).and_then(|program| {
            let mut thread = Thread::new(&reader, Limits::default());
            thread.run(&program).map_err(|error| vec![error])
        });
        let mut shown = reader.shown.into_inner();
        for error in result.err().into_iter().flatten() {
            shown.push_str(&show(&sources, &error));
        }
        shown
    }
}

fn at(offset: usize) -> u32 {
    u32::try_from(offset).expect("cases are short")
}

fn show(sources: &Sources, error: &Error) -> String {
    let mut shown = format!("error: {}\n", error.message().shown());
    for frame in error.frames() {
        let Some(span) = frame.span else { continue };
        let line = sources.get(span.file).line(span.start);
        match &frame.function {
            Some(function) => {
                let _ = writeln!(shown, "  line {line} in {function}");
            }
            None => {
                let _ = writeln!(shown, "  line {line}");
            }
        }
    }
    shown
}
