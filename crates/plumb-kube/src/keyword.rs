//! Keywords of a schema, with the meaning that an API server gives them.

use plumb_jsonschema::{Keyword, Pattern, Shape, Types, Width, choices};
use plumb_source::Origin;
use plumb_validation::{Constraint, Format, Multiple};
use plumb_value::{Map, Node};

use crate::catalog::UncheckedRule;

/// An amount with a unit: a string, or a number.
pub(crate) fn quantity() -> Shape {
    let mut shape = Shape::of_types(Types::STRING.with(Types::NUMBER));
    shape.rules.push((Keyword::Format, Constraint::Format(Format::Quantity)));
    shape
}

pub(crate) fn types(map: &Map) -> Option<Types> {
    let is_int_or_string =
        Keyword::IntOrString.is_on(map) || Keyword::Format.text(map) == Some("int-or-string");
    if is_int_or_string {
        return Some(Types::INTEGER.with(Types::STRING));
    }
    Types::of(Keyword::Type.of(map)?)
}

/// The rules that depend only on the value.
pub(crate) fn rules(map: &Map) -> Vec<(Keyword, Constraint)> {
    let mut rules = Vec::new();
    let count = |keyword: Keyword| match keyword.of(map)? {
        Node::Int(n) => Some(i128::from(*n)),
        _ => None,
    };
    for keyword in [Keyword::MinLength, Keyword::MinItems, Keyword::MinProperties] {
        rules.extend(count(keyword).map(|it| (keyword, Constraint::MinLen(it))));
    }
    for keyword in [Keyword::MaxLength, Keyword::MaxItems, Keyword::MaxProperties] {
        rules.extend(count(keyword).map(|it| (keyword, Constraint::MaxLen(it))));
    }
    let value = |keyword: Keyword| keyword.of(map).cloned().map(|it| (keyword, it));
    rules.extend(value(Keyword::Minimum).map(|(keyword, it)| (keyword, Constraint::Min(it))));
    rules.extend(value(Keyword::Maximum).map(|(keyword, it)| (keyword, Constraint::Max(it))));
    let step = Keyword::MultipleOf.of(map).and_then(Multiple::new);
    rules.extend(step.map(|it| (Keyword::MultipleOf, Constraint::MultipleOf(it))));
    let values = Keyword::Enum.of(map).and_then(Node::as_array);
    let values = values.map(|it| it.items.iter().map(|it| it.node.clone()).collect());
    let only = || Keyword::Const.of(map).map(|it| vec![it.clone()]);
    let values = values.or_else(only);
    rules.extend(values.map(|it| (Keyword::Enum, Constraint::OneOf(choices(it)))));
    let format = Keyword::Format.text(map).and_then(Format::from_name);
    // Durations in Kubernetes have the syntax of Go, which differs from this format.
    let format = format.filter(|it| !matches!(it, Format::Duration));
    rules.extend(format.map(|it| (Keyword::Format, Constraint::Format(it))));
    rules
}

/// Formats that Plumb does not check, or checks by other rules than an API server.
const FORMATS_OF_SERVERS: [&str; 13] = [
    "bsonobjectid",
    "creditcard",
    "duration",
    "hexcolor",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "rgbcolor",
    "ssn",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// The pattern and the format of a schema, if Plumb does not check them.
pub(crate) fn unchecked_keywords(map: &Map) -> Vec<UncheckedRule> {
    let unchecked = |keyword: Keyword, text: &str, why: &str| {
        let origin = map.get(&keyword.name().into()).map_or(Origin::Unknown, |it| it.origin);
        let rule = format!("{}: {text}", keyword.name());
        UncheckedRule { rule, why: why.to_owned(), help: None, origin }
    };
    let pattern = Keyword::Pattern.text(map).filter(|it| Pattern::re2(it).is_none());
    let pattern =
        pattern.map(|it| unchecked(Keyword::Pattern, it, "it is not in the syntax of RE2"));
    let format = Keyword::Format.text(map).filter(|it| FORMATS_OF_SERVERS.contains(it));
    let format =
        format.map(|it| unchecked(Keyword::Format, it, "Plumb does not check this format"));
    pattern.into_iter().chain(format).collect()
}

pub(crate) fn width(map: &Map) -> Option<Width> {
    match Keyword::Format.text(map)? {
        "int32" => Some(Width::Int32),
        "int64" => Some(Width::Int64),
        "byte" => Some(Width::Base64),
        _ => None,
    }
}

pub(crate) fn unique(map: &Map) -> Option<Vec<String>> {
    match Keyword::ListType.text(map) {
        Some("set") => Some(Vec::new()),
        Some("map") => Some(Keyword::ListMapKeys.texts(map).map(str::to_owned).collect()),
        _ => Keyword::UniqueItems.is_on(map).then(Vec::new),
    }
}
