//! Rules as keywords of `OpenAPI` v3, JSON Schema and Kubernetes.

use std::cmp::Ordering;

use plumb_source::{Origin, Text};
use plumb_validation::{
    Assertion, CelRule, CelSubject, Constraint, Format, Rule, Validation, ValueKind, compare,
};
use plumb_value::Node;

use crate::write::{array, schema as map};
use crate::{Dialect, Keyword};

/// The pattern that custom resources use for a quantity that may be a number or a string.
pub const QUANTITY_PATTERN: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Rules, translated to keywords.
#[derive(Clone, Debug, Default)]
pub struct Expressed {
    /// Keywords with their values. If a keyword occurs twice, both apply.
    pub keywords: Vec<(Keyword, Node)>,
    /// The remaining types, if the rules restrict them; null is never among them.
    pub types: Option<Vec<&'static str>>,
    /// A description of each rule.
    pub descriptions: Vec<String>,
    /// Descriptions of the rules that no keyword expresses.
    pub unexpressed: Vec<String>,
    /// The rules that only CEL can express.
    pub cel: Vec<CelRule>,
    /// The exported formats that the reader of the schema checks by different rules.
    pub loose_formats: Vec<&'static str>,
    /// Whether one of the rules forbids null.
    pub forbids_null: bool,
    /// Whether a limit is beyond the integers of an API server.
    pub has_wide_limit: bool,
}

impl Expressed {
    /// Translates all rules of some validations. A conditional rule does not always apply, which no
    /// keyword can express.
    pub fn of(validations: &[Validation], subject: CelSubject<'_>, dialect: Dialect) -> Self {
        let mut keywords = Self::default();
        for validation in validations {
            let n_before = keywords.cel.len();
            for rule in &validation.rules {
                let is_always = validation.when.is_none();
                keywords.add(rule, is_always, subject, dialect);
            }
            let origin = validation.span.map_or(Origin::Unknown, Origin::Written);
            keywords.cel[n_before..].iter_mut().for_each(|it| it.origin = origin);
        }
        if dialect != Dialect::JsonSchema {
            keywords.join_exclusive_bound(
                Keyword::Minimum,
                Keyword::ExclusiveMinimum,
                Ordering::Greater,
            );
            keywords.join_exclusive_bound(
                Keyword::Maximum,
                Keyword::ExclusiveMaximum,
                Ordering::Less,
            );
        }
        keywords
    }

    /// Removes the minimum number of keys. This is needed if defaults add keys to a map: the given
    /// map may have fewer keys. `validations` are the validations that contain the minimum.
    pub fn take_back_min_properties(
        &mut self,
        validations: &[Validation],
        subject: CelSubject<'_>,
    ) {
        let said = self.keywords.len();
        self.keywords.retain(|(keyword, _)| *keyword != Keyword::MinProperties);
        if self.keywords.len() == said {
            return;
        }
        let rules = validations.iter().filter(|it| it.when.is_none()).flat_map(|it| &it.rules);
        let of_length = rules.filter(|rule| {
            use Constraint::{Len, MinLen};
            matches!(rule.assertion.constraint(), Some(MinLen(_) | Len(_)))
        });
        for rule in of_length {
            match rule.to_cel(subject) {
                Some(cel) => self.cel.push(cel),
                None => self.unexpressed.push(rule.describe()),
            }
        }
    }

    /// In JSON Schema, an exclusive bound is a separate keyword. In `OpenAPI` 3.0 it is `minimum`
    /// with `exclusiveMinimum: true`, so only the narrower of the two can be expressed. `narrower`
    /// is how the narrower bound compares with the other.
    fn join_exclusive_bound(&mut self, inclusive: Keyword, exclusive: Keyword, narrower: Ordering) {
        let narrowest = |keyword: Keyword| {
            let limits = self.keywords.iter().filter(|(it, _)| *it == keyword);
            limits.map(|(_, limit)| limit).reduce(|one, other| {
                let is_other = matches!(compare(other, one), Ok(Some(it)) if it == narrower);
                if is_other { other } else { one }
            })
        };
        let Some(limit) = narrowest(exclusive).cloned() else {
            return;
        };
        let is_wider = narrowest(inclusive)
            .is_some_and(|it| matches!(compare(it, &limit), Ok(Some(it)) if it == narrower));
        self.keywords.retain(|(it, _)| *it != exclusive && (is_wider || *it != inclusive));
        if !is_wider {
            self.push(inclusive, limit);
            self.push(exclusive, true.into());
        }
    }

