//! The final check of data values: runs their rules, and selects one of several alternatives.

use plumb_validation::{
    AnnotationError, CheckedValue, Choice, Declared, MistypedPaths, Mode, Parents, Violation, Work,
    satisfying,
};
use plumb_value::{Document, Node};

use crate::field::{Field, Presence, Schema, Type};
use crate::trail::Trail;

/// Runs all rules on conforming data values, those of the schema and those of `@assert/validate`
/// annotations. If there are no violations, alternatives that only differ in their rules are
/// selected and filled in.
///
/// `index` is the position of the document in its file.
pub fn validate(
    schema: &Schema,
    values: &mut Document,
    index: usize,
    parents: Parents,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    let has_choice = schema.root().any(&|field| matches!(field.ty, Type::Choice(_)));
    let has_rules = has_choice || schema.root().any(&|field| is_checked(field));
    if !has_rules && !plumb_validation::carries_rules(values) {
        return Ok(Vec::new());
    }
    let violations = plumb_validation::check(values, index, Some(schema.root()), parents, work)?;
    if violations.is_empty()
        && has_choice
        && let Some(settled) =
            settle(schema.root(), &values.node, RuleContext::root(&values.node, work))
    {
        values.node = settled;
    }
    Ok(violations)
}

/// Like [`validate`], for data values of which some do not conform: runs the rules for all others.
pub fn validate_rest(
    schema: &Schema,
    values: &Document,
    known: &MistypedPaths,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    plumb_validation::check_rest(values, 0, schema.root(), known, work)
}

/// Returns whether a field has more to check than its type.
fn is_checked(field: &Field) -> bool {
    let has_required =
        matches!(&field.ty, Type::Map(ty) if ty.presence().contains(&Presence::Required));
    has_required || !field.validations.is_empty()
}

/// The context of a value, which its rules may read.
#[derive(Clone, Copy)]
struct RuleContext<'a> {
    trail: &'a Trail<'a>,
    parent: Option<&'a Node>,
    root: &'a Node,
    work: &'a Work<'a>,
}

impl<'a> RuleContext<'a> {
    fn root(root: &'a Node, work: &'a Work<'a>) -> Self {
        Self { trail: &Trail::Root, parent: None, root, work }
    }
}

/// Returns the value with alternatives selected, or `None` if nothing changes.
fn settle(field: &Field, node: &Node, place: RuleContext<'_>) -> Option<Node> {
    let parent = Some(node);
    if !place.work.count(1) {
        return None;
    }
    match (&field.ty, node) {
        (_, Node::Null) if field.is_nullable => None,
        (Type::Choice(choice), _) => settle_choice(choice, node, place),
        (Type::Map(ty), Node::Map(map)) => {
            let settled = map.items().iter().enumerate().filter_map(|(at, item)| {
                let trail = &Trail::Key(place.trail, &item.key);
                let place = RuleContext { trail, parent, ..place };
                Some((at, settle(ty.field(&item.key)?, &item.node, place)?))
            });
            node.with_children(settled)
        }
        (Type::Array(ty), Node::Array(array)) => {
            let settled = array.items.iter().enumerate().filter_map(|(at, item)| {
                let trail = &Trail::Index(place.trail, at);
                let place = RuleContext { trail, parent, ..place };
                Some((at, settle(&ty.item, &item.node, place)?))
            });
            node.with_children(settled)
        }
        _ => None,
    }
}

/// Returns the first alternative that is satisfied. If the value has the type of only one
/// alternative, it must be that one, because at least one is satisfied.
fn settle_choice(choice: &Choice<Field>, node: &Node, place: RuleContext<'_>) -> Option<Node> {
    if choice.mode == Mode::AllOf {
        return None;
    }
    let fitting: Vec<&Field> =
        choice.alternatives.iter().filter(|it| it.fit(node, place.work).is_some()).collect();
    let (settled, filled) = match fitting.as_slice() {
        [only] => (*only, only.fit(node, place.work)?),
        several => {
            let path = place.trail.path();
            let RuleContext { parent, root, work, .. } = place;
            let subject = CheckedValue { parent, root, ..CheckedValue::alone("", &path, node) };
            several.iter().find_map(|it| Some((*it, satisfying(*it, subject, work)?)))?
        }
    };
    Some(settle(settled, &filled, place).unwrap_or(filled))
}
