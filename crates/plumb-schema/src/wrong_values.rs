//! Values in a schema that do not conform to its types: defaults, samples and examples.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Message, Span, message};
use plumb_value::NodeKind;

use crate::compile::{DEFAULT_CONTRADICTION, DEFAULT_MISMATCH, EXAMPLE_MISMATCH};
use crate::malformed::Declares;
use crate::mismatch::{Mismatch, MismatchKind};

/// Values of one node that do not conform to its type.
#[derive(Clone, Debug)]
pub struct WrongValues {
    pub role: Role,
    /// The annotation with the values. For a sample, the annotation that declares the type.
    pub annotation: Option<Span>,
    /// What the node declares.
    pub declares: Declares,
    /// The place of the node.
    pub node: Option<Span>,
    /// Never empty.
    pub mismatches: Vec<Mismatch>,
}

/// What values in a schema are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The value of a node whose type is declared by an annotation. It is the default.
    Sample,
    /// The value of `@schema/default`.
    Default,
    /// The value of `@schema/example`.
    Example,
    /// The values of `@schema/examples`.
    Examples,
}

impl Role {
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Sample => DEFAULT_CONTRADICTION,
            Self::Default => DEFAULT_MISMATCH,
            Self::Example | Self::Examples => EXAMPLE_MISMATCH,
        }
    }
}

impl WrongValues {
    pub(crate) fn findings(&self) -> Vec<Diagnostic> {
        self.mismatches.iter().map(|it| self.finding(it)).collect()
    }

    fn finding(&self, mismatch: &Mismatch) -> Diagnostic {
        let violation = &mismatch.violation;
        let mut diagnostic = Diagnostic::error(self.role.code(), self.message(mismatch));
        diagnostic.is_secret = violation.is_secret();
        let note = message!("expected {}", violation.required);
        let (value, rule) = (violation.origin.span(), violation.rule.span());
        let places: Vec<(Option<Span>, Message)> = match self.role {
            Role::Sample => vec![(value, note), (self.annotation, "declared here".into())],
            Role::Default | Role::Example | Role::Examples => {
                // A value that is written in an annotation has the place of the node.
                let value = value.filter(|it| Some(*it) != self.node);
                vec![
                    (self.annotation, note),
                    (value, "this value".into()),
                    (rule, "declared here".into()),
                ]
            }
        };
        for (span, note) in places {
            diagnostic = diagnostic.at(span, note);
        }
        self.with_help(diagnostic, mismatch)
    }

    fn message(&self, mismatch: &Mismatch) -> Message {
        let subject = self.subject(mismatch);
        match &mismatch.kind {
            MismatchKind::Type { found, declared } => {
                message!("{subject} must be {}, not {}", plain(declared), found.with_article())
            }
            MismatchKind::Key(_) => message!("{subject} is not declared in the schema"),
            MismatchKind::Choice => {
                message!("{subject} must fit {}", mismatch.violation.required)
            }
        }
    }

    fn subject(&self, mismatch: &Mismatch) -> Message {
        let role = match self.role {
            Role::Sample => "value",
            Role::Default => "default",
            Role::Example | Role::Examples => "example",
        };
        let path = &mismatch.violation.path;
        // The path of a sample begins with its key, the path of another value with the value.
        let is_whole = match self.role {
            Role::Sample => path.steps().len() < 2,
            Role::Default | Role::Example | Role::Examples => path.is_root(),
        };
        match (self.role, &self.declares) {
            (Role::Sample, Declares::Document | Declares::Item | Declares::Alternative)
                if is_whole =>
            {
                return self.declares.words();
            }
            _ if is_whole => return message!("the {role} of {}", self.declares.words()),
            _ => {}
        }
        message!("`{}` in the {role} of {}", plain(path), self.declares.words())
    }

    fn with_help(&self, mut diagnostic: Diagnostic, mismatch: &Mismatch) -> Diagnostic {
        diagnostic.help.clone_from(&mismatch.violation.help);
        let is_null = match mismatch.kind {
            MismatchKind::Key(_) if diagnostic.help.is_empty() => {
                return diagnostic.help("remove the key, or declare it in the schema");
            }
            MismatchKind::Key(_) => return diagnostic,
            MismatchKind::Type { found, .. } => found == NodeKind::Null,
            MismatchKind::Choice => false,
        };
        diagnostic.help(match self.role {
            Role::Sample if is_null => "to allow null, add \"null\" to the names in `@schema/type`",
            Role::Sample => "change the value, or the type in the annotation",
            Role::Default if is_null && mismatch.violation.path.is_root() => {
                "to make null the default, write `#@schema/nullable` instead"
            }
            Role::Default => "change the default, or the declared type",
            Role::Example | Role::Examples => "change the example, or the declared type",
        })
    }
}
