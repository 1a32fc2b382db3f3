//! Finds rules that no value can satisfy. These are mistakes of the author, and are found without a
//! value.

use std::cmp::Ordering;

use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_source::{Message, Span, message};
use plumb_value::{Node, NodeKind};

use crate::{Assertion, Constraint, MALFORMED, Rule, Validation, ValueKind, compare};

impl Validation {
    /// Returns the mistakes in the rules for values of a kind, independently of the value. Rules
    /// with a condition are skipped, because they may never be applied.
    pub fn contradictions(&self, kind: ValueKind) -> Vec<Diagnostic> {
        if self.when.is_some() {
            return Vec::new();
        }
        let rules = || {
            self.rules.iter().filter_map(|rule| match &rule.assertion {
                Assertion::Constraint(constraint) => Some((rule, constraint)),
                Assertion::Function(_) => None,
            })
        };
        let misfits: Vec<Diagnostic> = rules()
            .filter_map(|(rule, constraint)| Some(self.mistake(&[rule], &constraint.misfit(kind)?)))
            .collect();
        if !misfits.is_empty() {
            return misfits;
        }
        let lower = rules().filter_map(|(rule, it)| Some((rule, Limit::lower(it)?)));
        let upper: Vec<_> =
            rules().filter_map(|(rule, it)| Some((rule, Limit::upper(it)?))).collect();
        let pairs = lower.flat_map(|lower| upper.iter().map(move |upper| (lower, upper)));
        let empty = pairs.filter(|((_, least), (_, most))| least.excludes(most));
        let found = empty.map(|((first, least), (second, most))| {
            let (least, most) = (least.of.description(), most.of.description());
            let message = message!("no value can be both {least} and {most}");
            self.mistake(&[first, second], &message)
        });
        found.collect()
    }

    /// A finding about some of the rules.
    fn mistake(&self, rules: &[&Rule], message: &Message) -> Diagnostic {
        let mut spans: Vec<Span> = rules.iter().filter_map(|it| it.span.or(self.span)).collect();
        spans.dedup();
        let mut diagnostic = Diagnostic::error(MALFORMED, message.clone());
        for span in spans {
            diagnostic = diagnostic.label(span, message.clone());
        }
        diagnostic
    }
}

/// One end of a range of values, or of their lengths.
#[derive(Clone, Copy)]
struct Limit<'a> {
    value: LimitValue<'a>,
    /// Whether the limit itself is outside the range.
    is_exclusive: bool,
    /// The rule that sets it.
    of: &'a Constraint,
}

#[derive(Clone, Copy)]
enum LimitValue<'a> {
    Length(i128),
    Value(&'a Node),
}

impl<'a> Limit<'a> {
    fn lower(constraint: &'a Constraint) -> Option<Self> {
        let (value, is_exclusive) = match constraint {
            Constraint::Min(limit) => (LimitValue::Value(limit), false),
            Constraint::GreaterThan(limit) => (LimitValue::Value(limit), true),
            Constraint::MinLen(length) | Constraint::Len(length) => {
                (LimitValue::Length(*length), false)
            }
            _ => return None,
        };
        Some(Self { value, is_exclusive, of: constraint })
    }

    fn upper(constraint: &'a Constraint) -> Option<Self> {
        let (value, is_exclusive) = match constraint {
            Constraint::Max(limit) => (LimitValue::Value(limit), false),
            Constraint::LessThan(limit) => (LimitValue::Value(limit), true),
            Constraint::MaxLen(length) | Constraint::Len(length) => {
                (LimitValue::Length(*length), false)
            }
            _ => return None,
        };
        Some(Self { value, is_exclusive, of: constraint })
    }

    /// Returns whether there is no value between this lower limit and an upper one.
    fn excludes(&self, upper: &Self) -> bool {
        let order = match (&self.value, &upper.value) {
            (LimitValue::Length(lower), LimitValue::Length(upper)) => Some(lower.cmp(upper)),
            (LimitValue::Value(lower), LimitValue::Value(upper)) => {
                compare(lower, upper).ok().flatten()
            }
            _ => None,
        };
        match order {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => self.is_exclusive || upper.is_exclusive,
            Some(Ordering::Less) | None => false,
        }
    }
}

impl Constraint {
    /// Returns whether no value satisfies both rules, because their limits contradict each other.
    pub fn excludes(&self, other: &Self) -> bool {
        let is_empty = |lower: &Self, upper: &Self| {
            let (lower, upper) = (Limit::lower(lower), Limit::upper(upper));
            lower.zip(upper).is_some_and(|(lower, upper)| lower.excludes(&upper))
        };
        is_empty(self, other) || is_empty(other, self)
    }

    /// Explains why no value of a kind can satisfy the rule. Returns `None` if a value may satisfy
    /// it. Only limits are compared with the kind; other rules are not.
    fn misfit(&self, kind: ValueKind) -> Option<Message> {
        let own = kind.node_kind()?;
        match self {
            Self::Min(limit) => misplaced_limit("min", limit, own),
            Self::Max(limit) => misplaced_limit("max", limit, own),
            Self::GreaterThan(limit) => misplaced_limit("greater_than", limit, own),
            Self::LessThan(limit) => misplaced_limit("less_than", limit, own),
            _ => None,
        }
    }
}

/// A limit that values of a kind cannot be compared with.
fn misplaced_limit(keyword: &str, limit: &Node, own: NodeKind) -> Option<Message> {
    let is_comparable = match own {
        NodeKind::Integer | NodeKind::Float => {
            matches!(limit.kind(), NodeKind::Integer | NodeKind::Float)
        }
        NodeKind::String | NodeKind::Boolean | NodeKind::Array => limit.kind() == own,
        NodeKind::Map | NodeKind::Null => false,
    };
    let expected = match own {
        NodeKind::Integer | NodeKind::Float => "a number",
        _ => own.with_article(),
    };
    let found = limit.kind().with_article();
    (!is_comparable).then(|| match own {
        NodeKind::Map | NodeKind::Null => {
            message!("{}= cannot apply to {}", plain(keyword), plain(expected))
        }
        _ => message!(
            "expected {}= to be {}, because the value is {}; found {}",
            plain(keyword),
            plain(expected),
            plain(own.with_article()),
            plain(found)
        ),
    })
}
