//! Rules in the keywords of `OpenAPI` v3 and of JSON Schema.

use std::cmp::Ordering;

use plumb_source::{Origin, Text};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node, NodeKind};

use crate::{Assertion, CelRule, CelSubject, Constraint, Format, Rule, Validation, compare};

/// The language that a schema is exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `OpenAPI` 3.0, which has no `contains` and no `const`.
    OpenApi,
    /// `OpenAPI` 3.0 for those who had ytt before: without patterns.
    YttOpenApi,
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// What Kubernetes takes of `OpenAPI` for its resources. Patterns are those of RE2, as ours.
    Kubernetes,
}

/// What kind of value the rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Boolean,
    Integer,
    Float,
    String,
    Map,
    Array,
    /// A number or a text, as Kubernetes has them for ports and amounts.
    IntegerOrString,
    Any,
}

impl ValueKind {
    /// What values of any of these kinds have in common.
    pub fn of(kinds: &[NodeKind]) -> Self {
        use NodeKind::{Array, Boolean, Float, Integer, Map, String};
        match kinds {
            [Boolean] => Self::Boolean,
            [Integer] => Self::Integer,
            [Float] => Self::Float,
            [String] => Self::String,
            [Map] => Self::Map,
            [Array] => Self::Array,
            [Integer, String] | [String, Integer] => Self::IntegerOrString,
            _ => Self::Any,
        }
    }
}

impl ValueKind {
    /// The kind, if there is one only.
    pub(crate) fn node_kind(self) -> Option<NodeKind> {
        match self {
            Self::Boolean => Some(NodeKind::Boolean),
            Self::Integer => Some(NodeKind::Integer),
            Self::Float => Some(NodeKind::Float),
            Self::String => Some(NodeKind::String),
            Self::Map => Some(NodeKind::Map),
            Self::Array => Some(NodeKind::Array),
            Self::IntegerOrString | Self::Any => None,
        }
    }
}

/// How custom resources describe an amount that may be a number or a text.
pub const QUANTITY_PATTERN: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// What rules come to.
#[derive(Clone, Debug, Default)]
pub struct Keywords {
    /// Keywords with their values. One that occurs twice holds twice.
    pub keywords: Vec<(&'static str, Node)>,
    /// The types that are left, where the rules narrow them down; null is not among them.
    pub types: Option<Vec<&'static str>>,
    /// A description of each rule.
    pub descriptions: Vec<String>,
    /// Descriptions of the rules that no keyword expresses.
    pub unexpressed: Vec<String>,
    /// The rules that no keyword but CEL expresses.
    pub cel: Vec<CelRule>,
    pub forbids_null: bool,
}

impl Keywords {
    /// All rules of some validations. Those under a condition hold only sometimes, which no
    /// keyword says.
    pub fn of(validations: &[Validation], subject: CelSubject<'_>, dialect: Dialect) -> Self {
        let mut keywords = Self::default();
        for validation in validations {
            for rule in &validation.rules {
                let is_always = validation.when.is_none();
                keywords.add(rule, is_always, subject, dialect);
            }
        }
        if dialect != Dialect::JsonSchema {
            keywords.join_exclusive_bound("minimum", EXCLUSIVE_MINIMUM, Ordering::Greater);
            keywords.join_exclusive_bound("maximum", EXCLUSIVE_MAXIMUM, Ordering::Less);
        }
        keywords
    }

    /// Takes back how many keys a map has at least: for one in which keys are there that no one
    /// gave, so that what is given may have fewer. `validations` are those that it was said by.
    pub fn take_back_min_properties(
        &mut self,
        validations: &[Validation],
        subject: CelSubject<'_>,
    ) {
        let said = self.keywords.len();
        self.keywords.retain(|(keyword, _)| *keyword != MIN_PROPERTIES);
        if self.keywords.len() == said {
            return;
        }
        let rules = validations.iter().filter(|it| it.when.is_none()).flat_map(|it| &it.rules);
        let of_length = rules.filter(|rule| {
            use Constraint::{Len, MinLen};
            matches!(rule.assertion, Assertion::Constraint(MinLen(_) | Len(_)))
        });
        for rule in of_length {
            match rule.to_cel(subject) {
                Some(cel) => self.cel.push(cel),
                None => self.unexpressed.push(describe(rule)),
            }
        }
    }

