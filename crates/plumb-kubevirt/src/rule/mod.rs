//! Rules for virtual machines, as their author wrote them.
//!
//! The author of a template writes JSON in an annotation. [`Rules::parse`] turns it into [`Rule`]s
//! and reports what is wrong with it. Every part has its byte range in the annotation.

mod bound;
mod cache;
mod draft;
mod error;
mod parse;
mod path;
mod value;

use std::ops::Range;
use std::sync::Arc;

use plumb_diagnostic::pretty::Values;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};

pub(crate) use bound::{Bound, Limit};
pub use cache::RulesCache;
pub(crate) use draft::{KEYS, KINDS};
pub use error::{RuleError, RuleErrorKind};
pub(crate) use path::RulePath;

use crate::pattern::Pattern;

/// The rules of one annotation.
#[derive(Debug)]
pub struct Rules {
    /// The text of the annotation.
    pub(crate) text: Arc<str>,
    /// Where the annotation is written.
    pub(crate) origin: Origin,
    pub(crate) entries: Vec<Entry>,
    /// Why none of the rules can be used. One rule that cannot be understood makes all of them
    /// unusable: otherwise, a part of the rules would be skipped without notice.
    pub(crate) unusable: Vec<RuleError>,
}

/// An element of the annotation and what was read from it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub name: String,
    /// The name, or the whole rule if it has no name: the place to point at.
    pub at: Range<usize>,
    /// The path as written, without its prefix; for reports.
    pub field: String,
    pub message: String,
    pub just_warning: bool,
    /// The errors in the rule itself.
    pub rule_errors: Vec<RuleError>,
    /// Hints for the author about parts that are not errors.
    pub notes: Vec<Note>,
    /// The rule. `None` if it cannot be applied or has an unknown kind.
    pub rule: Option<Rule>,
}

/// Something in a rule that its author may have intended differently.
#[derive(Debug)]
pub(crate) struct Note {
    pub kind: NoteKind,
    pub at: Range<usize>,
    pub message: Message,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteKind {
    /// A part of the rule has no effect.
    Ignored,
    /// The rule is accepted, but its author may mean something else.
    Doubtful,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub path: RulePath,
    /// The rule does not apply unless this condition is met.
    pub guard: Option<Guard>,
    pub constraint: Constraint,
}

/// The `valid` of a rule.
#[derive(Debug)]
pub(crate) enum Guard {
    /// The rule does not apply unless the path leads to an existing value.
    Path(RulePath),
    /// The path leads to a field that always exists, because it has a default. The rule therefore
    /// always applies.
    Defaulted,
}

impl Guard {
    pub(super) fn new(path: RulePath) -> Self {
        let names = path.template.plain_path();
        let is_defaulted = names.is_some_and(|names| {
            DEFAULTED.iter().any(|field| field.split('.').eq(names.iter().copied()))
        });
        if is_defaulted { Self::Defaulted } else { Self::Path(path) }
    }
}

/// The fields that have defaults according to the format, as paths from the virtual machine. A `*`
/// is every element of a list.
const DEFAULTED: [&str; 14] = [
    "spec.template.spec.domain.cpu.sockets",
    "spec.template.spec.domain.cpu.cores",
    "spec.template.spec.domain.cpu.threads",
    "spec.template.spec.domain.machine.type",
    "spec.template.spec.domain.devices.disks.*.serial",
    "spec.template.spec.domain.devices.disks.*.cache",
    "spec.template.spec.domain.devices.disks.*.io",
    "spec.template.spec.domain.devices.disks.*.tag",
    "spec.template.spec.domain.devices.interfaces.*.model",
    "spec.template.spec.domain.devices.interfaces.*.macAddress",
    "spec.template.spec.domain.devices.interfaces.*.pciAddress",
    "spec.template.spec.domain.devices.interfaces.*.tag",
    "spec.template.spec.domain.devices.interfaces.*.ports.*.protocol",
    "spec.template.spec.domain.devices.interfaces.*.ports.*.port",
];

/// The kinds of rules. The enum is closed on purpose: the annotation format has exactly these
/// kinds.
#[derive(Debug)]
pub(crate) enum Constraint {
    Integer {
        min: Option<Bound>,
        max: Option<Bound>,
    },
    String {
        min_length: Option<Bound>,
        max_length: Option<Bound>,
    },
    Enum(Vec<Choice>),
    /// The pattern, and the string that contains it.
    Regex(Pattern, Range<usize>),
    /// A path to the pattern.
    RegexAt(RulePath),
}

/// A value that an `enum` rule allows.
#[derive(Debug)]
pub(crate) enum Choice {
    Literal(Box<str>),
    Path(Box<RulePath>),
}

impl Note {
    fn ignored(at: Range<usize>, message: impl Into<Message>) -> Self {
        Self { kind: NoteKind::Ignored, at, message: message.into() }
    }

    fn doubtful(at: Range<usize>, message: impl Into<Message>) -> Self {
        Self { kind: NoteKind::Doubtful, at, message: message.into() }
    }
}

impl Entry {
    pub(crate) fn title(&self) -> Message {
        match self.name.as_str() {
            "" => "a rule without a name".into(),
            name => message!("rule `{}`", plain(name)),
        }
    }

    /// The author's message, followed by `more`.
    pub(crate) fn message_with(&self, more: &Message) -> Message {
        message!("{}: {more}", plain(&self.message))
    }

    /// The author's message, or the name of a rule that has none, followed by what is wrong with
    /// the rule. If values are shown, it is in the validator's words.
    pub(crate) fn error_message(&self, rule_error: &RuleError, values: Values) -> Message {
        match values {
            Values::Shown => self.message_with(&rule_error.message),
            Values::Masked if self.message.is_empty() => {
                message!("{}: {}", self.title(), rule_error.words())
            }
            Values::Masked => self.message_with(rule_error.words()),
        }
    }

    /// The errors in the rule itself, including its pattern.
    pub(crate) fn all_errors(&self) -> impl Iterator<Item = RuleError> {
        let pattern = self.rule.as_ref().and_then(Rule::malformed_pattern);
        self.rule_errors.iter().cloned().chain(pattern)
    }
}

impl Rule {
    /// The error of a pattern that does not compile. It is found when the rule is applied, or here.
    fn malformed_pattern(&self) -> Option<RuleError> {
        let Constraint::Regex(pattern, at) = &self.constraint else { return None };
        let message = pattern.compiled().err()?;
        Some(RuleError::new(RuleErrorKind::Regex, at.clone(), plain(message)))
    }
}

impl Rules {
    /// All errors in the rules themselves, with the names of the rules.
    pub(crate) fn rule_errors(&self) -> Vec<(&str, RuleError)> {
        let unusable = self.unusable.iter().map(|rule_error| ("", rule_error.clone()));
        let rule_errors = self.entries.iter().flat_map(|entry| {
            entry.all_errors().map(|rule_error| (entry.name.as_str(), rule_error))
        });
        unusable.chain(rule_errors).collect()
    }

    /// The line and the column of bytes of the annotation, counted from 1.
    pub(crate) fn line_and_column(&self, at: &Range<usize>) -> (usize, usize) {
        let before = self.text.get(..at.start).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The number of rules in the annotation.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the annotation contains no rules.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
