//! The last look at data values: their rules, and which of several alternatives they settle on.

use plumb_validation::{Choice, Declared, Malformed, Mode, Violation, satisfies};
use plumb_value::{Array, Document, Map, Node};

use crate::field::{Field, Schema, Type};

/// Runs all rules on data values that conform, those of the schema and those of `@assert/validate`
/// annotations. Where there is nothing to say, alternatives that only their rules tell apart are
/// settled, and filled in.
///
/// `index` is the place of the document in its file.
pub fn validate(
    schema: &Schema,
    values: &mut Document,
    index: usize,
) -> Result<Vec<Violation>, Vec<Malformed>> {
    let violations = plumb_validation::check(values, index, Some(schema.root()))?;
    if violations.is_empty()
        && has_choice(schema.root())
        && let Some(settled) = settle(schema.root(), &values.node)
    {
        values.node = settled;
    }
    Ok(violations)
}

fn has_choice(field: &Field) -> bool {
    match &field.ty {
        Type::Choice(_) => true,
        Type::Map(ty) => ty.fields().iter().chain(ty.any_key()).any(has_choice),
        Type::Array(ty) => has_choice(&ty.item),
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => false,
    }
}

/// The value as it settles; none if that changes nothing.
fn settle(field: &Field, node: &Node) -> Option<Node> {
    match (&field.ty, node) {
        (_, Node::Null) if field.is_nullable => None,
        (Type::Choice(choice), _) => settle_choice(choice, node),
        (Type::Map(ty), Node::Map(map)) => {
            let settled = map.items().iter().enumerate();
            let settled = settled
                .filter_map(|(at, item)| Some((at, settle(ty.field(&item.key)?, &item.node)?)));
            let settled: Vec<(usize, Node)> = settled.collect();
            let mut whole = (!settled.is_empty()).then(|| Map::clone(map))?;
            for (at, node) in settled {
                whole.item_mut(at).node = node;
            }
            Some(Node::map(whole))
        }
        (Type::Array(ty), Node::Array(array)) => {
            let settled = array.items.iter().enumerate();
            let settled =
                settled.filter_map(|(at, item)| Some((at, settle(&ty.item, &item.node)?)));
            let settled: Vec<(usize, Node)> = settled.collect();
            let mut whole = (!settled.is_empty()).then(|| Array::clone(array))?;
            for (at, node) in settled {
                whole.items[at].node = node;
            }
            Some(Node::array(whole))
        }
        _ => None,
    }
}

fn settle_choice(choice: &Choice<Field>, node: &Node) -> Option<Node> {
    if choice.mode == Mode::AllOf {
        return None;
    }
    let settled = choice.alternatives.iter().find(|it| satisfies(*it, node))?;
    let filled = settled.fit(node)?;
    Some(settle(settled, &filled).unwrap_or(filled))
}
