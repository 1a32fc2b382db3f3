//! Values that do not conform to the schema.

use std::borrow::Cow;
use std::sync::Arc;

use plumb_diagnostic::{Code, Severity, nearest};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_validation::{
    ALTERNATIVES, AlternativeViolations, Cause, Choice, Mode, Violation, notes, shortfall,
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
    /// The mismatch in the common form of all checks. [`Mismatch::worded`] adds the message about a
    /// type.
    pub violation: Violation,
    /// The facts from which the message is composed.
    pub kind: MismatchKind,
    /// The item, if it was computed and therefore has no place.
    pub calculated: Option<Box<Calculated>>,
    /// Whether a map, an array or a scalar was found instead of another of these kinds. Other
    /// mismatches of the document may be consequences.
    pub is_structural: bool,
}

/// The kinds of mismatches.
#[derive(Clone, Debug)]
pub enum MismatchKind {
    /// It has this kind instead of the declared type, which is named with its article.
    Type { found: NodeKind, declared: Cow<'static, str> },
    /// This key is not declared.
    Key(Box<UndeclaredKey>),
    /// It fits too few alternatives.
    Choice,
}

/// A key that is not declared.
#[derive(Clone, Debug)]
pub struct UndeclaredKey {
    pub key: Node,
    /// The keys that are declared in its place.
    pub declared: Arc<DeclaredKeys>,
    /// The declared key that is similar, apart from case and underscores.
    pub alike: Option<Node>,
    /// The declared key that may have been meant.
    meant: Option<String>,
}

/// An item that was computed.
#[derive(Clone, Debug)]
pub struct Calculated {
    /// Its key; `None` for an item of an array.
    pub key: Option<Node>,
    pub value: Node,
}

/// The value in question.
pub(crate) struct Found<'a> {
    pub(crate) path: DataPath,
    pub(crate) origin: Origin,
    /// The beginning of its item; `None` for a document.
    pub(crate) label: Option<Label<'a>>,
    pub(crate) node: &'a Node,
}

#[derive(Clone, Copy)]
pub(crate) enum Label<'a> {
    Key(&'a Node),
    Item,
}

/// The keys of a map.
#[derive(Debug)]
pub struct DeclaredKeys {
    /// Their description in messages.
    words: Message,
    candidates: Vec<Candidate>,
}

/// The maximum number of spellings that are compared for hints in one report. After that, hints are
/// omitted.
pub(crate) const HINT_BUDGET: usize = 1_000_000;

/// The maximum number of keys that a message names.
const MAX_NAMED: usize = 9;

impl Mismatch {
    pub(crate) fn of_type(found: Found<'_>, expected: &Type, declared_at: Origin) -> Self {
        let calculated = found.calculated();
        let kind = found.node.kind();
        let violation = Violation {
            code: TYPE_MISMATCH,
            severity: Severity::Error,
            path: found.path,
            document: 0,
            origin: found.origin,
            rule: declared_at,
            required: words(expected.name()),
            found: kind.name().into(),
            cause: Cause::Words,
            message: Message::new(),
            is_worded_by_author: false,
            help: Vec::new(),
            trace: Vec::new(),
        };
        let kind = MismatchKind::Type { found: kind, declared: with_article(expected) };
        Self { violation, kind, calculated, is_structural: false }
    }

    /// Returns the violation with its message. Composing it takes time, and not every report
    /// contains it.
    pub fn worded(&self) -> Violation {
        let violation = self.violation.clone();
        let MismatchKind::Type { found, declared } = &self.kind else { return violation };
        let subject = plain(subject(&violation.path));
        let message =
            message!("{subject} must be {}, not {}", plain(declared), found.with_article());
        Violation { message, ..violation }
    }

    fn new(violation: Violation, kind: MismatchKind, found: &Found<'_>) -> Self {
        Self { violation, kind, calculated: found.calculated(), is_structural: false }
    }

