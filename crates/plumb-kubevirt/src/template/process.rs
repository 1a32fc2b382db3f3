//! Fills in the parameters of a template.
//!
//! `${NAME}` is replaced by a parameter inside a string. `${{NAME}}`, alone in a string, is
//! replaced by the value itself: a number, a boolean, a list or an object.

use std::borrow::Cow;
use std::collections::HashMap;

use plumb_source::Text;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::json;

/// A required parameter without a value that is used for something other than a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    pub parameter: String,
}

/// Parameters by name with their values; `None` if a value must be given.
pub(super) type Parameters<'t> = HashMap<&'t str, Option<Cow<'t, str>>>;

/// The parameters of a template, with their defaults. A generated parameter has an example as its
/// value, and an optional one without a default has an empty string.
pub(super) fn parameters(template: &Node) -> Parameters<'_> {
    // Those of a VirtualMachineTemplate are in its `spec`.
    let map = template.as_map();
    let spec = map.and_then(|it| it.get_str("spec")?.as_map());
    let list =
        [map, spec].into_iter().flatten().find_map(|it| it.get_str("parameters")?.as_array());
    let items = list.map_or(&[][..], |array| &array.items);
    items.iter().filter_map(|item| parameter(item.node.as_map()?)).collect()
}

fn parameter(map: &Map) -> Option<(&str, Option<Cow<'_, str>>)> {
    let text = |key: &str| map.get_str(key).and_then(Node::as_str);
    let is_required = matches!(map.get_str("required"), Some(Node::Bool(true)));
    let value = match (text("value"), text("generate"), text("from")) {
        (Some(value), _, _) if !value.is_empty() => Some(Cow::Borrowed(value)),
        (_, Some("expression"), Some(from)) => Some(Cow::Owned(example(from))),
        _ if is_required => None,
        _ => Some(Cow::Borrowed("")),
    };
    Some((text("name")?, value))
}

/// A copy of a node with parameters filled in. Places are kept.
pub(super) fn fill(node: &Node, parameters: &Parameters<'_>) -> Result<Node, ParameterError> {
    match node {
        Node::String(text) => match text.as_str() {
            Some(text) if text.contains("${") => fill_text(text, parameters),
            _ => Ok(node.clone()),
        },
        Node::Map(map) => {
            let mut items = Vec::with_capacity(map.len());
            for item in map.items() {
                let key = fill(&item.key, parameters)?;
                items.push(MapItem::new(key, fill(&item.node, parameters)?, item.origin));
            }
            Ok(Node::map(Map::new(items, map.origin)))
        }
        Node::Array(array) => {
            let mut items = Vec::with_capacity(array.items.len());
            for item in &array.items {
                items.push(ArrayItem::new(fill(&item.node, parameters)?, item.origin));
            }
            Ok(Node::array(Array::new(items, array.origin)))
        }
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
            Ok(node.clone())
        }
    }
}

/// Fills in a text. A required parameter without a value is kept as it is written.
fn fill_text(text: &str, parameters: &Parameters<'_>) -> Result<Node, ParameterError> {
    let typed = text.strip_prefix("${{").and_then(|it| it.strip_suffix("}}"));
    if let Some((name, value)) = typed.and_then(|name| parameters.get_key_value(name)) {
        let Some(value) = value else {
            return Err(ParameterError { parameter: (*name).to_owned() });
        };
        let node = json::read_document(value);
        return Ok(node.unwrap_or_else(|_| Node::String(Text::from(&**value))));
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let name = from[2..].split_once('}').map(|(name, _)| name);
        let known = name.and_then(|name| Some((name, parameters.get(name)?.as_deref()?)));
        let (text, length) = known.map_or(("${", 2), |(name, value)| (value, name.len() + 3));
        filled.push_str(text);
        rest = &from[length..];
    }
    filled.push_str(rest);
    Ok(Node::String(Text::from(filled)))
}

/// The greatest length of an example of a generated value.
const MAX_EXAMPLE: usize = 255;

/// An example of a value that an expression such as `vm-[a-z0-9]{6}` generates. It is always the
/// same.
fn example(expression: &str) -> String {
    let mut example = String::new();
    let mut rest = expression;
    while let Some(char) = rest.chars().next() {
        let class = rest.strip_prefix('[').and_then(|it| it.split_once(']'));
        let Some((class, after)) = class else {
            example.push(char);
            rest = &rest[char.len_utf8()..];
            continue;
        };
        let member = match class.as_bytes() {
            [b'\\', b'w' | b'a', ..] => 'a',
            [b'\\', b'A', ..] => 'A',
            [b'\\', b'd', ..] => '0',
            _ => class.chars().next().unwrap_or('a'),
        };
        let count = after.strip_prefix('{').and_then(|it| it.split_once('}'));
        let (count, after) =
            count.map_or((1, after), |(count, after)| (count.parse().unwrap_or(1), after));
        example.extend(std::iter::repeat_n(member, count.min(MAX_EXAMPLE)));
        rest = after;
    }
    example
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = r#"{"parameters": [
        {"name": "NAME", "generate": "expression", "from": "vm-[a-z0-9]{4}"},
        {"name": "CORES", "value": "4"},
        {"name": "PVC", "required": true},
        {"name": "NOTE"}
    ]}"#;

    fn check(text: &str, expected: Result<&str, &str>) {
        let template = json::read_document(TEMPLATE).expect("the template is JSON");
        let filled = fill(&text.into(), &parameters(&template));
        let shown = filled.map(|it| format!("{it:?}")).map_err(|it| it.parameter);
        assert_eq!(shown, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }

    #[test]
    fn parameters_are_filled_in() {
        check("a ${NAME} b", Ok(r#"String("a vm-aaaa b")"#));
        check("${CORES}${CORES}", Ok(r#"String("44")"#));
        check("${{CORES}}", Ok("Int(4)"));
        check("${{NAME}}", Ok(r#"String("vm-aaaa")"#));
        check("[${NOTE}]", Ok(r#"String("[]")"#));
        check("${PVC} ${OTHER} ${", Ok(r#"String("${PVC} ${OTHER} ${")"#));
        check("${{PVC}}", Err("PVC"));
    }
}
