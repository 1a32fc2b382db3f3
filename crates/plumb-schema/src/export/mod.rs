//! Exports schemas to other schema languages.
//!
//! Each export is a document, which can be printed as YAML or JSON. Keywords are in the order of
//! their dialect, so that equal schemas result in equal bytes.

mod base;
mod crd;
mod json_schema;
mod openapi;
mod ytt_rules;

use plumb_jsonschema::{Dialect, Expressed, Keyword};
use plumb_source::Origin;
use plumb_validation::{CelSubject, Choices, Constraint, Mode, Work};
use plumb_value::{ArrayItem, Map, MapItem, Node};

use crate::field::{Field, Type};

pub(crate) use base::is_valid;
pub use crd::{CrdNames, DroppedNulls, NOT_IN_CRD, NameError, crd};
pub use json_schema::json_schema;
pub use openapi::openapi;

/// Counts the memory for the export of a field: its keywords, and the values in its rules. Returns
/// whether it may be created.
fn can_pay(field: &Field, work: &Work<'_>) -> bool {
    /// The size of about eight keywords.
    const FIELD: usize = 8 * size_of::<MapItem>() + size_of::<Map>();
    let rules = field.validations.iter().flat_map(|it| &it.rules);
    let choices = rules.filter_map(|rule| match rule.assertion.constraint()? {
        Constraint::OneOf(choices) => Some(choices),
        _ => None,
    });
    let can_pay_for =
        |it: &Choices| work.build_items(it.values.len()) && work.build(it.shown.len());
    work.count(1) && work.build(FIELD) && { choices }.all(can_pay_for)
}

fn keywords_of(field: &Field, dialect: Dialect) -> Expressed {
    let keys = declared_keys(field);
    let mut keywords = Expressed::of(&field.validations, subject(field, &keys), dialect);
    if lets_null_be(field) && !keywords.forbids_null {
        admit_null(&mut keywords);
    }
    keywords
}

/// Returns the names of the keys of a map that allows no others.
fn declared_keys(field: &Field) -> Vec<&str> {
    match &field.ty {
        Type::Map(ty) if ty.any_key().is_none() => {
            ty.entries().filter_map(|(key, _)| key.as_str()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns what is known about the values of a field.
fn subject<'a>(field: &Field, keys: &'a [&'a str]) -> CelSubject<'a> {
    let has_scalar_items = match &field.ty {
        Type::Array(ty) => matches!(ty.item.ty, Type::Scalar(_)) && !ty.item.is_nullable,
        _ => false,
    };
    CelSubject { kind: field.ty.value_kind(), keys, has_scalar_items }
}

/// Returns whether the type accepts null.
fn lets_null_be(field: &Field) -> bool {
    field.is_nullable || matches!(field.ty, Type::Any | Type::Choice(_))
}

fn mode_keyword(mode: Mode) -> Keyword {
    match mode {
        Mode::AnyOf => Keyword::AnyOf,
        Mode::AllOf => Keyword::AllOf,
        Mode::OneOf => Keyword::OneOf,
    }
}

/// Adds null to the allowed values.
fn admit_null(keywords: &mut Expressed) {
    for (_, choices) in
        keywords.keywords.iter_mut().filter(|(keyword, _)| *keyword == Keyword::Enum)
    {
        let Some(choices) = choices.array_mut() else {
            continue;
        };
        if !choices.items.iter().any(|item| item.node.is_null()) {
            choices.items.push(ArrayItem::new(Node::Null, Origin::Unknown));
        }
    }
}

/// Returns the author's description of a field, followed by the requirements of its rules.
fn description(field: &Field, keywords: &Expressed) -> String {
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