    /// In JSON Schema a bound that is itself not allowed is a keyword of its own. In `OpenAPI` 3.0
    /// it is `minimum` with `exclusiveMinimum: true`, so only the narrower of both can be said.
    /// `narrower` is how that one compares with the other.
    fn join_exclusive_bound(
        &mut self,
        inclusive: &'static str,
        exclusive: &'static str,
        narrower: Ordering,
    ) {
        let narrowest = |keyword: &str| {
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
        let mut description = describe(rule);
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
            // An API server has no expressions about values of unknown type.
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
        let has_ecma_patterns = is_json || dialect == Dialect::OpenApi;
        match constraint {
            Constraint::MinLen(n) => self.length(kind, dialect, MIN_LENGTH, *n),
            Constraint::MaxLen(n) => self.length(kind, dialect, MAX_LENGTH, *n),
            Constraint::Len(n) => {
                self.length(kind, dialect, MIN_LENGTH, *n)
                    && self.length(kind, dialect, MAX_LENGTH, *n)
            }
            Constraint::Min(limit) => self.bound(kind, dialect, "minimum", limit),
            Constraint::Max(limit) => self.bound(kind, dialect, "maximum", limit),
            Constraint::GreaterThan(limit) => self.bound(kind, dialect, EXCLUSIVE_MINIMUM, limit),
            Constraint::LessThan(limit) => self.bound(kind, dialect, EXCLUSIVE_MAXIMUM, limit),
            Constraint::Unique => self.unique(subject, dialect),
            Constraint::OneOf(choices) => {
                self.push("enum", array(choices.values.iter().cloned()));
                true
            }
            Constraint::NotNull => {
                self.forbids_null = true;
                true
            }
            Constraint::StartsWith(text) => {
                has_ecma_patterns && self.pattern(kind, escape(text).map(|it| format!("^{it}")))
            }
            Constraint::EndsWith(text) => {
                has_ecma_patterns && self.pattern(kind, escape(text).map(|it| format!("{it}$")))
            }
            Constraint::Contains(Node::String(text)) if kind == ValueKind::String => {
                has_ecma_patterns && self.pattern(kind, escape(text))
            }
            Constraint::Contains(part) if kind == ValueKind::Array && is_json => {
                self.push("contains", map([("const", part.clone())]));
                true
            }
            Constraint::Contains(_) | Constraint::OneNotNull(_) | Constraint::Cel(_) => false,
            Constraint::NotEmpty { lets_null_be } => {
                self.forbids_null |= !lets_null_be;
                self.not_empty(kind)
            }
            Constraint::Matches(regexp) => match dialect {
                Dialect::YttOpenApi => false,
                Dialect::OpenApi | Dialect::JsonSchema => {
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
                // A null, which may stand there too, is not ruled out.
                let even = [("type", "number".into()), ("multipleOf", Node::Int(2))];
                self.push("not", map(even));
                is_expressed
            }
            Constraint::MultipleOf(step) => self.multiple(kind, dialect, &step.number()),
        }
    }

    /// An API server refuses `uniqueItems`, and has sets of scalars instead.
    fn unique(&mut self, subject: CelSubject<'_>, dialect: Dialect) -> bool {
        match (subject.kind, dialect) {
            (ValueKind::Array, Dialect::Kubernetes) if subject.has_scalar_items => {
                self.push("x-kubernetes-list-type", "set".into());
            }
            (ValueKind::Array, Dialect::OpenApi | Dialect::YttOpenApi | Dialect::JsonSchema) => {
                self.push("uniqueItems", true.into());
            }
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["array"]);
                self.push("uniqueItems", true.into());
            }
            _ => return false,
        }
        true
    }

