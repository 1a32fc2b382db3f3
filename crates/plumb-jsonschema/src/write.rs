//! Writes schemas as documents: keywords in the order in which exports print them.

use std::cmp::Ordering;

use plumb_source::Origin;
use plumb_validation::{CelRule, compare, is_same_value};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::{Expressed, Keyword};

/// The language that a schema is exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `OpenAPI` 3.0, which has no `contains` and no `const`.
    OpenApi,
    /// `OpenAPI` 3.0 as ytt exports it: with few rules.
    YttOpenApi,
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// The part of `OpenAPI` that Kubernetes accepts. Patterns have the syntax of RE2, like those
    /// of Plumb.
    Kubernetes,
}

impl Dialect {
    /// The order in which exports print keywords.
    pub fn order(self) -> &'static [Keyword] {
        match self {
            Self::OpenApi | Self::YttOpenApi => OPENAPI,
            Self::JsonSchema => JSON_SCHEMA,
            Self::Kubernetes => KUBERNETES,
        }
    }
}

const JSON_SCHEMA: &[Keyword] = &[
    Keyword::SchemaUri,
    Keyword::Title,
    Keyword::Description,
    Keyword::Deprecated,
    Keyword::Type,
    Keyword::Format,
    Keyword::Enum,
    Keyword::Minimum,
    Keyword::ExclusiveMinimum,
    Keyword::Maximum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
    Keyword::Not,
    Keyword::MinLength,
    Keyword::MaxLength,
    Keyword::Pattern,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::UniqueItems,
    Keyword::Contains,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::AnyOf,
    Keyword::AllOf,
    Keyword::OneOf,
    Keyword::Items,
    Keyword::Properties,
    Keyword::Required,
    Keyword::AdditionalProperties,
    Keyword::Validations,
    Keyword::CelRules,
    Keyword::Examples,
    Keyword::ExampleDescriptions,
    Keyword::Default,
];

const OPENAPI: &[Keyword] = &[
    Keyword::Title,
    Keyword::Type,
    Keyword::AdditionalProperties,
    Keyword::Format,
    Keyword::Nullable,
    Keyword::Deprecated,
    Keyword::Description,
    Keyword::ExampleDescription,
    Keyword::Example,
    Keyword::FurtherExamples,
    Keyword::Items,
    Keyword::Properties,
    Keyword::Required,
    Keyword::Default,
    Keyword::Minimum,
    Keyword::ExclusiveMinimum,
    Keyword::Maximum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
    Keyword::MinLength,
    Keyword::MaxLength,
    Keyword::Pattern,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::UniqueItems,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::Enum,
    Keyword::Not,
    Keyword::AnyOf,
    Keyword::AllOf,
    Keyword::OneOf,
    Keyword::Validations,
];

const KUBERNETES: &[Keyword] = &[
    Keyword::Title,
    Keyword::Description,
    Keyword::Type,
    Keyword::IntOrString,
    Keyword::Nullable,
    Keyword::Format,
    Keyword::Enum,
    Keyword::Minimum,
    Keyword::ExclusiveMinimum,
    Keyword::Maximum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
    Keyword::Not,
    Keyword::MinLength,
    Keyword::MaxLength,
    Keyword::Pattern,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::ListType,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::AnyOf,
    Keyword::AllOf,
    Keyword::OneOf,
    Keyword::Items,
    Keyword::Properties,
    Keyword::Required,
    Keyword::AdditionalProperties,
    Keyword::PreserveUnknownFields,
    Keyword::CelRules,
    Keyword::Example,
    Keyword::Default,
];

/// Keywords and their values. A dialect orders them when they become a schema.
#[derive(Clone, Debug, Default)]
pub struct Entries(Vec<(Keyword, Node)>);

impl Entries {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a keyword with its value.
    pub fn add(&mut self, keyword: Keyword, value: impl Into<Node>) {
        self.0.push((keyword, value.into()));
    }

    /// Adds a keyword with a text, unless the text is empty.
    pub fn add_unless_empty(&mut self, keyword: Keyword, text: &str) {
        if !text.is_empty() {
            self.add(keyword, text);
        }
    }

    /// Adds a schema unless it is empty.
    pub fn add_if_any(&mut self, keyword: Keyword, schema: Node) {
        if schema.as_map().is_some_and(|it| !it.is_empty()) {
            self.add(keyword, schema);
        }
    }

