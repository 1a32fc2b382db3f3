//! The diagnostic itself: data, not layout.

use plumb_source::{Message, Span};

use crate::Code;

/// One thing that we say about the user's input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// What was being done, outermost first, such as `Overlaying (in following order: o.yml)`.
    /// Shown in ytt's layout only.
    pub context: Vec<String>,
    /// One line that makes sense alone; further lines are details.
    pub message: Message,
    /// The value that it is about, for those who look for it by its path.
    pub subject: Option<Subject>,
    pub labels: Vec<Label>,
    /// Those of the places that are shown as they are written: they hold rules, not values, which
    /// may be secret.
    pub plain: Vec<Span>,
    /// Where it was raised by template code: the calls under way, innermost first.
    pub trace: Option<Vec<Frame>>,
    /// What ytt says instead of the message.
    pub peer_message: Option<Message>,
    /// What ytt puts before the message: the name of something inside it.
    pub peer_prefix: Option<String>,
    /// The remedy that ytt names too, in its words.
    pub hint: Option<String>,
    /// What to do, in our words.
    pub help: Vec<Message>,
}

/// A value that is not what it must be; never the value itself, which may be secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The file that would hold it, where that is not one that was read.
    pub file: Option<String>,
    /// Where it is in its document; empty for the whole of it.
    pub path: String,
    /// What a valid value is. Empty if no one said.
    pub required: Message,
    /// In which way the value is not that. Empty if there is nothing to add.
    pub found: Message,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// A place in a source and what is to be said about it. The first label is the primary one: what
/// the reader should look at first.
#[derive(Clone, Debug)]
pub struct Label {
    pub span: Span,
    pub message: Message,
}

/// A call under way.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The name of the function; none for code that failed before it could run.
    pub function: Option<String>,
    pub place: Place,
}

/// The calls of a trace that are worth showing: code that calls itself without end has very many.
/// Between the two halves, the given number of calls is left out.
pub(crate) fn shown_calls(trace: &[Frame]) -> (&[Frame], usize, &[Frame]) {
    const HALF: usize = 20;
    if trace.len() <= 2 * HALF + 1 {
        return (trace, 0, &[]);
    }
    let (inner, rest) = trace.split_at(HALF);
    let (left_out, outer) = rest.split_at(rest.len() - HALF);
    (inner, left_out.len(), outer)
}

/// Where a [`Frame`] stands.
#[derive(Clone, Debug)]
pub enum Place {
    Source(Span),
    /// In code of the program itself, by its name; ytt has such code in its language.
    Unavailable(&'static str),
    /// Between two lines of the source, in code that no one wrote; ytt shows that code.
    Generated {
        code: String,
        file: String,
        before: Option<Span>,
        after: Option<Span>,
    },
    Unknown,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<Message>) -> Self {
        Self::new(code, Severity::Error, message.into())
    }

    pub fn warning(code: Code, message: impl Into<Message>) -> Self {
        Self::new(code, Severity::Warning, message.into())
    }

    fn new(code: Code, severity: Severity, message: Message) -> Self {
        Self {
            code,
            severity,
            context: Vec::new(),
            message,
            subject: None,
            labels: Vec::new(),
            plain: Vec::new(),
            trace: None,
            peer_message: None,
            peer_prefix: None,
            hint: None,
            help: Vec::new(),
        }
    }

    /// Adds a place; the first one added is the primary one.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<Message>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds the place of something, such as its origin, if it is known.
    #[must_use]
    pub fn at(self, place: impl Into<Option<Span>>, message: impl Into<Message>) -> Self {
        match place.into() {
            Some(span) => self.label(span, message),
            None => self,
        }
    }

    /// As [`Diagnostic::label`], for a place that holds no value: its lines are shown as they are.
    #[must_use]
    pub fn plain_label(mut self, span: Span, message: impl Into<Message>) -> Self {
        self.plain.push(span);
        self.label(span, message)
    }

    /// The message in ytt's words.
    pub fn in_peer_words(&self) -> &Message {
        self.peer_message.as_ref().unwrap_or(&self.message)
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<Message>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Says what was being done when this came up; called on the way out, innermost first.
    #[must_use]
    pub fn within(mut self, context: impl Into<String>) -> Self {
        self.context.insert(0, context.into());
        self
    }
}
