//! Several schemas that all apply to one value: fills in their defaults, and finds schemas that no
//! value can satisfy.
//!
//! Each schema has already filled in its own defaults. The results are merged, and a schema only
//! checks again what the others added. Schemas may be nested, and a complete second check would
//! double the work at every level.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message;
use plumb_validation::{Choice, Mode, Work};
use plumb_value::{MapItem, Node};

use crate::conform::fitting;
use crate::field::{Field, MapType, Presence, Type};

/// No value can satisfy all parts of `@schema/all-of`.
///
/// A part allows only the keys that it declares, and has all of them. Declare all keys in every
/// part, mark those that may be missing with `@schema/key-may-be-present`, or allow other keys with
/// `@schema/any-key`.
pub const CONTRADICTING_PARTS: Code = Code::new("schema/contradicting-parts");

/// Reports parts of `@schema/all-of` that contradict each other: one always has a key that another
/// does not allow.
pub(crate) fn contradiction(choice: &Choice<Field>) -> Option<Diagnostic> {
    if choice.mode != Mode::AllOf {
        return None;
    }
    let maps = choice.alternatives.iter().enumerate().filter_map(|(at, it)| match &it.ty {
        Type::Map(map) if !it.is_nullable => Some((at + 1, &**map)),
        _ => None,
    });
    let maps: Vec<(usize, &MapType)> = maps.collect();
    let (with, without, key) = maps.iter().find_map(|(with, map)| {
        let always = map.entries().zip(map.presence());
        let always = always.filter(|(_, presence)| **presence != Presence::WhenGiven);
        { always }.find_map(|((key, _), _)| {
            let (without, _) = maps.iter().find(|(_, other)| other.field(key).is_none())?;
            Some((*with, *without, key))
        })
    })?;
    let key = key.key_words();
    let message = message!(
        "no value can satisfy all parts: part {with} always has the key `{key}`, and part \
         {without} does not allow it"
    );
    let help = "declare the key in both parts, or allow other keys with @schema/any-key";
    Some(Diagnostic::error(CONTRADICTING_PARTS, message).at(choice.declared_at, "").help(help))
}

/// Returns the value with the defaults of all alternatives, given the result of each one. Returns
/// `None` if there is nothing to fill in, or if the results conflict.
pub(crate) fn filled(
    alternatives: &[Field],
    node: &Node,
    own: &[Option<Node>],
    work: &Work<'_>,
) -> Option<Node> {
    let mut brought = own.iter().flatten();
    let mut whole = brought.next()?.clone();
    for other in brought {
        whole = united(&whole, other, work).unwrap_or(whole);
    }
    let mut is_settled = true;
    for (alternative, own) in alternatives.iter().zip(own) {
        if !own.as_ref().unwrap_or(node).is_same_object(&whole) {
            let more = fitting(alternative, &whole, work)?.changed;
            is_settled &= more.is_none();
            whole = more.unwrap_or(whole);
        }
    }
    let is_fine = is_settled || alternatives.iter().all(|it| fitting(it, &whole, work).is_some());
    is_fine.then_some(whole)
}

/// Adds the parts of another value that are missing in a value, at any depth. Returns `None` if
/// there are no such parts.
fn united(node: &Node, other: &Node, work: &Work<'_>) -> Option<Node> {
    if node.is_same_object(other) || !work.count(1) {
        return None;
    }
    match (node, other) {
        (Node::Map(map), Node::Map(others)) => {
            let changed: Vec<(usize, Node)> = { map.items().iter().enumerate() }
                .filter_map(|(at, item)| {
                    Some((at, united(&item.node, &others.get(&item.key)?.node, work)?))
                })
                .collect();
            let is_more = |it: &&MapItem| map.position(&it.key).is_none();
            let more: Vec<&MapItem> = others.items().iter().filter(is_more).collect();
            let is_same = changed.is_empty() && more.is_empty();
            if is_same || !work.build_items(map.len() + more.len()) {
                return None;
            }
            let mut whole = node.with_children(changed).unwrap_or_else(|| node.clone());
            whole.map_mut()?.items_mut().extend(more.into_iter().cloned());
            Some(whole)
        }
        (Node::Array(array), Node::Array(others)) if array.items.len() == others.items.len() => {
            let pairs = array.items.iter().zip(&others.items).enumerate();
            let changed: Vec<(usize, Node)> = pairs
                .filter_map(|(at, (item, other))| {
                    Some((at, united(&item.node, &other.node, work)?))
                })
                .collect();
            if changed.is_empty() || !work.build_items(array.items.len()) {
                return None;
            }
            node.with_children(changed)
        }
        _ => None,
    }
}
