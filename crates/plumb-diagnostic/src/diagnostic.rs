//! Diagnostics as data, without a layout.

use std::any::Any;

use plumb_source::{Message, Sources, Span};

use crate::{Code, Facts, Literals};

/// One finding about the user's input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// Whether it makes a run fail.
    pub severity: Severity,
    /// What was being done, outermost first. Our own report does not show them: it shows places
    /// instead.
    pub activities: Vec<Facts>,
    /// One line that makes sense alone; further lines are details.
    pub message: Message,
    /// The value that the finding is about, for tools that look it up by its path.
    pub subject: Option<Subject>,
    /// The places that it is about, the most important one first.
    pub labels: Vec<Label>,
    /// The labelled places that are shown as written: they contain rules, not values that may be
    /// secret.
    pub plain: Vec<Span>,
    /// The labelled place of a rule. `None` if all labelled places are values.
    pub rule: Option<Span>,
    /// If template code raised the finding: the active calls, innermost first.
    pub trace: Option<Vec<Frame>>,
    /// What the stage knows, for renderers that do not use the message's words.
    pub facts: Option<Facts>,
    /// What to do.
    pub help: Vec<Message>,
    /// The targets of a project that it was found in; empty if there is no project.
    pub targets: Vec<String>,
    /// The test that it was found in.
    pub test: Option<String>,
    /// How a value differs from the expected one; empty if nothing is compared.
    pub diff: Vec<DiffLine>,
    /// Whether lines of source are masked even if values are shown: they contain a value that the
    /// schema marks as secret.
    pub is_secret: bool,
}

/// One line of a comparison.
#[derive(Clone, Debug)]
pub struct DiffLine {
    /// Which of the two values it is part of.
    pub side: Side,
    /// The line, without a sign.
    pub text: Message,
    /// The origin of a value that was found.
    pub place: Option<Span>,
}

/// Which of two values a line is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is in both.
    Both,
    /// It is only in the expected value.
    Expected,
    /// It is only in the value that was found.
    Found,
}

impl Side {
    /// The sign before a line.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Both => " ",
            Self::Expected => "-",
            Self::Found => "+",
        }
    }
}

/// A value that is not valid. It never contains the value itself, which may be secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The file that should contain the value, if it is not a file that was read.
    pub file: Option<String>,
    /// The path of the value in its document; empty for the whole document.
    pub path: String,
    /// What a valid value is. Empty if that is not known.
    pub required: Message,
    /// How the value differs from that. Empty if there is nothing to add.
    pub found: Message,
}

/// Whether a finding ends the run or is only reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run goes on, and its result is used.
    Warning,
    /// The run fails.
    Error,
}

/// A place in a source and a note about it. The first label is the primary one: the reader should
/// look there first.
#[derive(Clone, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; empty if the message of the finding says it.
    pub message: Message,
}

/// An active call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The name of the function; `None` for code that failed before it could run.
    pub function: Option<String>,
    /// Where the call is, or what is known instead.
    pub place: FramePlace,
}

/// Returns the calls of a trace to show, in two halves, and how many calls are left out between
/// them: endless recursion has very many.
pub fn shown_calls(trace: &[Frame]) -> (&[Frame], usize, &[Frame]) {
    const HALF: usize = 20;
    if trace.len() <= 2 * HALF + 1 {
        return (trace, 0, &[]);
    }
    let (inner, rest) = trace.split_at(HALF);
    let (left_out, outer) = rest.split_at(rest.len() - HALF);
    (inner, left_out.len(), outer)
}

/// The place of a [`Frame`].
#[derive(Clone, Debug)]
pub enum FramePlace {
    /// In a source.
    Source(Span),
    /// In built-in code with this name, which ytt implements in the template language.
    Unavailable(&'static str),
    /// In code between two lines of the source that nobody wrote; ytt shows that code.
    Generated {
        /// The code.
        code: String,
        /// The name of the file.
        file: String,
        /// The last place in the source before the code.
        before: Option<Span>,
        /// The first place in the source after the code.
        after: Option<Span>,
    },
    /// Nothing is known.
    Unknown,
}

impl Diagnostic {
    /// An error without a place. Add one with [`Diagnostic::label`] or [`Diagnostic::at`].
    pub fn error(code: Code, message: impl Into<Message>) -> Self {
        Self::new(code, Severity::Error, message.into())
    }

    /// A warning without a place. Add one with [`Diagnostic::label`] or [`Diagnostic::at`].
    pub fn warning(code: Code, message: impl Into<Message>) -> Self {
        Self::new(code, Severity::Warning, message.into())
    }

    fn new(code: Code, severity: Severity, message: Message) -> Self {
        Self {
            code,
            severity,
            activities: Vec::new(),
            message,
            subject: None,
            labels: Vec::new(),
            plain: Vec::new(),
            rule: None,
            trace: None,
            facts: None,
            help: Vec::new(),
            targets: Vec::new(),
            test: None,
            diff: Vec::new(),
            is_secret: false,
        }
    }

    /// Adds a place. The first one added is the primary one.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<Message>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds the place of something, such as its origin. Does nothing if the place is `None`.
    #[must_use]
    pub fn at(self, place: impl Into<Option<Span>>, message: impl Into<Message>) -> Self {
        match place.into() {
            Some(span) => self.label(span, message),
            None => self,
        }
    }

    /// Like [`Diagnostic::label`], for a place that contains no value: its lines are shown without
    /// masks.
    #[must_use]
    pub fn plain_label(mut self, span: Span, message: impl Into<Message>) -> Self {
        self.plain.push(span);
        self.label(span, message)
    }

    /// Attaches what the stage knows: see [`Facts`].
    #[must_use]
    pub fn with_facts(mut self, facts: impl Any + Send + Sync) -> Self {
        self.facts = Some(Facts::new(facts));
        self
    }

    /// Adds a sentence about what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<Message>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Shows the values in its messages that are literals in the code near a label: the author of
    /// that code wrote them.
    pub fn reveal_literals(&mut self, sources: &Sources) {
        let spans: Vec<Span> = self.labels.iter().map(|it| it.span).collect();
        self.reveal_literals_near(spans, sources);
    }

    /// Like [`Diagnostic::reveal_literals`], for code at these places.
    pub fn reveal_literals_near(
        &mut self,
        places: impl IntoIterator<Item = Span>,
        sources: &Sources,
    ) {
        if !self.has_values() {
            return;
        }
        for span in places {
            let literals = Literals::near(span, sources);
            let labels = self.labels.iter_mut().map(|it| &mut it.message);
            for message in labels.chain(&mut self.help).chain([&mut self.message]) {
                message.reveal(|value| literals.has(value));
            }
        }
    }

    fn has_values(&self) -> bool {
        let labels = self.labels.iter().map(|it| &it.message);
        labels.chain(&self.help).chain([&self.message]).any(Message::has_values)
    }

    /// Adds what was being done when this happened. Add the innermost activity first: a caller adds
    /// its own after the functions that it calls.
    #[must_use]
    pub fn within(mut self, activity: impl Any + Send + Sync) -> Self {
        self.activities.insert(0, Facts::new(activity));
        self
    }
}
