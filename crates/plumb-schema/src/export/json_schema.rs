//! The schema as a JSON Schema of draft 2020-12.
//!
//! It accepts what the engine accepts. What is left out is filled in, so a key is required only
//! where its default breaks its own rules; a null is let be unless a rule forbids it. What JSON
//! cannot tell apart (`1` and `1.0`) the schema cannot either.

use std::sync::Arc;

use plumb_source::Origin;
use plumb_validation::{Assertion, Declared, Dialect, Keywords, Verdict};
use plumb_value::{Document, Node};

use super::{Entries, array, description, keywords_of, map};
use crate::field::{Field, MapType, Scalar, Schema, Type};

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
    "required",
    "additionalProperties",
    "x-validations",
    "examples",
    "default",
];

/// The schema as a JSON Schema of draft 2020-12.
pub fn json_schema(schema: &Schema) -> Document {
    let mut entries = export(schema.root()).entries;
    entries.add("$schema", "https://json-schema.org/draft/2020-12/schema");
    Document::new(entries.in_order(ORDER), Origin::Unknown)
}

struct Export {
    entries: Entries,
    /// Whether the default is valid, as far as the schema can tell.
    is_default_valid: bool,
}

fn export(field: &Field) -> Export {
    let mut keywords = keywords_of(field, Dialect::JsonSchema);
    if matches!(field.ty, Type::Map(_)) {
        // What is given may be less: the engine counts when all keys are filled in.
        keywords.keywords.retain(|(keyword, _)| *keyword != "minProperties");
    }
    let mut entries = Entries::new();
    entries.add_unless_empty("title", &field.docs.title);
    entries.add_unless_empty("description", &description(field, &keywords));
    if field.docs.deprecation.is_some() {
        entries.add("deprecated", true);
    }
    match types(field, &keywords).as_deref() {
        None => {}
        // Rules that contradict each other leave nothing.
        Some([]) => entries.add("not", map([])),
        Some([only]) => entries.add("type", *only),
        Some(several) => {
            entries.add("type", array(several.iter().map(|&it| it.into()).collect()));
        }
    }
    let mut is_default_valid = is_told_by_keys(field) || is_valid(field, &field.default);
    match &field.ty {
        Type::Any if keywords.forbids_null && keywords.types.is_none() => {
            entries.add("not", map([("type", "null".into())]));
        }
        Type::Scalar(_) | Type::Any => {}
        Type::Array(ty) => entries.add("items", export(&ty.item).entries.in_order(ORDER)),
        Type::Map(ty) => {
            let is_valid = add_properties(ty, &mut entries);
            if is_told_by_keys(field) {
                is_default_valid = is_valid && breaks_no_rule(field, &field.default);
            }
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
    Export { entries, is_default_valid }
}

/// Adds the keys of a map; returns whether the default of each is valid.
fn add_properties(ty: &MapType, entries: &mut Entries) -> bool {
    let mut properties = Vec::with_capacity(ty.fields().len());
    let mut required = Vec::new();
    for (key, field) in ty.entries() {
        let name = property_name(key);
        let export = export(field);
        if !export.is_default_valid {
            required.push(name.as_str().into());
        }
        properties.push((name, export.entries.in_order(ORDER)));
    }
    let are_all_valid = required.is_empty();
    let properties = properties.iter().map(|(name, node)| (name.as_str(), node.clone()));
    entries.add("properties", map(properties));
    entries.add("additionalProperties", false);
    if !are_all_valid {
        entries.add("required", array(required));
    }
    are_all_valid
}

/// Whether a value that conforms is valid too, by all rules that the schema can express.
fn is_valid(field: &Field, value: &Node) -> bool {
    let are_children_valid = match value {
        Node::Map(map) => map.items().iter().all(|item| {
            Declared::entry(field, &item.key).is_none_or(|field| is_valid(field, &item.node))
        }),
        Node::Array(array) => array
            .items
            .iter()
            .all(|item| Declared::item(field).is_none_or(|field| is_valid(field, &item.node))),
        _ => true,
    };
    are_children_valid && breaks_no_rule(field, value)
}

fn breaks_no_rule(field: &Field, value: &Node) -> bool {
    let Some(validation) = field.validation.as_ref().filter(|it| it.when.is_none()) else {
        return true;
    };
    if value.is_null() && !validation.forbids_null() {
        return true;
    }
    validation.rules.iter().all(|rule| match &rule.assertion {
        Assertion::Constraint(constraint) => constraint.judge(value) == Verdict::Holds,
        Assertion::Function(_) => true,
    })
}

/// Whether the default of a map is nothing but the defaults of its keys, which say so themselves.
fn is_told_by_keys(field: &Field) -> bool {
    match (&field.ty, &field.default) {
        (Type::Map(ty), Node::Map(default)) => Arc::ptr_eq(ty.items(), default),
        _ => false,
    }
}

/// The types that are let in; none where any type will do.
fn types(field: &Field, keywords: &Keywords) -> Option<Vec<&'static str>> {
    let own = match &field.ty {
        Type::Scalar(Scalar::Boolean) => Some("boolean"),
        Type::Scalar(Scalar::Integer) => Some("integer"),
        Type::Scalar(Scalar::Float) => Some("number"),
        Type::Scalar(Scalar::String) => Some("string"),
        Type::Map(_) => Some("object"),
        Type::Array(_) => Some("array"),
        Type::Any => None,
    };
    let mut types = match (own, &keywords.types) {
        (Some(own), _) => vec![own],
        (None, Some(types)) => types.clone(),
        (None, None) => return None,
    };
    let lets_null_be = field.is_nullable || own.is_none();
    if lets_null_be && !keywords.forbids_null {
        types.push("null");
    }
    Some(types)
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
