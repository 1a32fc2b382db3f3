//! The common result type of all checks of values.

use std::sync::Arc;

use plumb_diagnostic::{Code, Frame, Severity};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_value::{DataPath, Step};

use crate::{CheckedValue, Constraint, RULE_STOPPED, Shortfall};

/// One value that breaks one rule.
///
/// It never contains the value, which may be secret, unless the author's message contains
/// `{value}`.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The code of the finding.
    pub code: Code,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The path of the value in its document.
    pub path: DataPath,
    /// The position of the document among those that are checked together.
    pub document: usize,
    /// Where the value was written.
    pub origin: Origin,
    /// Where the rule is written: an annotation, or the node of a schema.
    pub rule: Origin,
    /// What a valid value is; empty if that is not described.
    pub required: Message,
    /// How the value differs from the requirement; empty if there is nothing to add.
    pub found: Message,
    /// The facts from which these texts are composed.
    pub cause: Cause,
    /// The message for the reader: the author's own, or the standard one.
    pub message: Message,
    /// Whether the author of the rule wrote the message.
    pub is_worded_by_author: bool,
    /// What the reader can do.
    pub help: Vec<Message>,
    /// The active calls if the rule itself failed, innermost first.
    pub trace: Vec<Frame>,
}

/// A data value that the schema requires (`@schema/required`) is not given.
///
/// The sample in the schema only declares its type: it is not its default. Give the value in a file
/// of data values, with a flag such as `--data-value`, or in the environment.
pub const MISSING_VALUE: Code = Code::new("schema/missing-value");

impl Violation {
    /// A required value that is not given; `subject` is the place of its declaration.
    pub(crate) fn missing(subject: CheckedValue<'_>) -> Self {
        let (required, found) = ("a value to be given", "found none");
        let CheckedValue { key, path, origin, .. } = subject;
        let keys: Option<Vec<&str>> = path
            .steps()
            .iter()
            .map(|step| match step {
                Step::Key(key) => key.as_str().filter(|it| !it.contains('.')),
                Step::OtherKey(..) | Step::Index(_) => None,
            })
            .collect();
        let by_flag =
            keys.map(|it| format!(", for instance with --data-value-yaml {}=…", it.join(".")));
        Self {
            code: MISSING_VALUE,
            severity: Severity::Error,
            message: message!("\"{}\" requires a valid value: {required}; {found}.", plain(key)),
            help: vec![message!(
                "give a value for `{}`{}",
                plain(path),
                plain(by_flag.unwrap_or_default())
            )],
            path: path.clone(),
            document: 0,
            origin,
            rule: origin,
            required: required.into(),
            found: found.into(),
            cause: Cause::Words,
            is_worded_by_author: false,
            trace: Vec::new(),
        }
    }
}

impl Violation {
    /// Masks all values in the words, because the value is never shown.
    #[must_use]
    pub fn concealed(self) -> Self {
        Self {
            required: self.required.concealed(),
            found: self.found.concealed(),
            message: self.message.concealed(),
            help: self.help.iter().map(Message::concealed).collect(),
            cause: Cause::Secret,
            ..self
        }
    }

    /// Returns whether it concerns a value that is never shown.
    pub fn is_secret(&self) -> bool {
        matches!(self.cause, Cause::Secret)
    }

    /// A value that could not be checked, because a limit was reached.
    pub fn stopped(origin: Origin, message: Message) -> Self {
        Self {
            code: RULE_STOPPED,
            severity: Severity::Error,
            path: DataPath::root(),
            document: 0,
            origin,
            rule: Origin::Unknown,
            required: Message::new(),
            found: message.clone(),
            cause: Cause::Words,
            message,
            is_worded_by_author: false,
            help: Vec::new(),
            trace: Vec::new(),
        }
    }
}

/// Why a value is not valid.
#[derive(Clone, Debug)]
pub enum Cause {
    /// There are no facts beyond the texts.
    Words,
    /// The value is secret: there are only texts, and lines that contain it are always masked.
    Secret,
    /// A built-in rule is broken.
    Rule {
        constraint: Arc<Constraint>,
        shortfall: Shortfall,
        /// Whether the author of the rule described a valid value.
        is_described: bool,
    },
    /// A function rejected the value, with this text; empty if it has none.
    Function(Message),
    /// The condition of the rules could not be evaluated.
    Condition(ConditionErrorKind),
}

/// Why a condition (`when=`) is neither true nor false.
#[derive(Clone, Debug)]
pub enum ConditionErrorKind {
    /// The function has this number of parameters.
    Parameters(usize),
    /// The function returned a value of this type.
    Result(&'static str),
    /// The condition failed with this error.
    Raised(Message),
}
