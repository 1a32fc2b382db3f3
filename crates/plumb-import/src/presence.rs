//! Which keys go together: `not`, `oneOf` and their like over `required`, as rules in CEL.

use plumb_cel::field_name;
use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::alternatives::required_each;
use crate::keys::with;

/// The keywords that may say which keys there are, and nothing else.
const KEYWORDS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

const RULES: &str = "x-kubernetes-validations";

/// Combinations within combinations: more no one understands.
const MOST_LEVELS: usize = 16;

/// The schema with a rule for each keyword that only says which keys there are; none if there is no
/// such keyword.
pub(crate) fn as_rules(map: &Map) -> Option<Map> {
    let is_map = map.get_str("properties").is_some()
        || map.get_str("type").and_then(Node::as_str) == Some("object");
    let mut said = Vec::new();
    let mut rules = Vec::new();
    for keyword in KEYWORDS.into_iter().filter(|_| is_map) {
        let Some(value) = map.get_str(keyword) else {
            continue;
        };
        let has_name = keyword == "oneOf" && value.as_array().and_then(required_each).is_some();
        let expression = if has_name { None } else { combined(keyword, value, "self", 0) };
        if let Some(expression) = expression {
            said.push(keyword);
            let rule = MapItem::new("rule".into(), expression.as_str().into(), Origin::Unknown);
            let rule = Node::map(Map::new(vec![rule], Origin::Unknown));
            rules.push(ArrayItem::new(rule, Origin::Unknown));
        }
    }
    if rules.is_empty() {
        return None;
    }
    let own = map.get_str(RULES).and_then(Node::as_array);
    let own = own.into_iter().flat_map(|it| &it.items).cloned();
    let rules = Node::array(Array::new(own.chain(rules).collect(), Origin::Unknown));
    let is_said = |it: &MapItem| it.key.as_str().is_some_and(|key| said.contains(&key));
    let kept = map.items().iter().filter(|it| !is_said(it)).cloned().collect();
    let rules = MapItem::new(RULES.into(), rules, Origin::Unknown);
    Some(with(&Map::new(kept, map.origin), vec![rules]))
}

/// What a keyword says of the value that `path` leads to; none if it says more than which keys there
/// are.
fn combined(keyword: &str, value: &Node, path: &str, level: usize) -> Option<String> {
    if keyword == "not" {
        return Some(format!("!({})", told(value, path, level)?));
    }
    let parts = value.as_array()?.items.iter();
    let parts: Option<Vec<String>> = parts.map(|it| told(&it.node, path, level)).collect();
    let parts = parts.filter(|it| !it.is_empty())?;
    let bracketed = || parts.iter().map(|it| format!("({it})")).collect::<Vec<_>>();
    Some(match keyword {
        "oneOf" => format!("[{}].exists_one(it, it)", parts.join(", ")),
        "anyOf" => bracketed().join(" || "),
        _ => bracketed().join(" && "),
    })
}

/// What a schema says of the value that `path` leads to.
fn told(schema: &Node, path: &str, level: usize) -> Option<String> {
    if level > MOST_LEVELS {
        return None;
    }
    let mut all = Vec::new();
    for item in schema.as_map()?.items() {
        match (item.key.as_str()?, &item.node) {
            ("required", Node::Array(keys)) => {
                for key in &keys.items {
                    let field = field_name(key.node.as_str()?)?;
                    all.push(format!("has({path}.{field})"));
                }
            }
            ("properties", Node::Map(properties)) => {
                for property in properties.items() {
                    if property.node.as_map()?.is_empty() {
                        continue;
                    }
                    let below = format!("{path}.{}", field_name(property.key.as_str()?)?);
                    let told = told(&property.node, &below, level + 1)?;
                    all.push(format!("(!has({below}) || {told})"));
                }
            }
            (keyword, value) if KEYWORDS.contains(&keyword) => {
                all.push(format!("({})", combined(keyword, value, path, level + 1)?));
            }
            _ => return None,
        }
    }
    Some(if all.is_empty() { "true".to_owned() } else { all.join(" && ") })
}
