//! The types of a field's values, for rules in CEL.

use plumb_cel::{Declared, DeclaredKey};
use plumb_validation::ValueKind;
use plumb_value::NodeKind;

use crate::field::{MapType, Type};

/// Returns the declaration of a type. Values of several types are only known at run time.
pub(crate) fn of(ty: &Type) -> Declared {
    match ty {
        Type::Scalar(scalar) => of_kind(scalar.kind()),
        Type::Kinds(kinds) => match kinds.as_slice() {
            [only] => of_kind(*only),
            kinds if ValueKind::of(kinds) == ValueKind::Float => Declared::number(),
            _ => Declared::dynamic(None),
        },
        Type::Array(ty) => Declared::list(of(&ty.item.ty), None),
        Type::Map(ty) => of_map(ty),
        Type::Choice(_) | Type::Any => Declared::dynamic(None),
    }
}

fn of_kind(kind: NodeKind) -> Declared {
    match kind {
        NodeKind::Boolean => Declared::boolean(),
        NodeKind::Integer => Declared::integer(),
        NodeKind::Float => Declared::number(),
        NodeKind::String => Declared::string(None, &[]),
        NodeKind::Null | NodeKind::Array | NodeKind::Map => Declared::dynamic(None),
    }
}

fn of_map(ty: &MapType) -> Declared {
    match ty.any_key() {
        Some(field) if ty.fields().is_empty() => Declared::map(of(&field.ty), None),
        Some(_) => Declared::dynamic(None),
        None => Declared::object(ty.entries().filter_map(|(key, field)| {
            let name = key.as_str()?.to_owned();
            Some(DeclaredKey { name, value: of(&field.ty), is_sent: false })
        })),
    }
}
