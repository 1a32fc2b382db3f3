//! The rules that ytt exports to `OpenAPI`.
//!
//! These are the keywords `min`, `max`, `min_len`, `max_len` and `one_of` of the document and of
//! keys of maps, without a condition. Rules for items of arrays are left out, and so are lengths of
//! values that may be null or have any type.

use plumb_jsonschema::{Entries, Keyword, array};
use plumb_validation::{Constraint, ValueKind};
use plumb_value::Node;

use crate::field::Field;

/// Adds the rules of a document or of a key.
pub(super) fn add(field: &Field, entries: &mut Entries) {
    let always = field.validations.iter().filter(|it| it.when.is_none());
    let named = always.flat_map(|it| &it.rules).filter(|it| it.is_named);
    for constraint in named.filter_map(|it| it.assertion.constraint()) {
        if let Some((keyword, value)) = keyword(constraint, field) {
            entries.add(keyword, value);
        }
    }
}

fn keyword(constraint: &Constraint, field: &Field) -> Option<(Keyword, Node)> {
    use Keyword as K;
    Some(match constraint {
        Constraint::Min(limit) => (K::Minimum, limit.clone()),
        Constraint::Max(limit) => (K::Maximum, limit.clone()),
        Constraint::OneOf(choices) => (K::Enum, array(choices.values.iter().cloned())),
        Constraint::MinLen(n) => length(field, *n, [K::MinLength, K::MinItems, K::MinProperties])?,
        Constraint::MaxLen(n) => length(field, *n, [K::MaxLength, K::MaxItems, K::MaxProperties])?,
        _ => return None,
    })
}

fn length(field: &Field, n: i128, keywords: [Keyword; 3]) -> Option<(Keyword, Node)> {
    let [of_string, of_array, of_map] = keywords;
    let keyword = match field.ty.value_kind() {
        _ if field.is_nullable => return None,
        ValueKind::String => of_string,
        ValueKind::Array => of_array,
        ValueKind::Map => of_map,
        ValueKind::Integer
        | ValueKind::Float
        | ValueKind::Boolean
        | ValueKind::IntegerOrString
        | ValueKind::Any => return None,
    };
    Some((keyword, Node::Int(i64::try_from(n).ok()?)))
}
