//! Types, rules and values as readers see them.

use plumb_schema::{Field, Scalar, Type};
use plumb_validation::{Choice, Constraint, Rule};
use plumb_value::{Array, Node, NodeKind};
use plumb_yaml::print;

/// How long a list on one line may be.
const LINE: usize = 60;

/// The type of a field in words, such as `string or null`.
pub(crate) fn type_name(field: &Field) -> String {
    let own = own_type(&field.ty);
    if field.is_nullable && !matches!(field.ty, Type::Any) && own != "null" {
        format!("{own} or null")
    } else {
        own
    }
}

fn own_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar_name(*scalar).to_owned(),
        Type::Map(ty) => match ty.any_key() {
            Some(item) if ty.fields().is_empty() => format!("map of {}", plural(item)),
            _ => "map".to_owned(),
        },
        Type::Array(ty) => format!("list of {}", plural(&ty.item)),
        Type::Kinds(kinds) if kinds.is_empty() => "null".to_owned(),
        Type::Kinds(kinds) => {
            kinds.iter().map(|it| kind_name(*it)).collect::<Vec<_>>().join(" or ")
        }
        Type::Choice(choice) => {
            let mut names: Vec<String> = Vec::new();
            for name in choice.alternatives.iter().map(type_name) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(" or ")
        }
        Type::Any => "any".to_owned(),
    }
}

fn plural(item: &Field) -> String {
    match &item.ty {
        Type::Any => "values of any type".to_owned(),
        _ if item.is_nullable => format!("values: {}", type_name(item)),
        Type::Scalar(scalar) => format!("{}s", scalar_name(*scalar)),
        Type::Map(_) => own_type(&item.ty).replacen("map", "maps", 1),
        Type::Array(_) => own_type(&item.ty).replacen("list", "lists", 1),
        Type::Kinds(_) | Type::Choice(_) => format!("values: {}", type_name(item)),
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Boolean => "boolean",
        Scalar::Integer => "integer",
        Scalar::Float => "number",
        Scalar::String => "string",
    }
}

fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "null",
        NodeKind::Boolean => "boolean",
        NodeKind::Integer => "integer",
        NodeKind::Float => "number",
        NodeKind::String => "string",
        NodeKind::Map => "map",
        NodeKind::Array => "list",
    }
}

/// What the rules of a field require, each in words.
pub(crate) fn rules(field: &Field) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for validation in &field.validations {
        let condition = if validation.when.is_some() { " (under a condition)" } else { "" };
        let words = rule_words(&validation.rules);
        out.extend(words.into_iter().map(|it| format!("{it}{condition}")));
    }
    match &field.ty {
        Type::Array(ty) => {
            out.extend(rules(&ty.item).into_iter().map(|it| format!("each item: {it}")));
        }
        Type::Choice(choice) => {
            let requirement = Choice::requirement(choice.mode, choice.alternatives.len());
            out.push(requirement.shown().to_owned());
            for (at, alternative) in choice.alternatives.iter().enumerate() {
                let words = std::iter::once(type_name(alternative)).chain(rules(alternative));
                let words = words.collect::<Vec<_>>().join(", ");
                out.push(format!("alternative {}: {words}", at + 1));
            }
        }
        Type::Scalar(_) | Type::Map(_) | Type::Kinds(_) | Type::Any => {}
    }
    out
}

/// What some rules require. Two limits of the same kind become one phrase.
fn rule_words(rules: &[Rule]) -> Vec<String> {
    let constraint =
        |rule: &Rule| rule.assertion.constraint().filter(|_| !is_described(rule)).cloned();
    let mut out = Vec::with_capacity(rules.len());
    let mut rest = rules;
    while let [first, after @ ..] = rest {
        rest = after;
        match (constraint(first), after.first().and_then(constraint)) {
            (Some(Constraint::Min(least)), Some(Constraint::Max(most))) => {
                out.push(format!("from {} to {}", least.repr(), most.repr()));
                rest = &after[1..];
            }
            (Some(Constraint::MinLen(least)), Some(Constraint::MaxLen(most))) => {
                out.push(format!("a length from {least} to {most}"));
                rest = &after[1..];
            }
            (Some(Constraint::MinLen(0)), _) => {}
            (Some(Constraint::MinLen(1) | Constraint::NotEmpty { .. }), _) => {
                out.push("not empty".to_owned());
            }
            (Some(Constraint::OneOf(choices)), _) => {
                let choices = choices.values.iter().map(|it| format!("`{}`", value(it)));
                out.push(format!("one of {}", choices.collect::<Vec<_>>().join(", ")));
            }
            (Some(Constraint::OneNotNull(Some(keys))), _) => {
                let keys = keys.values.iter().map(|it| format!("`{}`", value(it)));
                let keys = keys.collect::<Vec<_>>().join(", ");
                out.push(format!("exactly one of {keys} is not null"));
            }
            (Some(Constraint::Matches(regexp)), _) => {
                out.push(format!("a value that matches `{}`", regexp.as_str()));
            }
            _ => out.push(first.describe()),
        }
    }
    out
}

fn is_described(rule: &Rule) -> bool {
    rule.description.as_deref().is_some_and(|it| !it.trim().is_empty())
}

/// A value as YAML. A short list of scalars is on one line, other collections are in block style.
pub(crate) fn value(node: &Node) -> String {
    if let Some(line) = node.as_array().and_then(list_on_a_line) {
        return line;
    }
    let mut text = Vec::new();
    print::node(node, &mut text);
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn list_on_a_line(array: &Array) -> Option<String> {
    let mut items = Vec::with_capacity(array.items.len());
    for item in &array.items {
        let mut text = Vec::new();
        print::json::node(&item.node, print::json::JsonStyle::default(), &mut text).ok()?;
        if item.node.is_collection() || text.len() > LINE {
            return None;
        }
        items.push(String::from_utf8_lossy(&text).into_owned());
    }
    Some(format!("[{}]", items.join(", "))).filter(|it| it.len() <= LINE)
}
