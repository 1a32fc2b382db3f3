//! Schemas as documents: keywords in the order in which exports print them.

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
    /// `OpenAPI` 3.0 as ytt exports it: without patterns.
    YttOpenApi,
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// The part of `OpenAPI` that Kubernetes accepts. Patterns are those of RE2, as ours.
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

/// Keywords and their values, in the order of a dialect when they become a schema.
#[derive(Clone, Debug, Default)]
pub struct Entries(Vec<(Keyword, Node)>);

impl Entries {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, keyword: Keyword, value: impl Into<Node>) {
        self.0.push((keyword, value.into()));
    }

    pub fn add_unless_empty(&mut self, keyword: Keyword, text: &str) {
        if !text.is_empty() {
            self.add(keyword, text);
        }
    }

    /// Adds a schema unless it says nothing.
    pub fn add_if_any(&mut self, keyword: Keyword, schema: Node) {
        if schema.as_map().is_some_and(|it| !it.is_empty()) {
            self.add(keyword, schema);
        }
    }

    pub fn has(&self, keyword: Keyword) -> bool {
        self.0.iter().any(|(it, _)| *it == keyword)
    }

    pub fn remove(&mut self, keyword: Keyword) {
        self.0.retain(|(it, _)| *it != keyword);
    }

    /// Adds items to the list of a keyword, which may be there already.
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

    /// Adds what rules come to. Of two bounds the narrower one counts; any other keyword that
    /// occurs twice goes into an `allOf`.
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

    /// The schema that the keywords are.
    pub fn into_schema(mut self, dialect: Dialect) -> Node {
        let order = dialect.order();
        let rank = |keyword: Keyword| order.iter().position(|it| *it == keyword);
        self.0.sort_by_key(|(keyword, _)| rank(*keyword).unwrap_or(order.len()));
        schema(self.0)
    }
}

/// A rule in CEL, as Kubernetes has it.
fn cel_entry(rule: &CelRule) -> Node {
    let message = rule.message.as_deref().map(|it| ("message", it.into()));
    map([("rule", rule.expression.as_str().into())].into_iter().chain(message))
}

/// The narrower of two bounds, or `None` for keywords that are not bounds.
fn narrower(keyword: Keyword, first: &Node, second: &Node) -> Option<Node> {
    let order = compare(second, first).ok()??;
    Some(if order == keyword.narrowing()? { second.clone() } else { first.clone() })
}

impl Keyword {
    /// How the narrower of two bounds compares with the other; `None` for keywords that are not
    /// bounds.
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

/// A schema with these keywords.
pub fn schema(entries: impl IntoIterator<Item = (Keyword, Node)>) -> Node {
    map(entries.into_iter().map(|(keyword, node)| (keyword.name(), node)))
}

/// A map that no one wrote.
pub fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let items = entries.into_iter();
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

/// An array that no one wrote.
pub fn array(items: impl IntoIterator<Item = Node>) -> Node {
    let items = items.into_iter().map(|node| ArrayItem::new(node, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}