    fn add(&mut self, rule: &Rule, is_always: bool, subject: CelSubject<'_>, dialect: Dialect) {
        let mut description = rule.describe();
        if !is_always {
            description.push_str(" (under a condition)");
        }
        let is_expressed = match &rule.assertion {
            Assertion::Constraint(constraint) if is_always => {
                self.express(constraint, subject, dialect)
            }
            Assertion::Constraint(_) | Assertion::Function(_) => false,
        };
        let takes_cel = match dialect {
            Dialect::OpenApi | Dialect::YttOpenApi => false,
            Dialect::JsonSchema => true,
            // An API server cannot check expressions about values of unknown type.
            Dialect::Kubernetes => subject.kind != ValueKind::Any,
        };
        let cel = if is_always && takes_cel { rule.to_cel(subject) } else { None };
        match cel {
            _ if is_expressed => {}
            Some(cel) => self.cel.push(cel),
            None => self.unexpressed.push(description.clone()),
        }
        let is_typed = is_always && subject.kind != ValueKind::Any;
        if !(is_typed && goes_without_saying(rule, dialect)) {
            self.descriptions.push(description);
        }
    }

    fn express(
        &mut self,
        constraint: &Constraint,
        subject: CelSubject<'_>,
        dialect: Dialect,
    ) -> bool {
        let kind = subject.kind;
        let is_json = dialect == Dialect::JsonSchema;
        match constraint {
            Constraint::MinLen(n) => self.length(kind, dialect, MIN_LENGTH, *n),
            Constraint::MaxLen(n) => self.length(kind, dialect, MAX_LENGTH, *n),
            Constraint::Len(n) => {
                self.length(kind, dialect, MIN_LENGTH, *n)
                    && self.length(kind, dialect, MAX_LENGTH, *n)
            }
            Constraint::Min(limit) => self.bound(kind, dialect, Keyword::Minimum, limit),
            Constraint::Max(limit) => self.bound(kind, dialect, Keyword::Maximum, limit),
            Constraint::GreaterThan(limit) => {
                self.bound(kind, dialect, Keyword::ExclusiveMinimum, limit)
            }
            Constraint::LessThan(limit) => {
                self.bound(kind, dialect, Keyword::ExclusiveMaximum, limit)
            }
            Constraint::Unique => self.unique(subject, dialect),
            Constraint::OneOf(choices) => {
                self.push(Keyword::Enum, array(choices.values.iter().cloned()));
                true
            }
            Constraint::NotNull => {
                self.forbids_null = true;
                true
            }
            Constraint::StartsWith(text) => {
                self.pattern(kind, escape(text).map(|it| format!("^{it}")))
            }
            Constraint::EndsWith(text) => {
                self.pattern(kind, escape(text).map(|it| format!("{it}$")))
            }
            Constraint::Contains(Node::String(text)) if kind == ValueKind::String => {
                self.pattern(kind, escape(text))
            }
            Constraint::Contains(part) if kind == ValueKind::Array && is_json => {
                self.push(Keyword::Contains, map([(Keyword::Const, part.clone())]));
                true
            }
            Constraint::Contains(_) | Constraint::OneNotNull(_) | Constraint::Cel(_) => false,
            Constraint::NotEmpty { lets_null_be } => {
                self.forbids_null |= !lets_null_be;
                self.not_empty(kind)
            }
            Constraint::Matches(regexp) => match dialect {
                Dialect::OpenApi | Dialect::YttOpenApi | Dialect::JsonSchema => {
                    self.pattern(kind, Some(regexp.to_ecma()))
                }
                Dialect::Kubernetes => self.pattern(kind, Some(regexp.as_str().to_owned())),
            },
            Constraint::Format(format) => self.format(*format, kind, dialect),
            Constraint::Even => self.multiple(kind, dialect, &Node::Int(2)),
            Constraint::Odd => {
                use ValueKind::{Any, Float, Integer, IntegerOrString};
                if !is_json || !matches!(kind, Integer | Float | IntegerOrString | Any) {
                    return false;
                }
                let is_expressed = kind == Integer || self.multiple(kind, dialect, &Node::Int(1));
                // Null may be valid here too, so it is not excluded.
                let even = [(Keyword::Type, "number".into()), (Keyword::MultipleOf, Node::Int(2))];
                self.push(Keyword::Not, map(even));
                is_expressed
            }
            Constraint::MultipleOf(step) => self.multiple(kind, dialect, &step.number()),
        }
    }