    /// Returns whether the keyword was added.
    pub fn has(&self, keyword: Keyword) -> bool {
        self.0.iter().any(|(it, _)| *it == keyword)
    }

    /// Removes a keyword, if it was added.
    pub fn remove(&mut self, keyword: Keyword) {
        self.0.retain(|(it, _)| *it != keyword);
    }

    /// Appends items to the list of a keyword. The keyword is added if it is missing.
    pub fn add_to(&mut self, keyword: Keyword, items: Vec<Node>) {
        let list = self.0.iter_mut().find(|(it, _)| *it == keyword);
        match list.and_then(|(_, list)| list.array_mut()) {
            Some(list) => {
                let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
                list.items.extend(items);
            }
            None => self.add(keyword, array(items)),
        }
    }

    /// Adds translated rules. Of two bounds, the narrower one is used; any other keyword that
    /// occurs twice is moved into an `allOf`.
    pub fn add_rules(&mut self, rules: &Expressed) {
        let mut repeated = Vec::new();
        for (keyword, value) in &rules.keywords {
            match self.0.iter_mut().find(|(it, _)| it == keyword) {
                None => self.0.push((*keyword, value.clone())),
                Some((_, known)) if is_same_value(known, value) => {}
                Some((_, known)) => match narrower(*keyword, known, value) {
                    Some(bound) => *known = bound,
                    None => repeated.push(schema([(*keyword, value.clone())])),
                },
            }
        }
        if !repeated.is_empty() {
            self.add_to(Keyword::AllOf, repeated);
        }
        if !rules.unexpressed.is_empty() {
            let descriptions = rules.unexpressed.iter();
            let descriptions =
                descriptions.map(|it| schema([(Keyword::Description, it.as_str().into())]));
            self.add(Keyword::Validations, array(descriptions));
        }
        if !rules.cel.is_empty() {
            self.add(Keyword::CelRules, array(rules.cel.iter().map(cel_entry)));
        }
    }

    /// Returns the schema, with its keywords in the order of the dialect.
    pub fn into_schema(mut self, dialect: Dialect) -> Node {
        let order = dialect.order();
        let rank = |keyword: Keyword| order.iter().position(|it| *it == keyword);
        self.0.sort_by_key(|(keyword, _)| rank(*keyword).unwrap_or(order.len()));
        schema(self.0)
    }
}

/// A rule in CEL in the form of Kubernetes.
fn cel_entry(rule: &CelRule) -> Node {
    let message = rule.message.as_deref().map(|it| ("message", it.into()));
    let mut entry = map([("rule", rule.expression.as_str().into())].into_iter().chain(message));
    if let Some(item) = entry.map_mut().and_then(|it| it.items_mut().first_mut()) {
        item.origin = rule.origin;
    }
    entry
}

/// The narrower of two bounds, or `None` for keywords that are not bounds.
fn narrower(keyword: Keyword, first: &Node, second: &Node) -> Option<Node> {
    let order = compare(second, first).ok()??;
    Some(if order == keyword.narrowing()? { second.clone() } else { first.clone() })
}

impl Keyword {
    /// Returns how the narrower of two bounds compares with the other. Returns `None` for keywords
    /// that are not bounds.
    pub fn narrowing(self) -> Option<Ordering> {
        match self {
            Self::Minimum
            | Self::ExclusiveMinimum
            | Self::MinLength
            | Self::MinItems
            | Self::MinProperties => Some(Ordering::Greater),
            Self::Maximum
            | Self::ExclusiveMaximum
            | Self::MaxLength
            | Self::MaxItems
            | Self::MaxProperties => Some(Ordering::Less),
            _ => None,
        }
    }
}

/// Creates a schema with these keywords, in this order.
pub fn schema(entries: impl IntoIterator<Item = (Keyword, Node)>) -> Node {
    map(entries.into_iter().map(|(keyword, node)| (keyword.name(), node)))
}

/// Creates a map without an origin.
pub fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let items = entries.into_iter();
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

/// Creates an array without an origin.
pub fn array(items: impl IntoIterator<Item = Node>) -> Node {
    let items = items.into_iter().map(|node| ArrayItem::new(node, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}
