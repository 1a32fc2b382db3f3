//! Collects the pieces of a program.

use std::borrow::Cow;

use plumb_diagnostic::Diagnostic;
use plumb_source::{FileId, Span, Text, room};
use plumb_starlark::{Effect, Fragment, Instruction, Operands, Piece};

use crate::directive::Snippet;
use crate::program::{Operation, Plan};
use crate::text::Part;

/// The pieces of a program, and the plan that its instructions refer to.
#[derive(Default)]
pub(crate) struct Compiled<'a> {
    pub(crate) plan: Plan,
    pub(crate) code: Vec<CodePiece<'a>>,
    /// Annotations without effect, and their places.
    pub(crate) drops: Vec<(Span, Diagnostic)>,
    /// Whether a node has an `@output/comment`.
    pub(crate) computes_comments: bool,
}

/// A piece of the program that owns its code.
pub(crate) enum CodePiece<'a> {
    Code(Excerpt<'a>),
    Instruction { number: u32, span: Option<Span>, operands: CodeOperands<'a>, effect: Effect },
}

pub(crate) enum CodeOperands<'a> {
    None,
    Value(Excerpt<'a>),
    Arguments(Excerpt<'a>),
}

/// Code and its place. If both have the same length, its bytes are those of the span.
#[derive(Clone)]
pub(crate) struct Excerpt<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) span: Option<Span>,
}

impl<'a> Compiled<'a> {
    /// Adds the instructions that build a text, whose source is `file`.
    pub(super) fn text(&mut self, parts: &[Part<'a>], file: FileId, start: Effect) {
        let place = |start: usize, length: usize| {
            let start = u32::try_from(start).expect("inside its source");
            let end = start + u32::try_from(length).expect("inside its source");
            Span::new(file, start, end)
        };
        self.instruction(Operation::StartText, None, CodeOperands::None, start);
        for part in parts {
            match *part {
                Part::Text { text, start } => {
                    let span = place(start, text.len());
                    let operation = Operation::AddText(Text::from_bytes(text), span);
                    let operands = CodeOperands::None;
                    self.instruction(operation, Some(span), operands, Effect::BuildsAlone);
                }
                Part::Value { code, start } => {
                    let span = place(start, code.len());
                    let excerpt = Excerpt { text: Cow::Borrowed(code), span: Some(span) };
                    let operands = CodeOperands::Value(excerpt);
                    let operation = Operation::AddTextValue(span);
                    self.instruction(operation, Some(span), operands, Effect::BuildsAlone);
                }
                Part::Code { code, start } => {
                    let span = Some(place(start, code.len()));
                    self.code.push(CodePiece::Code(Excerpt { text: Cow::Borrowed(code), span }));
                }
            }
        }
    }

    pub(super) fn end(&mut self) {
        self.instruction(Operation::End, None, CodeOperands::None, Effect::None);
    }

    pub(super) fn instruction(
        &mut self,
        operation: Operation,
        span: Option<Span>,
        operands: CodeOperands<'a>,
        effect: Effect,
    ) {
        let number = self.plan.add_operation(operation);
        let piece = CodePiece::Instruction { number, span, operands, effect };
        room::push(&mut self.code, piece);
    }
}

impl CodePiece<'_> {
    /// Converts the piece for the language, with instructions numbered from `first_op` on.
    pub(crate) fn piece(&self, first_op: u32) -> Piece<'_> {
        match self {
            Self::Code(excerpt) => Piece::Code(excerpt.fragment()),
            Self::Instruction { number, span, operands, effect } => Piece::Host(Instruction {
                op: first_op + *number,
                span: *span,
                operands: match operands {
                    CodeOperands::None => Operands::None,
                    CodeOperands::Value(excerpt) => Operands::Value(excerpt.fragment()),
                    CodeOperands::Arguments(excerpt) => Operands::Arguments(excerpt.fragment()),
                },
                effect: *effect,
            }),
        }
    }
}

impl Excerpt<'_> {
    fn fragment(&self) -> Fragment<'_> {
        Fragment { text: &self.text, span: self.span }
    }
}

impl<'a> From<Snippet<'a>> for Excerpt<'a> {
    fn from(snippet: Snippet<'a>) -> Self {
        Self { text: Cow::Borrowed(snippet.text), span: Some(snippet.span) }
    }
}