    /// An API server rejects `uniqueItems`, and has sets of scalars instead.
    fn unique(&mut self, subject: CelSubject<'_>, dialect: Dialect) -> bool {
        match (subject.kind, dialect) {
            (ValueKind::Array, Dialect::Kubernetes) if subject.has_scalar_items => {
                self.push(Keyword::ListType, "set".into());
            }
            (ValueKind::Array, Dialect::OpenApi | Dialect::YttOpenApi | Dialect::JsonSchema) => {
                self.push(Keyword::UniqueItems, true.into());
            }
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["array"]);
                self.push(Keyword::UniqueItems, true.into());
            }
            _ => return false,
        }
        true
    }

    fn not_empty(&mut self, kind: ValueKind) -> bool {
        match kind {
            ValueKind::String => self.push(Keyword::MinLength, Node::Int(1)),
            ValueKind::Array => self.push(Keyword::MinItems, Node::Int(1)),
            ValueKind::Integer | ValueKind::Float => {
                self.push(Keyword::Not, map([(Keyword::Enum, array([Node::Int(0)]))]));
            }
            ValueKind::IntegerOrString | ValueKind::Any => {
                let empty = ["".into(), Node::Int(0), array([])];
                self.push(Keyword::Not, map([(Keyword::Enum, array(empty))]));
            }
            ValueKind::Boolean | ValueKind::Map => {}
        }
        true
    }

    fn length(
        &mut self,
        kind: ValueKind,
        dialect: Dialect,
        keywords: [Keyword; 3],
        n: i128,
    ) -> bool {
        let [of_string, of_array, of_map] = keywords;
        let n = u64::try_from(n.max(0)).map_or(Node::UInt(u64::MAX), Node::uint);
        match (kind, dialect) {
            (ValueKind::String, _) => self.push(of_string, n),
            (ValueKind::Array, _) => self.push(of_array, n),
            (ValueKind::Map, _) => self.push(of_map, n),
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["string", "array", "object"]);
                for keyword in keywords {
                    self.push(keyword, n.clone());
                }
            }
            _ => return false,
        }
        true
    }

    fn bound(&mut self, kind: ValueKind, dialect: Dialect, keyword: Keyword, limit: &Node) -> bool {
        let is_number = matches!(limit, Node::Int(_) | Node::UInt(_) | Node::Float(_));
        if dialect == Dialect::Kubernetes && kind == ValueKind::Integer {
            return match Bound::of(keyword, limit) {
                Bound::Exact(keyword, limit) => self.of_number(kind, dialect, keyword, &limit),
                Bound::Always => true,
                Bound::Beyond => {
                    self.has_wide_limit = true;
                    true
                }
                Bound::Inexact => false,
            };
        }
        // An API server rounds a bound, but compares exactly in CEL.
        let is_rounded = match limit {
            Node::Int(limit) => limit.unsigned_abs() > MAX_EXACT,
            Node::UInt(limit) => *limit > MAX_EXACT,
            _ => false,
        };
        if dialect == Dialect::Kubernetes && kind == ValueKind::Float && is_rounded {
            return false;
        }
        is_number && self.of_number(kind, dialect, keyword, limit)
    }

    /// A value that may be a string may be a quantity, which no keyword describes. If the step has
    /// a fraction, an API server rejects whole numbers.
    fn multiple(&mut self, kind: ValueKind, dialect: Dialect, step: &Node) -> bool {
        match (kind, dialect) {
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["number", "string"]);
                self.push(Keyword::MultipleOf, step.clone());
                false
            }
            (_, Dialect::Kubernetes) if matches!(step, Node::Float(it) if it.fract() != 0.0) => {
                false
            }
            _ => self.of_number(kind, dialect, Keyword::MultipleOf, step),
        }
    }

    fn of_number(
        &mut self,
        kind: ValueKind,
        dialect: Dialect,
        keyword: Keyword,
        value: &Node,
    ) -> bool {
        match (kind, dialect) {
            (ValueKind::Integer | ValueKind::Float, _) => {}
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["number"]);
            }
            _ => return false,
        }
        self.push(keyword, value.clone());
        true
    }

    fn pattern(&mut self, kind: ValueKind, pattern: Option<String>) -> bool {
        match (kind, pattern) {
            (ValueKind::String, Some(pattern)) => {
                self.push(Keyword::Pattern, Node::String(pattern.into()));
                true
            }
            _ => false,
        }
    }

    fn format(&mut self, format: Format, kind: ValueKind, dialect: Dialect) -> bool {
        let name = match (format, dialect) {
            (Format::Quantity, Dialect::Kubernetes)
                if matches!(kind, ValueKind::IntegerOrString | ValueKind::String) =>
            {
                self.push(Keyword::Pattern, QUANTITY_PATTERN.into());
                return true;
            }
            (Format::UriReference | Format::UriRef, Dialect::JsonSchema) => "uri-reference",
            (Format::UriReference | Format::UriRef, Dialect::OpenApi | Dialect::YttOpenApi) => {
                "uriref"
            }
            // The API server ignores unknown formats, and its durations are different.
            (
                Format::Duration
                | Format::ImageReference
                | Format::Quantity
                | Format::UriReference
                | Format::UriRef,
                Dialect::Kubernetes,
            ) => return false,
            _ => format.name(),
        };
        match (kind, dialect) {
            (ValueKind::String, _) => {}
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(match format {
                    Format::Quantity => &["string", "number"],
                    _ => &["string"],
                });
            }
            _ => return false,
        }
        if dialect == Dialect::Kubernetes {
            self.loose_formats.push(format.name());
        }
        self.push(Keyword::Format, name.into());
        true
    }

    fn narrow(&mut self, types: &[&'static str]) {
        match &mut self.types {
            Some(left) => left.retain(|it| types.contains(it)),
            None => self.types = Some(types.to_vec()),
        }
    }

    fn push(&mut self, keyword: Keyword, value: Node) {
        self.keywords.push((keyword, value));
    }
}

