//! The schema as a JSON Schema of draft 2020-12.
//!
//! It accepts what the engine accepts. No key is required, because what is left out is filled in;
//! a null is let be unless a rule forbids it. What JSON cannot tell apart (`1` and `1.0`) the
//! schema cannot either.

use std::sync::Arc;

use plumb_source::Origin;
use plumb_validation::{Dialect, Keywords};
use plumb_value::{Document, Node};

use super::{Entries, array, description, keywords_of, map};
use crate::field::{Field, Scalar, Schema, Type};

const ORDER: &[&str] = &[
    "$schema",
    "title",
    "description",
    "deprecated",
    "type",
    "format",
    "enum",
    "minimum",
    "maximum",
    "multipleOf",
    "not",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "contains",
    "minProperties",
    "maxProperties",
    "allOf",
    "items",
    "properties",
    "additionalProperties",
    "x-validations",
    "examples",
    "default",
];

/// The schema as a JSON Schema of draft 2020-12.
pub fn json_schema(schema: &Schema) -> Document {
    let mut entries = entries(schema.root());
    entries.add("$schema", "https://json-schema.org/draft/2020-12/schema");
    Document::new(entries.in_order(ORDER), Origin::Unknown)
}

fn entries(field: &Field) -> Entries {
    let keywords = keywords_of(field, Dialect::JsonSchema);
    let mut entries = Entries::new();
    entries.add_unless_empty("title", &field.docs.title);
    entries.add_unless_empty("description", &description(field, &keywords));
    if field.docs.deprecation.is_some() {
        entries.add("deprecated", true);
    }
    if let Some(types) = types(field, &keywords) {
        entries.add("type", types);
    }
    match &field.ty {
        Type::Any if keywords.forbids_null && keywords.types.is_none() => {
            entries.add("not", map([("type", "null".into())]));
        }
        Type::Scalar(_) | Type::Any => {}
        Type::Array(ty) => entries.add("items", self::entries(&ty.item).in_order(ORDER)),
        Type::Map(ty) => {
            let names: Vec<(String, Node)> = ty
                .entries()
                .map(|(key, field)| (property_name(key), self::entries(field).in_order(ORDER)))
                .collect();
            let properties = names.iter().map(|(name, node)| (name.as_str(), node.clone()));
            entries.add("properties", map(properties));
            entries.add("additionalProperties", false);
        }
    }
    entries.add_keywords(&keywords);
    if !field.docs.examples.is_empty() {
        let examples = field.docs.examples.iter().map(|example| example.value.clone());
        entries.add("examples", array(examples.collect()));
    }
    if !is_told_by_keys(field) {
        entries.add("default", field.default.clone());
    }
    entries
}

/// Whether the default of a map is nothing but the defaults of its keys, which say so themselves.
fn is_told_by_keys(field: &Field) -> bool {
    match (&field.ty, &field.default) {
        (Type::Map(ty), Node::Map(default)) => Arc::ptr_eq(ty.items(), default),
        _ => false,
    }
}

/// The value of `type`; none where any type will do.
fn types(field: &Field, keywords: &Keywords) -> Option<Node> {
    let own = match &field.ty {
        Type::Scalar(Scalar::Boolean) => "boolean",
        Type::Scalar(Scalar::Integer) => "integer",
        Type::Scalar(Scalar::Float) => "number",
        Type::Scalar(Scalar::String) => "string",
        Type::Map(_) => "object",
        Type::Array(_) => "array",
        Type::Any => "",
    };
    let mut names: Vec<Node> = match keywords.types {
        Some(types) => types.iter().map(|&it| it.into()).collect(),
        None if own.is_empty() => return None,
        None => vec![own.into()],
    };
    let lets_null_be = field.is_nullable || own.is_empty();
    if lets_null_be && !keywords.forbids_null {
        names.push("null".into());
    }
    if names.len() == 1 { names.pop() } else { Some(array(names)) }
}

/// JSON has no keys but strings: others are written as YAML would write them.
fn property_name(key: &Node) -> String {
    match key {
        Node::String(text) => text.to_string(),
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        other => other.repr(),
    }
}
