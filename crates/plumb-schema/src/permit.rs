//! Marks keys that data values may add.

use std::sync::Arc;

use plumb_value::{Annotation, Datum, Document, Meta, Node};

use crate::field::{Field, Schema, Type};

/// The operations of an overlay item other than a merge.
const OTHER_OPERATIONS: [&str; 6] = [
    "overlay/remove",
    "overlay/replace",
    "overlay/insert",
    "overlay/append",
    "overlay/assert",
    "overlay/noop",
];

/// Marks the items of a data values document whose keys are valid but not in the defaults of the
/// schema: so that the overlay adds them. Without the mark, a missing key is an error.
pub fn permit_new_keys(schema: &Schema, overlay: &mut Document) {
    let root = schema.root();
    if lets_keys_in(root) {
        permit(root, &root.default, &mut overlay.node);
    }
}

/// Marks the items whose keys the schema does not declare: so that the overlay adds them, and the
/// type check reports them. Returns `None` if there are no such items.
pub fn with_undeclared_keys_permitted(schema: &Schema, overlay: &Document) -> Option<Document> {
    if !has_undeclared(schema.root(), &overlay.node) {
        return None;
    }
    let mut overlay = overlay.clone();
    permit_undeclared(schema.root(), &mut overlay.node);
    Some(overlay)
}

/// Returns whether an item is merged with the node that it matches: it has no other operation.
fn is_merged(meta: &Meta) -> bool {
    let is_other = |it: &Annotation| OTHER_OPERATIONS.contains(&&*it.name);
    !meta.annotations().iter().any(is_other)
}

fn has_undeclared(field: &Field, node: &Node) -> bool {
    match (&field.ty, node) {
        (Type::Map(ty), Node::Map(map)) => {
            map.items().iter().any(|item| match ty.field(&item.key) {
                Some(field) => has_undeclared(field, &item.node),
                None => is_merged(&item.meta),
            })
        }
        (Type::Array(ty), Node::Array(array)) => {
            array.items.iter().any(|item| has_undeclared(&ty.item, &item.node))
        }
        _ => false,
    }
}

fn permit_undeclared(field: &Field, node: &mut Node) {
    match &field.ty {
        Type::Map(ty) => {
            let Some(map) = node.map_mut() else { return };
            for at in 0..map.len() {
                let item = map.item_mut(at);
                match ty.field(&item.key) {
                    Some(field) => permit_undeclared(field, &mut item.node),
                    None if is_merged(&item.meta) => allow_missing(&mut item.meta),
                    None => {}
                }
            }
        }
        Type::Array(ty) => {
            let items = node.array_mut().map(|array| &mut array.items);
            items.into_iter().flatten().for_each(|it| permit_undeclared(&ty.item, &mut it.node));
        }
        Type::Choice(_) | Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
    }
}

fn lets_keys_in(field: &Field) -> bool {
    match &field.ty {
        Type::Map(ty) => {
            let has_own = ty.any_key().is_some() || ty.items().len() > ty.default().len();
            has_own || ty.fields().iter().any(lets_keys_in)
        }
        Type::Array(ty) => lets_keys_in(&ty.item),
        // Some alternatives have other keys than the default.
        Type::Choice(_) => true,
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => false,
    }
}

/// Marks the items of a node that will be merged into `base`.
fn permit(field: &Field, base: &Node, node: &mut Node) {
    match &field.ty {
        Type::Map(ty) => {
            let base = base.as_map().unwrap_or(ty.default());
            let Some(map) = node.map_mut() else {
                return;
            };
            for at in 0..map.len() {
                let item = map.item_mut(at);
                let Some(field) = ty.field(&item.key) else {
                    continue;
                };
                let below = base.get(&item.key);
                if below.is_none() {
                    allow_missing(&mut item.meta);
                }
                permit(field, below.map_or(&field.default, |it| &it.node), &mut item.node);
            }
        }
        Type::Array(ty) => {
            let items = node.array_mut().map(|array| &mut array.items);
            let items = items.into_iter().flatten();
            items.for_each(|item| permit(&ty.item, &ty.item.default, &mut item.node));
        }
        Type::Choice(choice) => {
            choice.alternatives.iter().for_each(|it| permit(it, base, node));
        }
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
    }
}

/// Adds `@overlay/match missing_ok=True`, unless the author has declared what to match.
fn allow_missing(meta: &mut Meta) {
    let name: Arc<str> = "overlay/match".into();
    let mut annotation = meta
        .annotation(&name)
        .cloned()
        .unwrap_or_else(|| Annotation::new(name, Vec::new(), Vec::new(), None));
    let says_how_many = ["missing_ok", "expects", "when"];
    if !says_how_many.iter().any(|name| annotation.kwarg(name).is_some()) {
        annotation.kwargs.push(("missing_ok".into(), Datum::Node(Node::Bool(true))));
        meta.annotations_mut().set(annotation);
    }
}
