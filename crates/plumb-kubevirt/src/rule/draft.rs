//! A rule while its keys are being read, and its conversion into a [`Rule`].

use std::ops::Range;

use plumb_source::message::plain;

use super::bound::Bound;
use super::path::RulePath;
use super::{Choice, Constraint, Guard, Note, Rule, RuleError, RuleErrorKind};
use crate::api::{self, MissingReason};
use crate::jsonpath::JsonPath;
use crate::pattern::Pattern;
use crate::spell;

/// The kinds of rules, and the arguments that each of them uses.
pub(crate) const KINDS: [(&str, &[&str]); 4] = [
    ("integer", &["min", "max"]),
    ("string", &["minLength", "maxLength"]),
    ("regex", &["regex"]),
    ("enum", &["values"]),
];

pub(crate) const KEYS: [&str; 12] = [
    "name",
    "rule",
    "path",
    "message",
    "valid",
    "justWarning",
    "values",
    "min",
    "max",
    "minLength",
    "maxLength",
    "regex",
];

/// A rule while its keys are being read.
#[derive(Default)]
pub(super) struct Draft {
    pub at: Range<usize>,
    pub name: Option<Written>,
    pub kind: Option<Written>,
    pub message: Option<Written>,
    pub regex: Option<Regex>,
    pub path: Option<RulePath>,
    pub guard: Option<RulePath>,
    pub just_warning: bool,
    pub values: Vec<Choice>,
    pub min: Option<Bound>,
    pub max: Option<Bound>,
    pub min_length: Option<Bound>,
    pub max_length: Option<Bound>,
    /// Whether the key is present, even if it is null.
    pub is_named: bool,
    /// The keys that are present, and their places.
    pub keys: Vec<(&'static str, Range<usize>)>,
    pub has_unknown_key: bool,
    pub notes: Vec<Note>,
}

/// The value of `regex`.
pub(super) enum Regex {
    Pattern(Written),
    Path(RulePath),
}

pub(super) struct Written {
    pub text: String,
    pub at: Range<usize>,
}

/// Why a complete rule cannot be applied.
pub(super) enum DraftError {
    RuleError(RuleError),
    Ignored(Note),
}

/// At most this many notes are kept.
const MAX_NOTES: usize = 20;

impl Draft {
    pub(super) fn takes_notes(&self) -> bool {
        self.notes.len() < MAX_NOTES
    }

    pub(super) fn missing_keys(&self, message: &str) -> Vec<&'static str> {
        let is_missing = [
            ("rule", self.kind.as_ref().is_none_or(|kind| kind.text.is_empty())),
            ("name", !self.is_named),
            ("path", self.path.is_none()),
            ("message", message.is_empty()),
        ];
        is_missing.into_iter().filter(|(_, it)| *it).map(|(key, _)| key).collect()
    }

    fn has_empty_regex(&self) -> bool {
        match &self.regex {
            Some(Regex::Pattern(pattern)) => pattern.text.is_empty(),
            Some(Regex::Path(_)) => false,
            None => true,
        }
    }

    /// Adds a note about an empty name.
    pub(super) fn note_empty_name(&mut self) {
        if let Some(name) = self.name.as_ref().filter(|it| it.text.is_empty()) {
            let message = "`name` is empty: give each rule a unique name".to_owned();
            self.notes.push(Note::doubtful(name.at.clone(), plain(message)));
        }
    }

    /// Adds a note about a `valid` that names a misspelt field: the rule would never be applied. An
    /// unknown field that is not a misspelling may come from a later version of the API.
    pub(super) fn note_misspelt_guard(&mut self) {
        let Some(guard) = &self.guard else { return };
        let at_machine = guard.at_machine().and_then(JsonPath::plain_path);
        if at_machine.is_some_and(|path| api::first_missing(&path).is_none()) {
            return;
        }
        let Some(path) = guard.template.plain_path() else { return };
        let meant = match api::first_missing(&path) {
            Some((_, MissingReason::Misspelt(meant))) => format!("`{meant}`"),
            Some((at, MissingReason::Below(holder))) => format!("`.{holder}.{}`", path[at]),
            Some((_, MissingReason::Field | MissingReason::Key)) | None => return,
        };
        let message = format!(
            "no virtual machine has the field of `valid`, so the rule is never applied; did you mean {meant}?"
        );
        self.notes.push(Note::doubtful(guard.at.clone(), plain(message)));
    }