    fn not_empty(&mut self, kind: ValueKind) -> bool {
        match kind {
            ValueKind::String => self.push("minLength", Node::Int(1)),
            ValueKind::Array => self.push("minItems", Node::Int(1)),
            ValueKind::Integer | ValueKind::Float => {
                self.push("not", map([("enum", array([Node::Int(0)].into_iter()))]));
            }
            ValueKind::IntegerOrString | ValueKind::Any => {
                let empty = ["".into(), Node::Int(0), array(std::iter::empty())];
                self.push("not", map([("enum", array(empty.into_iter()))]));
            }
            ValueKind::Boolean | ValueKind::Map => {}
        }
        true
    }

    fn length(
        &mut self,
        kind: ValueKind,
        dialect: Dialect,
        keywords: [&'static str; 3],
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

    fn bound(
        &mut self,
        kind: ValueKind,
        dialect: Dialect,
        keyword: &'static str,
        limit: &Node,
    ) -> bool {
        let is_number = matches!(limit, Node::Int(_) | Node::UInt(_) | Node::Float(_));
        is_number && self.of_number(kind, dialect, keyword, limit)
    }

    /// What may be a text may be a quantity, of which no keyword speaks.
    fn multiple(&mut self, kind: ValueKind, dialect: Dialect, step: &Node) -> bool {
        match (kind, dialect) {
            (ValueKind::IntegerOrString | ValueKind::Any, Dialect::JsonSchema) => {
                self.narrow(&["number", "string"]);
                self.push("multipleOf", step.clone());
                false
            }
            _ => self.of_number(kind, dialect, "multipleOf", step),
        }
    }

    fn of_number(
        &mut self,
        kind: ValueKind,
        dialect: Dialect,
        keyword: &'static str,
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
                self.push("pattern", Node::String(pattern.into()));
                true
            }
            _ => false,
        }
    }

    fn format(&mut self, format: Format, kind: ValueKind, dialect: Dialect) -> bool {
        let name = match (format, dialect) {
            (Format::Quantity, Dialect::Kubernetes) if kind == ValueKind::IntegerOrString => {
                self.push("pattern", QUANTITY_PATTERN.into());
                return true;
            }
            (Format::UriReference | Format::UriRef, Dialect::JsonSchema) => "uri-reference",
            (Format::UriReference | Format::UriRef, Dialect::OpenApi | Dialect::YttOpenApi) => {
                "uriref"
            }
            // What the API server does not know it does not check, and its durations are others.
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
        self.push("format", name.into());
        true
    }

    fn narrow(&mut self, types: &[&'static str]) {
        match &mut self.types {
            Some(left) => left.retain(|it| types.contains(it)),
            None => self.types = Some(types.to_vec()),
        }
    }

    fn push(&mut self, keyword: &'static str, value: Node) {
        self.keywords.push((keyword, value));
    }
}

const EXCLUSIVE_MINIMUM: &str = "exclusiveMinimum";
const EXCLUSIVE_MAXIMUM: &str = "exclusiveMaximum";
const MIN_PROPERTIES: &str = "minProperties";
const MIN_LENGTH: [&str; 3] = ["minLength", "minItems", MIN_PROPERTIES];
const MAX_LENGTH: [&str; 3] = ["maxLength", "maxItems", "maxProperties"];

/// Whether no one needs to be told: to an API server, what has a type is not null.
fn goes_without_saying(rule: &Rule, dialect: Dialect) -> bool {
    let is_not_null = matches!(rule.assertion, Assertion::Constraint(Constraint::NotNull));
    dialect == Dialect::Kubernetes && is_not_null && rule.description.is_none()
}

/// What a rule asks for. A description that its author left empty does not count.
pub(crate) fn describe(rule: &Rule) -> String {
    match (rule.description.as_deref(), &rule.assertion) {
        (Some(description), _) if !description.trim().is_empty() => description.to_owned(),
        (_, Assertion::Constraint(constraint)) => constraint.description().own,
        (_, Assertion::Function(function)) => match function.name() {
            "" | "lambda" => "a rule of its own".to_owned(),
            name => format!("{name}()"),
        },
    }
}

/// A text as a regular expression that matches it and nothing else.
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

fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
    let items = entries.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.into(), Origin::Unknown))
}

fn array(items: impl Iterator<Item = Node>) -> Node {
    let items = items.map(|node| ArrayItem::new(node, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}
