//! Values that are marked as secret (`@schema/secret`), in documents that are shown.

use std::borrow::Cow;

use plumb_source::message::MASK;
use plumb_value::Node;

use crate::field::{Field, Type};

/// Returns a value with a mask in place of each secret. Null and empty values are not secret.
pub fn masked<'a>(field: &Field, node: &'a Node) -> Cow<'a, Node> {
    if !field.has_secret {
        return Cow::Borrowed(node);
    }
    let mut copy = node.clone();
    mask(field, &mut copy);
    Cow::Owned(copy)
}

/// Returns whether the type itself or a type below it is secret.
pub(crate) fn is_in(ty: &Type) -> bool {
    match ty {
        Type::Map(ty) => ty.fields().iter().chain(ty.any_key()).any(|it| it.has_secret),
        Type::Array(ty) => ty.item.has_secret,
        Type::Choice(choice) => choice.alternatives.iter().any(|it| it.has_secret),
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => false,
    }
}

fn mask(field: &Field, node: &mut Node) {
    if !field.has_secret {
        return;
    }
    if field.docs.is_secret {
        if !is_empty(node) {
            *node = MASK.into();
        }
        return;
    }
    match &field.ty {
        Type::Map(ty) => {
            let items = node.map_mut().map(|it| it.items_mut().iter_mut());
            for item in items.into_iter().flatten() {
                if let Some(field) = ty.field(&item.key) {
                    mask(field, &mut item.node);
                }
            }
        }
        Type::Array(ty) => {
            let items = node.array_mut().map(|it| it.items.iter_mut());
            items.into_iter().flatten().for_each(|item| mask(&ty.item, &mut item.node));
        }
        // A value is secret if it is secret in one of the alternatives.
        Type::Choice(choice) => choice.alternatives.iter().for_each(|it| mask(it, node)),
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
    }
}

fn is_empty(node: &Node) -> bool {
    match node {
        Node::Null => true,
        Node::String(text) => text.as_bytes().is_empty(),
        Node::Map(map) => map.is_empty(),
        Node::Array(array) => array.items.is_empty(),
        Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => false,
    }
}