    /// Adds notes about arguments that have no effect, and about limits that exclude every value.
    pub(super) fn note_idle_arguments(&mut self) {
        let kind = self.kind.as_ref().map_or("", |it| it.text.as_str());
        let Some((_, own)) = KINDS.iter().find(|(it, _)| *it == kind) else { return };
        for (key, at) in &self.keys {
            if is_argument(key) && !own.contains(key) {
                let message = format!("`{key}` has no effect in a rule of kind `{kind}`");
                self.notes.push(Note::ignored(at.clone(), plain(message)));
            }
        }
        let ends = match kind {
            "integer" => [(&self.min, "min"), (&self.max, "max")],
            "string" => [(&self.min_length, "minLength"), (&self.max_length, "maxLength")],
            _ => return,
        };
        if let [(Some(Bound::Literal(least)), low), (Some(Bound::Literal(most)), high)] = ends
            && least.excludes_all_up_to(most)
        {
            let at = self.keys.iter().find(|(key, _)| *key == high).map(|(_, at)| at.clone());
            let message = format!("no value is both at least `{low}` and at most `{high}`");
            self.notes.extend(at.map(|at| Note::doubtful(at, plain(message))));
        }
    }

    /// Adds a note that the rule has no effect without its only argument.
    pub(super) fn note_missing_argument(&mut self) {
        let Some(kind) = &self.kind else { return };
        let (key, effect) = match kind.text.as_str() {
            "enum" if self.values.is_empty() => ("values", "it rejects every virtual machine"),
            "regex" if self.has_empty_regex() => ("regex", "it accepts every value"),
            _ => return,
        };
        let is_given = self.keys.iter().any(|(it, _)| *it == key);
        let state = if is_given { "is empty" } else { "is missing" };
        let message = format!("`{key}` {state} in a rule of kind `{}`: {effect}", kind.text);
        self.notes.push(Note::doubtful(kind.at.clone(), plain(message)));
    }

    /// Converts the draft to a rule. `keeps_pattern` allows keeping its pattern once it is
    /// compiled.
    pub(super) fn into_rule(self, keeps_pattern: bool) -> Result<Rule, DraftError> {
        let has_arguments =
            self.has_unknown_key || self.keys.iter().any(|(key, _)| is_argument(key));
        let kind = self.kind.expect("a complete rule has a kind");
        let path = self.path.expect("a complete rule has a path");
        let constraint = match kind.text.as_str() {
            "integer" => Constraint::Integer { min: self.min, max: self.max },
            "string" => {
                Constraint::String { min_length: self.min_length, max_length: self.max_length }
            }
            "enum" => Constraint::Enum(self.values),
            "regex" => match self.regex {
                Some(Regex::Path(path)) => Constraint::RegexAt(path),
                Some(Regex::Pattern(Written { text, at })) => {
                    Constraint::Regex(Pattern::new(text, keeps_pattern), at)
                }
                None => Constraint::Regex(Pattern::new(String::new(), keeps_pattern), 0..0),
            },
            other => return Err(unknown_kind(other, kind.at.clone(), has_arguments)),
        };
        Ok(Rule { path, guard: self.guard.map(Guard::new), constraint })
    }
}

/// The known kind that a word probably means: the same word in another case, a part of it
/// (`integer-value`), or a word with few other letters. A digit is not a typing error: `integer64`
/// is a different name.
fn meant_kind(kind: &str) -> Option<&'static str> {
    let lower = kind.to_lowercase();
    let is_meant = |known: &str| {
        lower.split(|it: char| !it.is_alphanumeric()).any(|word| word == known)
            || !lower.contains(|it: char| it.is_ascii_digit()) && spell::is_misspelt(&lower, known)
    };
    KINDS.iter().map(|(kind, _)| *kind).find(|it| is_meant(it))
}

/// Returns an error or a note about an unknown kind. As the format requires, it is ignored, because
/// it may come from a later version of the format. A misspelt known kind is an error, because its
/// author wants it applied. A kind without arguments is an error too, because no version can have
/// such a kind.
fn unknown_kind(kind: &str, at: Range<usize>, has_arguments: bool) -> DraftError {
    let meant = meant_kind(kind);
    let hint = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if !has_arguments => "a rule without arguments cannot be of a later kind".to_owned(),
        None => {
            let kinds = KINDS.map(|(kind, _)| format!("`{kind}`")).join(", ");
            let message =
                format!("a rule of unknown kind `{kind}` is ignored; known kinds are {kinds}");
            return DraftError::Ignored(Note::ignored(at, plain(message)));
        }
    };
    let rule_error = RuleError::new(RuleErrorKind::UnknownRule, at, "unrecognized Rule type");
    DraftError::RuleError(
        rule_error
            .own(plain(format!("there is no such kind of rule as `{kind}`")))
            .hint(plain(hint)),
    )
}

fn is_argument(key: &str) -> bool {
    KINDS.iter().any(|(_, arguments)| arguments.contains(&key))
}