/// The largest number up to which floats represent all integers.
const MAX_EXACT: u64 = 1 << 53;

/// A bound of integers, as an API server understands it: it reads bounds as floats, and integers
/// have 64 bits.
enum Bound {
    Exact(Keyword, Node),
    /// Every integer is within the bound.
    Always,
    /// Every integer is within the bound, and the bound itself is not a 64-bit integer.
    Beyond,
    /// No keyword expresses it.
    Inexact,
}

impl Bound {
    fn of(keyword: Keyword, limit: &Node) -> Self {
        let is_lower = matches!(keyword, Keyword::Minimum | Keyword::ExclusiveMinimum);
        let (whole, has_fraction) = match limit {
            Node::Int(limit) => (i128::from(*limit), false),
            Node::UInt(limit) => (i128::from(*limit), false),
            Node::Float(limit) if !limit.is_nan() => {
                let rounded = if is_lower { limit.ceil() } else { limit.floor() };
                #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
                (rounded as i128, limit.fract() != 0.0)
            }
            _ => return Self::Inexact,
        };
        let [min, max] = [i64::MIN, i64::MAX].map(i128::from);
        let is_always = match keyword {
            Keyword::Minimum => whole <= min,
            Keyword::Maximum => whole >= max,
            _ if is_lower => whole < min,
            _ => whole > max,
        };
        match (keyword, i64::try_from(whole)) {
            (_, Err(_)) if is_always => Self::Beyond,
            _ if is_always => Self::Always,
            (_, Ok(limit)) if limit.unsigned_abs() <= MAX_EXACT => {
                // The nearest integer is itself a valid value.
                let keyword = match keyword {
                    Keyword::ExclusiveMinimum if has_fraction => Keyword::Minimum,
                    Keyword::ExclusiveMaximum if has_fraction => Keyword::Maximum,
                    keyword => keyword,
                };
                Self::Exact(keyword, Node::Int(limit))
            }
            _ => Self::Inexact,
        }
    }
}

const MIN_LENGTH: [Keyword; 3] = [Keyword::MinLength, Keyword::MinItems, Keyword::MinProperties];
const MAX_LENGTH: [Keyword; 3] = [Keyword::MaxLength, Keyword::MaxItems, Keyword::MaxProperties];

/// Returns whether the rule can be omitted: for an API server, a value with a type is never null.
fn goes_without_saying(rule: &Rule, dialect: Dialect) -> bool {
    let is_not_null = matches!(rule.assertion.constraint(), Some(Constraint::NotNull));
    dialect == Dialect::Kubernetes && is_not_null && rule.description.is_none()
}

/// Returns a regular expression that matches only this text, or `None` if the text is not UTF-8.
fn escape(text: &Text) -> Option<String> {
    let mut out = String::new();
    for character in text.as_str()?.chars() {
        if "\\^$.|?*+()[]{}/".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    Some(out)
}
