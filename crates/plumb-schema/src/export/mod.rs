//! Schemas in the languages of others.
//!
//! Each export is a document, to be printed as YAML or JSON. Keywords come in a fixed
//! order, so that equal schemas give equal bytes.

mod base;
mod crd;
mod json_schema;
mod openapi;

use std::cmp::Ordering;

use plumb_source::Origin;
use plumb_validation::{CelRule, CelSubject, Dialect, Keywords, Mode, compare, is_same_value};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node, NodeKind};

use crate::field::{Field, Type};

pub use crd::{CrdNames, NOT_IN_CRD, NameProblem, crd};
pub use json_schema::json_schema;
pub use openapi::openapi;

/// Keywords and their values, put in order at the end.
struct Entries(Vec<(&'static str, Node)>);

impl Entries {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn add(&mut self, keyword: &'static str, value: impl Into<Node>) {
        self.0.push((keyword, value.into()));
    }

    fn has(&self, keyword: &str) -> bool {
        self.0.iter().any(|(it, _)| *it == keyword)
    }

    fn remove(&mut self, keyword: &str) {
        self.0.retain(|(it, _)| *it != keyword);
    }

    fn add_unless_empty(&mut self, keyword: &'static str, text: &str) {
        if !text.is_empty() {
            self.add(keyword, text);
        }
    }

    /// What the rules of the field say. Of two bounds the narrower one counts; any other keyword
    /// that is said twice goes into an `allOf`.
    fn add_keywords(&mut self, keywords: &Keywords) {
        let mut repeated = Vec::new();
        for (keyword, value) in &keywords.keywords {
            match self.0.iter_mut().find(|(it, _)| it == keyword) {
                None => self.0.push((*keyword, value.clone())),
                Some((_, said)) if is_same_value(said, value) => {}
                Some((_, said)) => match narrower(keyword, said, value) {
                    Some(bound) => *said = bound,
                    None => repeated.push(map([(*keyword, value.clone())])),
                },
            }
        }
        if !repeated.is_empty() {
            self.add_to("allOf", repeated);
        }
        if !keywords.unexpressed.is_empty() {
            let descriptions = keywords.unexpressed.iter();
            let descriptions = descriptions.map(|it| map([("description", it.as_str().into())]));
            self.add("x-validations", array(descriptions.collect()));
        }
        if !keywords.cel.is_empty() {
            self.add("x-kubernetes-validations", array(keywords.cel.iter().map(entry).collect()));
        }
    }

    /// Adds items to the list of a keyword, which may be there already.
    fn add_to(&mut self, keyword: &'static str, items: Vec<Node>) {
        let list = self.0.iter_mut().find(|(it, _)| *it == keyword);
        match list.and_then(|(_, list)| list.array_mut()) {
            Some(list) => {
                let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
                list.items.extend(items);
            }
            None => self.add(keyword, array(items)),
        }
    }

    fn in_order(mut self, order: &[&str]) -> Node {
        let rank = |keyword: &str| order.iter().position(|it| *it == keyword);
        self.0.sort_by_key(|(keyword, _)| rank(keyword).unwrap_or(order.len()));
        map(self.0)
    }
}

/// A rule in CEL, as Kubernetes has it.
fn entry(rule: &CelRule) -> Node {
    let message = rule.message.as_deref().map(|it| ("message", it.into()));
    map([("rule", rule.expression.as_str().into())].into_iter().chain(message))
}

/// The narrower of two bounds; none for keywords that are no bounds.
fn narrower(keyword: &str, first: &Node, second: &Node) -> Option<Node> {
    let wanted = match keyword {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Ordering::Greater
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Ordering::Less
        }
        _ => return None,
    };
    let order = compare(second, first).ok()??;
    Some(if order == wanted { second.clone() } else { first.clone() })
}

fn keywords_of(field: &Field, dialect: Dialect) -> Keywords {
    let keys = declared_keys(field);
    let mut keywords = Keywords::of(&field.validations, subject(field, &keys), dialect);
    if lets_null_be(field) && !keywords.forbids_null {
        admit_null(&mut keywords);
    }
    keywords
}

/// The names of the keys of a map that has no others.
fn declared_keys(field: &Field) -> Vec<&str> {
    match &field.ty {
        Type::Map(ty) if ty.any_key().is_none() => {
            ty.entries().filter_map(|(key, _)| key.as_str()).collect()
        }
        _ => Vec::new(),
    }
}

/// What rules can know of the values of a field.
fn subject<'a>(field: &Field, keys: &'a [&'a str]) -> CelSubject<'a> {
    let has_scalar_items = match &field.ty {
        Type::Array(ty) => matches!(ty.item.ty, Type::Scalar(_)) && !ty.item.is_nullable,
        _ => false,
    };
    CelSubject { kind: field.ty.value_kind(), keys, has_scalar_items }
}

/// Whether the type has nothing against null.
fn lets_null_be(field: &Field) -> bool {
    field.is_nullable || matches!(field.ty, Type::Any | Type::Choice(_))
}

fn mode_keyword(mode: Mode) -> &'static str {
    match mode {
        Mode::AnyOf => "anyOf",
        Mode::AllOf => "allOf",
        Mode::OneOf => "oneOf",
    }
}

/// The name that both languages have for a kind.
fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "null",
        NodeKind::Boolean => "boolean",
        NodeKind::Integer => "integer",
        NodeKind::Float => "number",
        NodeKind::String => "string",
        NodeKind::Map => "object",
        NodeKind::Array => "array",
    }
}

/// A null is valid whatever the choices are.
fn admit_null(keywords: &mut Keywords) {
    for (_, choices) in keywords.keywords.iter_mut().filter(|(keyword, _)| *keyword == "enum") {
        let Some(choices) = choices.array_mut() else {
            continue;
        };
        if !choices.items.iter().any(|item| item.node.is_null()) {
            choices.items.push(ArrayItem::new(Node::Null, Origin::Unknown));
        }
    }
}

/// What the author says about a field, followed by what its rules ask for.
fn description(field: &Field, keywords: &Keywords) -> String {
    let mut out = field.docs.description.clone();
    if !keywords.descriptions.is_empty() {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str("Valid values:");
        for description in &keywords.descriptions {
            out.push_str("\n- ");
            out.push_str(description);
        }
    }
    out
}

fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let items = entries.into_iter();
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn array(items: Vec<Node>) -> Node {
    let items = items.into_iter().map(|node| ArrayItem::new(node, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}
