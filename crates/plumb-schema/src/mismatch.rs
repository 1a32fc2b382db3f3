//! Values that do not conform to the schema.

use std::borrow::Cow;

use plumb_diagnostic::{Code, Severity, nearest};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, message};
use plumb_validation::{
    ALTERNATIVES, AlternativeViolations, Choice, Mode, Violation, Words, notes, shortfall,
};
use plumb_value::{DataPath, Node, NodeKind, Step};

use crate::field::{Field, MapType, Type};
use crate::nearest::{self, Candidate};

/// A data value has a different type than the schema declares.
///
/// Change the value at the first place, or the schema at the second place. In YAML, `"80"` is a
/// string and `80` is an integer; `--data-value` always sets a string, and `--data-value-yaml` a
/// YAML value.
pub const TYPE_MISMATCH: Code = Code::new("schema/type-mismatch");

/// A data value has a key that the schema does not declare.
///
/// Check the spelling of the key and its place in the document, or declare it in the schema.
pub const UNKNOWN_KEY: Code = Code::new("schema/unknown-key");

/// A value that does not conform.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The mismatch in the form that all checks have in common.
    pub violation: Violation,
    /// The line that ytt shows for a value without a source. It contains the value.
    pub(crate) calculated: Option<Message>,
    /// Whether a map, an array or a scalar takes the place of another kind: if a document has such
    /// mismatches, ytt reports no others.
    pub(crate) is_structural: bool,
    /// For an undeclared key: the declared key that may have been meant.
    pub(crate) meant: Option<Meant>,
}

/// A declared key that is similar to an undeclared one.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    own: Option<String>,
    peer: Option<String>,
}

/// The value in question.
pub(crate) struct Found<'a> {
    pub(crate) path: DataPath,
    pub(crate) origin: Origin,
    /// How its item begins; `None` for a document.
    pub(crate) label: Option<Label<'a>>,
    pub(crate) node: &'a Node,
}

#[derive(Clone, Copy)]
pub(crate) enum Label<'a> {
    Key(&'a Node),
    Item,
}

/// The keys of a map, formatted for messages.
#[derive(Debug)]
pub(crate) struct AllowedKeys {
    words: Words,
    candidates: Vec<Candidate>,
}

/// How many spellings are compared for hints in one report. After that, hints are omitted.
pub(crate) const HINT_BUDGET: usize = 1_000_000;

/// The maximum number of keys that a message names.
const NAMED_KEYS: usize = 9;

impl Mismatch {
    pub(crate) fn of_type(found: &Found<'_>, expected: &Type, declared_at: Origin) -> Self {
        let kind = found.node.kind();
        let name = expected.name();
        // ytt does not name a type that has no place.
        let peer = if declared_at.span().is_some() { name.clone() } else { "".into() };
        let subject = subject(&found.path);
        let message = message!(
            "{} must be {}, not {}",
            plain(subject),
            plain(with_article(expected)),
            kind.with_article()
        );
        let violation = Violation {
            code: TYPE_MISMATCH,
            severity: Severity::Error,
            path: found.path.clone(),
            origin: found.origin,
            rule: declared_at,
            required: Words::new(plain(name), plain(peer)),
            found: plain(kind).into(),
            message,
            is_worded_by_author: false,
            help: Vec::new(),
            trace: Vec::new(),
        };
        Self { violation, calculated: found.line(), is_structural: false, meant: None }
    }

    /// A value that satisfies too few alternatives, with the violations of each.
    pub(crate) fn of_choice(
        found: &Found<'_>,
        field: &Field,
        mode: Mode,
        mismatches: &[Vec<Mismatch>],
    ) -> Self {
        let by_alternative: Vec<AlternativeViolations> = mismatches
            .iter()
            .map(|it| {
                AlternativeViolations::new(
                    &found.path,
                    it.iter().map(|mismatch| &mismatch.violation),
                )
            })
            .collect();
        let required = Choice::requirement(mode, by_alternative.len());
        let shortfall = shortfall(mode, &by_alternative, found.node);
        let message = message!("{} must fit {required}: {shortfall}", plain(subject(&found.path)));
        let violation = Violation {
            code: ALTERNATIVES,
            severity: Severity::Error,
            path: found.path.clone(),
            origin: found.origin,
            rule: field.origin,
            required: required.into(),
            found: plain(found.node.kind()).into(),
            message,
            is_worded_by_author: false,
            help: notes(mode, &by_alternative),
            trace: Vec::new(),
        };
        Self { violation, calculated: found.line(), is_structural: false, meant: None }
    }

