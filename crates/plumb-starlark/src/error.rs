//! What can go wrong in a program, and where it was when it did.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_source::{Message, Span};

/// What the functions of this crate, and those that a host adds, give back.
pub type Result<T> = std::result::Result<T, Error>;

/// One thing that went wrong, with the calls that led to it, innermost first.
///
/// A native function makes one with [`Error::new`]; the frames are added on its way out through
/// the functions of the program.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    message: Message,
    kind: ErrorKind,
    frames: Vec<Frame>,
    /// The word that cannot stand where it does.
    word: Option<Span>,
    /// The function that was called with arguments that it does not take.
    callee: Option<Span>,
    detail: Option<Arc<dyn Any + Send + Sync>>,
}

/// Which stage speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not a program.
    Syntax,
    /// A name has no meaning, or a statement stands where it may not.
    Resolve,
    /// An operation failed while the program ran.
    Runtime,
    /// The program itself said so, by `fail`.
    Fail,
    /// The program met one of its [`Limits`](crate::Limits).
    Limit,
}

/// One call that had not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function, `<toplevel>` for the module itself; `None` for errors found before running.
    pub function: Option<String>,
    /// The call or operation that was under way; `None` where the program has no such place.
    pub span: Option<Span>,
    /// Where it is instead of a place: at an instruction of the host that has none.
    pub gap: Option<Gap>,
    /// What it is in instead: a function of the host, by the name of its code.
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

/// Where an error was found before the program ran.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    At(Span),
    In(Gap),
    Unknown,
}

impl Error {
    /// An error of a native function or of an operation.
    pub fn new(message: impl Into<Message>) -> Self {
        Self::of_kind(ErrorKind::Runtime, message)
    }

    pub fn of_kind(kind: ErrorKind, message: impl Into<Message>) -> Self {
        Self::with_frames(kind, Vec::new(), message.into())
    }

    pub fn limit(message: impl Into<Message>) -> Self {
        Self::of_kind(ErrorKind::Limit, message)
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
        Self(Box::new(Inner { message, kind, frames, word: None, callee: None, detail: None }))
    }

    /// The same error, with the word that led to it. The frame of a syntax error is where its
    /// reader stopped: behind that word, often on the next line.
    pub(crate) fn about(mut self, word: Spot) -> Self {
        if let Spot::At(span) = word {
            self.0.word = Some(span);
        }
        self
    }

    /// The word of the program that cannot stand where it does, if the error is about one.
    pub fn word(&self) -> Option<Span> {
        self.0.word
    }

    /// The same error, as one of a call with arguments that the function does not take, which is
    /// defined at `callee`. The first frame is in the function, and the second is the call.
    pub(crate) fn about_call(mut self, callee: Option<Span>) -> Self {
        if self.0.kind == ErrorKind::Runtime {
            self.0.callee = callee;
        }
        self
    }

    /// The place of the call with arguments that the function does not take, if the error is about
    /// one, and of the function.
    pub fn wrong_call(&self) -> Option<(Span, Span)> {
        let callee = self.0.callee?;
        let call = self.0.frames.iter().skip(1).find_map(|frame| frame.span)?;
        Some((call, callee))
    }

    pub fn message(&self) -> &Message {
        &self.0.message
    }

    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The calls that had not returned, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.0.frames
    }

    /// The same error under other words, as natives do that put their name before it. A limit was
    /// met by all calls under way together: it keeps its words.
    #[must_use]
    pub fn map_message(mut self, reword: impl FnOnce(&Message) -> Message) -> Self {
        if self.0.kind != ErrorKind::Limit {
            self.0.message = reword(&self.0.message);
        }
        self
    }

    /// The same error with what a native knows besides its words, for the host to find.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Any + Send + Sync) -> Self {
        self.0.detail = Some(Arc::new(detail));
        self
    }

    /// What the native that raised the error left with it, if that is of this type.
    pub fn detail<T: Any>(&self) -> Option<&T> {
        self.0.detail.as_ref()?.downcast_ref()
    }

    /// The same error out of a function of the host that is shown as a call of its own.
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

/// Makes a runtime error from the parts of a message, as `Err`.
macro_rules! bail {
    ($($format:tt)*) => { return Err($crate::Error::new(plumb_source::message!($($format)*))) };
}
pub(crate) use bail;
