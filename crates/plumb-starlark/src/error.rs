//! Errors of a program, and their places.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_source::message::{plain, term};
use plumb_source::{Limit, LimitError, Message, Span, Text, message};

use crate::code_error::CodeErrorKind;
use crate::value_error::ValueError;

/// The result of functions of this crate, and of those that a host adds.
pub type Result<T> = std::result::Result<T, Error>;

/// One error, with the calls that led to it, innermost first.
///
/// A native function creates one with [`Error::new`]; the functions of the program add their frames
/// as the error passes through them.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    message: Message,
    kind: ErrorKind,
    frames: Vec<Frame>,
    /// The unexpected word.
    word: Option<Span>,
    /// The code before the unexpected instruction of the host.
    code_before: Option<Span>,
    /// The function that was called with wrong arguments.
    callee: Option<Span>,
    detail: Option<Arc<dyn Any + Send + Sync>>,
}

/// The stage that reports the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not a program.
    Syntax,
    /// A name is not defined, or a statement is not allowed at its place.
    Resolve,
    /// An operation failed while the program ran.
    Runtime,
    /// The program called `fail`.
    Fail,
    /// The program reached one of its [`Limits`](crate::Limits).
    Limit(Limit),
}

/// An active call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function, `<toplevel>` for the module itself; `None` for errors found before running.
    pub function: Option<String>,
    /// The place of the current call or operation; `None` if the program has no such place.
    pub span: Option<Span>,
    /// For an instruction of the host without a place: the places around it.
    pub gap: Option<Gap>,
    /// For a function of the host: the name of its code.
    pub host: Option<&'static str>,
}

/// An instruction without a place, and the places around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The number of the instruction.
    pub op: u32,
    pub before: Option<Span>,
    pub after: Option<Span>,
}

/// The detail of an error about a `load` that is not closed before an instruction of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionInLoad {
    /// The number of the instruction.
    pub op: u32,
}

/// The detail of an error about an unknown named argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKeyword {
    pub name: Text,
    /// The names of the function's parameters, without those of `*args` and `**kwargs`.
    pub parameters: Vec<Text>,
}

/// The place of an error that was found before the program ran.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    At(Span),
    In(Gap),
    Unknown,
}

impl From<LimitError> for Error {
    fn from(error: LimitError) -> Self {
        Self::limit(error.limit, error.message)
    }
}

impl Error {
    /// An error of a native function or of an operation.
    pub fn new(message: impl Into<Message>) -> Self {
        Self::of_kind(ErrorKind::Runtime, message)
    }

    /// An error with our words for facts that others word in another way.
    pub(crate) fn of_code(words: Message, kind: CodeErrorKind) -> Self {
        Self::new(term(words, kind.clone())).with_detail(kind)
    }

    /// An error about a value of this type that is used as a key. `can_change` says whether it is
    /// one of those whose elements can change.
    pub fn unhashable(found: &'static str, can_change: bool) -> Self {
        Self::new(ValueError::Unhashable { found, can_change })
    }

    /// An error of any kind, still without frames.
    pub fn of_kind(kind: ErrorKind, message: impl Into<Message>) -> Self {
        Self::with_frames(kind, Vec::new(), message.into())
    }

    /// An error for a limit that was reached.
    pub fn limit(limit: Limit, message: impl Into<Message>) -> Self {
        Self::of_kind(ErrorKind::Limit(limit), message)
    }

    /// An error found before running, at one place.
    pub(crate) fn at(kind: ErrorKind, spot: Spot, message: impl Into<Message>) -> Self {
        let (span, gap) = match spot {
            Spot::At(span) => (Some(span), None),
            Spot::In(gap) => (None, Some(gap)),
            Spot::Unknown => (None, None),
        };
        Self::with_frames(
            kind,
            vec![Frame { function: None, span, gap, host: None }],
            message.into(),
        )
    }

    fn with_frames(kind: ErrorKind, frames: Vec<Frame>, message: Message) -> Self {
        let (word, code_before, callee, detail) = (None, None, None, None);
        Self(Box::new(Inner { message, kind, frames, word, code_before, callee, detail }))
    }

    /// Adds the word that caused the error. The frame of a syntax error is the place where the
    /// parser stopped: after that word, often on the next line.
    pub(crate) fn about(mut self, word: Spot) -> Self {
        if let Spot::At(span) = word {
            self.0.word = Some(span);
        }
        self
    }