    /// Conceals the value if the field is secret.
    pub(crate) fn within(self, field: &Field) -> Self {
        if field.has_secret { Self { violation: self.violation.concealed(), ..self } } else { self }
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
                let violations: Vec<Violation> = it.iter().map(Mismatch::worded).collect();
                AlternativeViolations::new(&found.path, violations.iter())
            })
            .collect();
        let required = Choice::requirement(mode, by_alternative.len());
        let shortfall = shortfall(mode, &by_alternative, found.node);
        let message = message!("{} must fit {required}: {shortfall}", plain(subject(&found.path)));
        let violation = Violation {
            code: ALTERNATIVES,
            severity: Severity::Error,
            path: found.path.clone(),
            document: 0,
            origin: found.origin,
            rule: field.origin,
            required,
            found: plain(found.node.kind()).into(),
            cause: Cause::Words,
            message,
            is_worded_by_author: false,
            help: notes(mode, &by_alternative),
            trace: Vec::new(),
        };
        Self::new(violation, MismatchKind::Choice, found)
    }

    pub(crate) fn of_key(
        found: &Found<'_>,
        key: &Node,
        map: &MapType,
        hint_budget: &mut usize,
    ) -> Self {
        let declared = map.declared_keys();
        let name = Step::of_key(key).to_string();
        let is_text = matches!(key, Node::String(_));
        let (mut alike, mut meant) = (None, None);
        if let Some(rest) = hint_budget.checked_sub(declared.candidates.len()) {
            *hint_budget = rest;
            alike = declared.alike(&name);
            meant = declared.meant(&name, alike).filter(|_| is_text).map(str::to_owned);
        }
        let help = match &meant {
            Some(meant) => Some(message!("did you mean \"{}\"?", plain(meant))),
            None if declared.candidates.is_empty() => Some(
                "declare the key in the schema, or write @schema/type any=True above this map, \
                 which has no keys"
                    .into(),
            ),
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
            document: 0,
            origin: found.origin,
            rule: map.origin,
            required: declared.words.clone(),
            found: plain(name).into(),
            cause: Cause::Words,
            message,
            is_worded_by_author: false,
            help,
            trace: Vec::new(),
        };
        let (key, alike) = (key.clone(), alike.map(|it| it.key.clone()));
        let kind = UndeclaredKey { key, declared: Arc::clone(declared), alike, meant };
        Self::new(violation, MismatchKind::Key(Box::new(kind)), found)
    }

    /// The paths for which nothing more must be reported: the path of the value, and the path of
    /// the key that was probably meant.
    pub fn blamed(&self) -> Vec<DataPath> {
        let own = &self.violation.path;
        let mut blamed = vec![own.clone()];
        if let MismatchKind::Key(undeclared) = &self.kind
            && let Some(meant) = &undeclared.meant
        {
            let mut path = own.clone();
            path.pop();
            path.push(Step::Key(meant.as_str().into()));
            blamed.push(path);
        }
        blamed
    }
}

impl Found<'_> {
    /// The item, if it has no place. A document is not an item.
    fn calculated(&self) -> Option<Box<Calculated>> {
        if self.origin.span().is_some() {
            return None;
        }
        let key = match *self.label.as_ref()? {
            Label::Key(key) => Some(key.clone()),
            Label::Item => None,
        };
        Some(Box::new(Calculated { key, value: self.node.clone() }))
    }
}

impl DeclaredKeys {
    pub(crate) fn of(map: &MapType) -> Self {
        let mut candidates: Vec<Candidate> =
            map.entries().map(|(key, _)| Candidate::new(key.clone())).collect();
        candidates.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        let names: Vec<&str> = candidates.iter().map(|it| it.name.as_str()).collect();
        let words = match names.as_slice() {
            [name] => message!("the key `{}`", plain(name)),
            names if (2..=MAX_NAMED).contains(&names.len()) => {
                message!("one of {}", plain(names.join(", ")))
            }
            _ => "a key that the schema declares".into(),
        };
        Self { words, candidates }
    }

    /// Returns the keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.candidates.iter().map(|it| &it.key)
    }

    fn alike(&self, written: &str) -> Option<&Candidate> {
        nearest::nearest(written, &self.candidates)
    }

    fn meant<'a>(&'a self, written: &str, alike: Option<&'a Candidate>) -> Option<&'a str> {
        let near = nearest(written, self.candidates.iter().map(|it| it.name.as_str()));
        near.or(alike.map(|it| it.name.as_str()))
    }
}

fn subject(path: &DataPath) -> String {
    if path.is_root() { "the document".to_owned() } else { format!("`{path}`") }
}

fn words(name: Cow<'static, str>) -> Message {
    match name {
        Cow::Borrowed(name) => name.into(),
        Cow::Owned(name) => plain(name).into(),
    }
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