    pub(crate) fn of_key(
        found: &Found<'_>,
        key: &Node,
        map: &MapType,
        hint_budget: &mut usize,
    ) -> Self {
        let allowed = map.allowed_keys();
        let name = plain_key(key);
        let is_text = matches!(key, Node::String(_));
        let meant = hint_budget.checked_sub(allowed.candidates.len()).map(|rest| {
            *hint_budget = rest;
            let meant = allowed.meant(&name);
            if is_text { meant } else { Meant { own: None, ..meant } }
        });
        let own = meant.as_ref().and_then(|it| it.own.as_deref());
        let help = match own {
            Some(own) => Some(message!("did you mean \"{}\"?", plain(own))),
            None if is_text => None,
            None => {
                let kind = key.kind().with_article();
                Some(message!("YAML reads this key as {}: to use it as text, quote it", kind))
            }
        };
        let help = help.into_iter().collect();
        let message = message!("{} is not declared in the schema", plain(subject(&found.path)));
        let violation = Violation {
            code: UNKNOWN_KEY,
            severity: Severity::Error,
            path: found.path.clone(),
            origin: found.origin,
            rule: map.origin,
            required: allowed.words.clone(),
            found: Words::new(plain(own_key(key)), plain(name)),
            message,
            is_worded_by_author: false,
            help,
            trace: Vec::new(),
        };
        Self { violation, calculated: found.line(), is_structural: false, meant }
    }

    /// The hints that ytt adds.
    pub(crate) fn peer_hints(&self) -> Vec<Message> {
        match &self.meant {
            None => self.violation.help.clone(),
            Some(meant) => {
                meant.peer.iter().map(|it| message!("did you mean \"{}\"?", plain(it))).collect()
            }
        }
    }

    /// The paths about which nothing more can be reported: that of the value, and that of the key
    /// that may have been meant.
    pub fn blamed(&self) -> Vec<DataPath> {
        let own = &self.violation.path;
        let mut blamed = vec![own.clone()];
        if let Some(meant) = self.meant.as_ref().and_then(|it| it.own.as_deref()) {
            let mut path = own.clone();
            path.pop();
            path.push(Step::Key(meant.into()));
            blamed.push(path);
        }
        blamed
    }
}

impl Found<'_> {
    /// The item formatted as a line of source, for a value without a source.
    fn line(&self) -> Option<Message> {
        if self.origin.span().is_some() {
            return None;
        }
        let label = match self.label.as_ref()? {
            Label::Key(key) => format!("{}:", plain_key(key)),
            Label::Item => "-".to_owned(),
        };
        let value = match self.node {
            Node::Null => "<nil>".to_owned(),
            Node::Bool(value) => value.to_string(),
            node => node.repr(),
        };
        Some(message!("{} {}", plain(label), secret(value)))
    }
}

impl AllowedKeys {
    pub(crate) fn of(map: &MapType) -> Self {
        let mut names: Vec<String> = map.entries().map(|(key, _)| own_key(key)).collect();
        let mut candidates: Vec<Candidate> =
            map.entries().map(|(key, _)| Candidate::new(own_key(key), listed_key(key))).collect();
        names.sort_unstable();
        candidates.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        let listed: Vec<&str> = candidates.iter().map(|it| it.name.as_str()).collect();
        let words = match (names.as_slice(), listed.as_slice()) {
            ([name], [listed]) => Words::new(
                message!("the key `{}`", plain(name)),
                message!("a map item with the key named \"{}\"", plain(listed)),
            ),
            (names, listed) if (2..=NAMED_KEYS).contains(&names.len()) => Words::new(
                message!("one of {}", plain(names.join(", "))),
                message!("one of {{ {} }}", plain(listed.join(", "))),
            ),
            _ => Words::new("a key that the schema declares", "a key declared in map"),
        };
        Self { words, candidates }
    }

    fn meant(&self, written: &str) -> Meant {
        let near = nearest::nearest(written, &self.candidates);
        let own = nearest(written, self.candidates.iter().map(|it| it.own.as_str()));
        let own = own.or(near.map(|it| it.own.as_str()));
        Meant { own: own.map(str::to_owned), peer: near.map(|it| it.name.clone()) }
    }
}

fn subject(path: &DataPath) -> String {
    if path.is_root() { "the document".to_owned() } else { format!("`{path}`") }
}

fn with_article(ty: &Type) -> Cow<'static, str> {
    match ty {
        Type::Scalar(scalar) => scalar.kind().with_article().into(),
        Type::Map(_) => NodeKind::Map.with_article().into(),
        Type::Array(_) => NodeKind::Array.with_article().into(),
        Type::Kinds(kinds) if kinds.is_empty() => NodeKind::Null.with_article().into(),
        Type::Kinds(kinds) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.with_article()).collect();
            kinds.join(" or ").into()
        }
        Type::Choice(_) | Type::Any => ty.name(),
    }
}

/// Formats a key as ytt does.
fn plain_key(key: &Node) -> String {
    match key {
        Node::Null => "<nil>".to_owned(),
        key => own_key(key),
    }
}

/// Formats a key as YAML does, without quotes.
fn own_key(key: &Node) -> String {
    Step::of_key(key).to_string()
}

/// Formats a key for a list of keys, in which ytt marks those that are not strings.
fn listed_key(key: &Node) -> String {
    match key {
        Node::String(text) => text.to_string(),
        Node::Null => "%!s(<nil>)".to_owned(),
        Node::Bool(value) => format!("%!s(bool={value})"),
        Node::Float(_) => format!("%!s(float64={})", key.repr()),
        _ => format!("%!s(int={})", key.repr()),
    }
}