    /// Returns the unexpected word of the program. Returns `None` if the error is not about a word.
    pub fn word(&self) -> Option<Span> {
        self.0.word
    }

    /// Adds the code before the instruction of the host that caused the error.
    pub(crate) fn after(mut self, code: Option<Span>) -> Self {
        self.0.code_before = code;
        self
    }

    /// Returns the code that ends before an unexpected instruction of the host. Returns `None` if
    /// the error is not about such an instruction.
    pub fn code_before(&self) -> Option<Span> {
        self.0.code_before
    }

    /// Marks the error as one of a call with wrong arguments. The function is defined at `callee`.
    /// The first frame is in the function, and the second is the call.
    pub(crate) fn about_call(mut self, callee: Option<Span>) -> Self {
        if self.0.kind == ErrorKind::Runtime {
            self.0.callee = callee;
        }
        self
    }

    /// Returns the places of a call with wrong arguments and of its function. Returns `None` if the
    /// error is not about such a call.
    pub fn wrong_call(&self) -> Option<(Span, Span)> {
        let callee = self.0.callee?;
        let call = self.0.frames.iter().skip(1).find_map(|frame| frame.span)?;
        Some((call, callee))
    }

    /// Returns the message without the places of the frames.
    pub fn message(&self) -> &Message {
        &self.0.message
    }

    /// Returns the stage that reports the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the limit that was reached. Returns `None` for other errors.
    pub fn reached(&self) -> Option<Limit> {
        match self.0.kind {
            ErrorKind::Limit(limit) => Some(limit),
            ErrorKind::Syntax | ErrorKind::Resolve | ErrorKind::Runtime | ErrorKind::Fail => None,
        }
    }

    /// Returns the active calls, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.0.frames
    }

    /// Changes the message. Native functions use this to put their name before it. The message of a
    /// reached limit is kept, because all active calls reached it together. A [`CodeErrorKind`] is
    /// removed: it belongs to the code of the function.
    #[must_use]
    pub fn map_message(mut self, reword: impl FnOnce(&Message) -> Message) -> Self {
        if !matches!(self.0.kind, ErrorKind::Limit(_)) {
            self.0.message = reword(&self.0.message);
            self.0.detail = self.0.detail.filter(|it| !it.is::<CodeErrorKind>());
        }
        self
    }

    /// Puts the name of the module that could not be loaded before the message.
    pub(crate) fn while_loading(self, module: &Text) -> Self {
        let error = self.map_message(|it| message!("cannot load {}: {it}", plain(module)));
        if error.0.detail.is_some() || matches!(error.0.kind, ErrorKind::Limit(_)) {
            return error;
        }
        error.with_detail(CodeErrorKind::Load { module: module.clone() })
    }

    /// Attaches data of a native function to the error, for the host to retrieve.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Any + Send + Sync) -> Self {
        self.0.detail = Some(Arc::new(detail));
        self
    }

    /// Returns the data attached to the error. Returns `None` if there is none of this type.
    pub fn detail<T: Any>(&self) -> Option<&T> {
        self.0.detail.as_ref()?.downcast_ref()
    }

    /// Adds a frame for a function of the host that is shown as a separate call.
    #[must_use]
    pub fn within(mut self, function: &str, host: &'static str) -> Self {
        let function = Some(function.to_owned());
        self.push_frame(Frame { function, span: None, gap: None, host: Some(host) });
        self
    }

    pub(crate) fn push_frame(&mut self, frame: Frame) {
        self.0.frames.push(frame);
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("frames", &self.0.frames)
            .finish()
    }
}

/// Returns a runtime error, as `Err`, from the parts of a message.
macro_rules! bail {
    ($($format:tt)*) => { return Err($crate::Error::new(plumb_source::message!($($format)*))) };
}
pub(crate) use bail;

/// Lets an error with typed facts be a message, or a part of one: in our words, with the facts.
macro_rules! parts_of_messages {
    ($error:ty) => {
        impl plumb_source::Part for $error {
            fn add_to(&self, message: &mut plumb_source::Message) {
                message.push(&plumb_source::message::term(self.words(), self.clone()));
            }
        }

        impl From<$error> for plumb_source::Message {
            fn from(error: $error) -> Self {
                Self::of(&[&error])
            }
        }
    };
}
pub(crate) use parts_of_messages;
