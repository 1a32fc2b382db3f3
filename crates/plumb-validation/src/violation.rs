//! The one type that every judgement of a value ends in.

use plumb_diagnostic::{Code, Frame, Severity};
use plumb_source::Origin;
use plumb_value::{DataPath, Step};

use crate::Subject;

/// One value that is not what it must be.
///
/// It never holds the value, which may be secret; only an author's message that asks for
/// `{value}` has it in its text.
#[derive(Clone, Debug)]
pub struct Violation {
    pub code: Code,
    pub severity: Severity,
    /// Where the value is in its document.
    pub path: DataPath,
    /// Where the value came from.
    pub origin: Origin,
    /// Where the rule is written: an annotation, or the node of a schema.
    pub rule: Origin,
    /// What a valid value is. Empty if no one said.
    pub required: Words,
    /// In which way the value is not that. Empty if there is nothing to add.
    pub found: Words,
    /// The message for the reader: the author's own, or the one that all rules share.
    pub message: String,
    /// Whether the author of the rule worded the message.
    pub is_worded_by_author: bool,
    pub help: Vec<String>,
    /// The calls under way when a rule went wrong by itself, innermost first.
    pub trace: Vec<Frame>,
}

/// A data value that the schema requires (`@schema/required`) is not given.
///
/// The sample in the schema says what type it has, and is not its default. Give the value in a file of
/// data values, with a flag such as `--data-value`, or in the environment.
pub const MISSING_VALUE: Code = Code::new("schema/missing-value");

impl Violation {
    /// A value that must be given and is not; `subject` says where it is declared.
    pub(crate) fn missing(subject: Subject<'_>) -> Self {
        let (required, found) = ("a value to be given", "found none");
        let Subject { key, path, origin, .. } = subject;
        let keys: Option<Vec<&str>> = path
            .steps()
            .iter()
            .map(|step| match step {
                Step::Key(key) => key.as_str().filter(|it| !it.contains('.')),
                Step::Index(_) => None,
            })
            .collect();
        let by_flag =
            keys.map(|it| format!(", for instance with --data-value-yaml {}=…", it.join(".")));
        Self {
            code: MISSING_VALUE,
            severity: Severity::Error,
            message: format!("\"{key}\" requires a valid value: {required}; {found}."),
            help: vec![format!("give a value for `{path}`{}", by_flag.unwrap_or_default())],
            path: path.clone(),
            origin,
            rule: origin,
            required: required.into(),
            found: found.into(),
            is_worded_by_author: false,
            trace: Vec::new(),
        }
    }
}

/// A phrase in Plumb's words, and in ytt's where its users expect those.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    pub own: String,
    pub peer: Option<String>,
}

impl Words {
    pub fn new(own: impl Into<String>, peer: impl Into<String>) -> Self {
        Self { own: own.into(), peer: Some(peer.into()) }
    }

    /// As ytt would say it.
    pub fn as_peer(&self) -> &str {
        self.peer.as_deref().unwrap_or(&self.own)
    }
}

impl From<String> for Words {
    fn from(own: String) -> Self {
        Self { own, peer: None }
    }
}

impl From<&str> for Words {
    fn from(own: &str) -> Self {
        own.to_owned().into()
    }
}
