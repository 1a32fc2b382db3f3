//! Keys that data values may bring along.

use std::sync::Arc;

use plumb_value::{Annotation, Datum, Document, Meta, Node};

use crate::field::{Field, MapType, Schema, Type};

/// Marks the items of a data values document whose keys the schema lets in without having them by
/// default: overlaying it adds them, where a key that is not there is an error otherwise.
pub fn permit_new_keys(schema: &Schema, overlay: &mut Document) {
    if lets_keys_in(schema.root()) {
        permit(schema.root(), &mut overlay.node);
    }
}

fn lets_keys_in(field: &Field) -> bool {
    match &field.ty {
        Type::Map(ty) => {
            let has_own = ty.any_key().is_some() || ty.items().len() > ty.default().len();
            has_own || ty.fields().iter().any(lets_keys_in)
        }
        Type::Array(ty) => lets_keys_in(&ty.item),
        Type::Scalar(_) | Type::Kinds(_) | Type::Choice(_) | Type::Any => false,
    }
}

fn permit(field: &Field, node: &mut Node) {
    match &field.ty {
        Type::Map(ty) => {
            let Some(map) = node.map_mut() else {
                return;
            };
            for at in 0..map.len() {
                let item = map.item_mut(at);
                if is_let_in(ty, &item.key) {
                    allow_missing(&mut item.meta);
                }
                if let Some(field) = ty.field(&item.key) {
                    permit(field, &mut item.node);
                }
            }
        }
        Type::Array(ty) => {
            let items = node.array_mut().map(|array| &mut array.items);
            items.into_iter().flatten().for_each(|item| permit(&ty.item, &mut item.node));
        }
        Type::Scalar(_) | Type::Kinds(_) | Type::Choice(_) | Type::Any => {}
    }
}

/// Whether a key may come along that is not there by default.
fn is_let_in(ty: &MapType, key: &Node) -> bool {
    ty.default().position(key).is_none() && ty.field(key).is_some()
}

/// `@overlay/match missing_ok=True`, unless the author says what else to match.
fn allow_missing(meta: &mut Meta) {
    let name: Arc<str> = "overlay/match".into();
    let mut annotation = meta.annotation(&name).cloned().unwrap_or_else(|| Annotation {
        name,
        args: Vec::new(),
        kwargs: Vec::new(),
        span: None,
    });
    let says_how_many = ["missing_ok", "expects", "when"];
    if !says_how_many.iter().any(|name| annotation.kwarg(name).is_some()) {
        annotation.kwargs.push(("missing_ok".into(), Datum::Node(Node::Bool(true))));
        meta.annotations_mut().set(annotation);
    }
}
