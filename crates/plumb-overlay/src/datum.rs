//! ytt's names for the types of values that come from the template language.

use plumb_source::Origin;
use plumb_value::{Datum, Node};

use crate::Matcher;

/// Returns the name of a value's type, as in ytt's messages.
pub(crate) fn type_name(datum: &Datum) -> &str {
    match datum {
        Datum::Node(node) => node_type_name(node),
        Datum::Tuple(_) => "starlark.Tuple",
        Datum::Documents(_) => FRAGMENT,
        Datum::Function(function) if function.as_any().is::<Matcher>() => "*starlark.Builtin",
        Datum::Function(_) => "*starlark.Function",
        Datum::Opaque(value) => match value.type_name() {
            "module" => "*starlarkstruct.Module",
            "struct" => "*core.StarlarkStruct",
            "range" => "starlark.rangeValue",
            "set" => "*starlark.Set",
            "list" => "*starlark.List",
            "dict" => "*starlark.Dict",
            other => other,
        },
    }
}

const FRAGMENT: &str = "*yamltemplate.StarlarkFragment";

fn node_type_name(node: &Node) -> &'static str {
    match node {
        Node::Null => "starlark.NoneType",
        Node::Bool(_) => "starlark.Bool",
        Node::Int(_) | Node::UInt(_) => "starlark.Int",
        Node::Float(_) => "starlark.Float",
        Node::String(_) => "starlark.String",
        Node::Map(map) if is_written(map.origin) => FRAGMENT,
        Node::Array(array) if is_written(array.origin) => FRAGMENT,
        Node::Map(_) => "*starlark.Dict",
        Node::Array(_) => "*starlark.List",
    }
}

/// Returns whether a collection was written in YAML; all others were computed.
fn is_written(origin: Origin) -> bool {
    match origin {
        Origin::Written(_) | Origin::Default(_) => true,
        Origin::Computed(_) | Origin::Unknown => false,
    }
}
