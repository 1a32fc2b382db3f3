//! Keywords of a schema: what each says about the value by itself.

use plumb_validation::{Choices, Constraint, Format, Multiple};
use plumb_value::{Map, Node};

use crate::shape::{Shape, Types, Width};

/// An amount with a unit: a string, or a number.
pub(crate) fn quantity() -> Shape {
    Shape {
        types: Some(Types::STRING.with(Types::NUMBER)),
        constraints: vec![Constraint::Format(Format::Quantity)],
        ..Shape::default()
    }
}

pub(crate) fn types(map: &Map) -> Option<Types> {
    let is_int_or_string =
        is_on(map, "x-kubernetes-int-or-string") || text(map, "format") == Some("int-or-string");
    if is_int_or_string {
        return Some(Types::INTEGER.with(Types::STRING));
    }
    match map.get_str("type")? {
        Node::String(name) => Some(Types::of_name(name.as_str()?)),
        Node::Array(names) => {
            let names = names.items.iter().filter_map(|it| it.node.as_str());
            Some(names.fold(Types::NONE, |all, name| all.with(Types::of_name(name))))
        }
        _ => None,
    }
}

/// The rules that need no more than the value.
pub(crate) fn constraints(map: &Map) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    let count = |keyword: &str| match map.get_str(keyword)? {
        Node::Int(n) => Some(i128::from(*n)),
        _ => None,
    };
    for keyword in ["minLength", "minItems", "minProperties"] {
        constraints.extend(count(keyword).map(Constraint::MinLen));
    }
    for keyword in ["maxLength", "maxItems", "maxProperties"] {
        constraints.extend(count(keyword).map(Constraint::MaxLen));
    }
    constraints.extend(map.get_str("minimum").cloned().map(Constraint::Min));
    constraints.extend(map.get_str("maximum").cloned().map(Constraint::Max));
    let step = map.get_str("multipleOf").and_then(Multiple::new);
    constraints.extend(step.map(Constraint::MultipleOf));
    let choices = map.get_str("enum").and_then(Node::as_array);
    let only = map.get_str("const").map(|it| vec![it.clone()]);
    let choices = choices.map(|it| it.items.iter().map(|it| it.node.clone()).collect()).or(only);
    constraints.extend(choices.map(|values: Vec<Node>| {
        let shown: Vec<String> = values.iter().map(Node::repr).collect();
        Constraint::OneOf(Choices { values, shown: format!("[{}]", shown.join(", ")) })
    }));
    let format = text(map, "format").and_then(Format::from_name);
    // Its durations are those of Go, which are others than ours.
    let format = format.filter(|it| !matches!(it, Format::Duration));
    constraints.extend(format.map(Constraint::Format));
    constraints
}

pub(crate) fn width(map: &Map) -> Option<Width> {
    match text(map, "format")? {
        "int32" => Some(Width::Int32),
        "int64" => Some(Width::Int64),
        "byte" => Some(Width::Base64),
        _ => None,
    }
}

pub(crate) fn unique(map: &Map) -> Option<Vec<String>> {
    match text(map, "x-kubernetes-list-type") {
        Some("set") => Some(Vec::new()),
        Some("map") => Some(texts(map, "x-kubernetes-list-map-keys")),
        _ => is_on(map, "uniqueItems").then(Vec::new),
    }
}

pub(crate) fn is_on(map: &Map, keyword: &str) -> bool {
    matches!(map.get_str(keyword), Some(Node::Bool(true)))
}

pub(crate) fn text<'m>(map: &'m Map, keyword: &str) -> Option<&'m str> {
    map.get_str(keyword)?.as_str()
}

pub(crate) fn nodes(map: &Map, keyword: &str) -> Vec<Node> {
    let parts = map.get_str(keyword).and_then(Node::as_array);
    parts.into_iter().flat_map(|it| &it.items).map(|it| it.node.clone()).collect()
}

pub(crate) fn texts(map: &Map, keyword: &str) -> Vec<String> {
    nodes(map, keyword).iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}
