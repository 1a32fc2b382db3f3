//! `anyOf`, `oneOf` and `allOf`: as alternatives, as one schema, or as what cannot be said.

use std::rc::Rc;

use plumb_diagnostic::Failure;
use plumb_source::Origin;
use plumb_validation::{Choices, Constraint, Mode, is_same_value};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::annotation::{Annotation, Argument};
use crate::convert::{Converter, noted};
use crate::item::{Item, Kinds, Sample};
use crate::keys::with;
use crate::literal::{literal, shortened};
use crate::rules::{has_rules_alone, is_rule};
use crate::words::Named;

/// The combinations, and how alternatives are taken that say the same.
const COMBINATIONS: [(&str, Mode); 3] =
    [("anyOf", Mode::AnyOf), ("oneOf", Mode::OneOf), ("allOf", Mode::AllOf)];

impl Converter<'_> {
    /// The schema with what its `allOf` says, where that describes one and the same map or value.
    pub(crate) fn merged(&self, map: &Map) -> Option<Map> {
        let all = parts(map, "allOf")?;
        let parts: Vec<&Map> =
            all.items.iter().filter_map(|it| self.followed_to(&it.node)).collect();
        let is_described = |it: &Map| it.get_str("properties").is_some();
        let is_one = map.get_str("type").is_some()
            || is_described(map)
            || parts.iter().any(|it| is_described(it));
        let is_closed =
            |it: &&Map| matches!(it.get_str("additionalProperties"), Some(Node::Bool(false)));
        let own = map.get_str("type");
        let is_other = |it: &&Map| match (own, it.get_str("type")) {
            (Some(own), Some(other)) => !is_same_value(own, other),
            _ => false,
        };
        if !is_one || parts.iter().any(is_closed) || parts.iter().any(is_other) {
            return None;
        }
        let merged: Vec<MapItem> =
            map.items().iter().filter(|it| it.key.as_str() != Some("allOf")).cloned().collect();
        let mut further = Vec::new();
        let mut merged = Map::new(merged, Origin::Unknown);
        for part in parts {
            for entry in part.items() {
                merge(&mut merged, entry, &mut further);
            }
        }
        if !further.is_empty() {
            merged.push(item("allOf", Node::array(Array::new(further, Origin::Unknown))));
        }
        Some(merged)
    }

    /// A schema, or what its reference leads to, a step at a time.
    fn followed_to<'n>(&'n self, node: &'n Node) -> Option<&'n Map> {
        let map = node.as_map()?;
        match map.get_str("$ref").and_then(Node::as_str) {
            Some(reference) => {
                self.resolved(reference)?.as_map().filter(|it| it.get_str("$ref").is_none())
            }
            None => Some(map),
        }
    }

    /// Alternatives of which the value is any, one or all; none where there are none.
    pub(crate) fn alternatives(&mut self, map: &Map, name: &str) -> Result<Option<Item>, Failure> {
        let has = |keyword: &str| map.get_str(keyword).is_some();
        let is_typed = has("type") || has("properties") || has("items");
        for (keyword, mode) in COMBINATIONS {
            let Some(parts) = parts(map, keyword) else {
                continue;
            };
            let says_types =
                |it: &ArrayItem| it.node.as_map().is_some_and(|it| it.get_str("type").is_some());
            let are_keywords = parts.items.iter().all(has_rules_alone);
            let is_beside_type = is_typed && !parts.items.iter().all(says_types);
            if is_beside_type || are_keywords || keyword == "anyOf" && bare_types(map).is_some() {
                continue;
            }
            let mut alternatives = Vec::with_capacity(parts.items.len());
            for part in &parts.items {
                let mut alternative = self.item(&part.node, name)?;
                if map.get_str("default").is_some_and(|it| !alternative.fits(it)) {
                    // Where nothing is given, it is not this one anyway.
                    let is_bare = is_bare_map(&part.node);
                    alternative.rules.retain(|it| !(is_bare && it.to_string() == "min_len=1"));
                }
                alternatives.push(Rc::new(alternative));
            }
            let samples: Vec<Node> = alternatives.iter().map(|it| it.default_value()).collect();
            let choice =
                Item { kinds: Kinds::Choice(mode, alternatives.clone()), ..Item::default() };
            let Some(sample) = samples.into_iter().find(|it| choice.fits(it)) else {
                return Ok(Some(Item::any(Node::Null)));
            };
            let names: Vec<String> =
                alternatives.into_iter().map(|it| self.named(it, name)).collect();
            let annotations = vec![Annotation::Choice(mode, names)];
            return Ok(Some(Item { annotations, sample: Sample::Value(sample), ..choice }));
        }
        Ok(None)
    }

    /// How an annotation names an alternative: a value by itself, all else as a function.
    fn named(&mut self, item: Rc<Item>, name: &str) -> String {
        let is_plain =
            item.annotations.is_empty() && item.rules.is_empty() && item.notes.is_empty();
        if let (true, Sample::Value(node)) = (is_plain, &item.sample) {
            return literal(node);
        }
        let word: String = name
            .chars()
            .map(|it| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '_' })
            .collect();
        let word = format!(
            "{}{word}",
            if word.starts_with(|it: char| it.is_ascii_digit()) { "_" } else { "" }
        );
        let n = self.n_named.entry(word.clone()).or_default();
        *n += 1;
        let function = format!("{word}_{n}");
        self.fragments.push((function.clone(), item));
        format!("{function}()")
    }
}

/// The schema without an alternative that is null alone: it lets null be.
pub(crate) fn without_null_part(map: &Map) -> Option<Map> {
    for keyword in ["anyOf", "oneOf"] {
        let Some(parts) = parts(map, keyword) else {
            continue;
        };
        let is_null = |part: &&ArrayItem| {
            let part = part.node.as_map();
            part.is_some_and(|it| it.len() == 1 && type_of(it) == Some("null"))
        };
        let (nulls, others): (Vec<_>, Vec<_>) = parts.items.iter().partition(is_null);
        if nulls.is_empty() || others.is_empty() {
            continue;
        }
        let mut items = vec![item("nullable", Node::Bool(true))];
        let kept: Vec<MapItem> =
            map.items().iter().filter(|it| it.key.as_str() != Some(keyword)).cloned().collect();
        match others.as_slice() {
            [only] => {
                items
                    .extend(only.node.as_map().map(Map::items).unwrap_or_default().iter().cloned());
            }
            several => {
                let several = several.iter().map(|it| (*it).clone()).collect();
                items.push(item(keyword, Node::array(Array::new(several, Origin::Unknown))));
            }
        }
        // What is said beside the alternatives counts before what is said in one.
        items.retain(|it| !kept.iter().any(|kept| kept.key.as_str() == it.key.as_str()));
        return Some(with(&Map::new(kept, Origin::Unknown), items));
    }
    None
}

/// Combinations beside a type: which of several keys there are, or what cannot be said.
pub(crate) fn add_combinations(map: &Map, item: &mut Item) {
    for (keyword, _) in COMBINATIONS {
        let Some(parts) = parts(map, keyword) else {
            continue;
        };
        let is_said = keyword == "allOf" && parts.items.iter().all(has_rules_alone)
            || keyword == "anyOf" && bare_types(map).is_some();
        if is_said {
            continue;
        }
        if keyword == "oneOf"
            && let Some(keys) = required_each(parts)
            && !item.has_rule("one_not_null")
        {
            let shown: Vec<String> = keys.iter().map(Node::repr).collect();
            let shown = format!("[{}]", shown.join(", "));
            let choices = Choices { values: keys, shown: shown.clone() };
            let constraint = Constraint::OneNotNull(Some(choices));
            let named = Named::new("one_not_null", shown, constraint);
            item.rules.push(Argument::Named(named, None));
            continue;
        }
        let shown = shortened(&Node::array(parts.clone()));
        *item = noted(std::mem::take(item), &format!("not said here: {keyword}: {shown}"));
    }
}

/// The keys, if each part requires one and says nothing else.
pub(crate) fn required_each(parts: &Array) -> Option<Vec<Node>> {
    let keys = parts.items.iter().map(|part| {
        let [only] = part.node.as_map()?.items() else {
            return None;
        };
        let keys = only.node.as_array().filter(|_| only.key.as_str() == Some("required"))?;
        match keys.items.as_slice() {
            [key] if key.node.as_str().is_some() => Some(key.node.clone()),
            _ => None,
        }
    });
    keys.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
}

fn parts<'m>(map: &'m Map, keyword: &str) -> Option<&'m Array> {
    map.get_str(keyword)?.as_array()
}

/// The types that alternatives name, if they say nothing else.
pub(crate) fn bare_types(map: &Map) -> Option<Vec<&str>> {
    let parts = parts(map, "anyOf")?.items.iter();
    parts.map(|it| it.node.as_map().filter(|it| it.len() == 1).and_then(type_of)).collect()
}

/// Whether a part is a map about which nothing is told in words.
fn is_bare_map(part: &Node) -> bool {
    part.as_map()
        .is_some_and(|it| it.get_str("properties").is_some() && it.get_str("description").is_none())
}

fn type_of(map: &Map) -> Option<&str> {
    map.get_str("type")?.as_str()
}

fn item(key: &str, node: Node) -> MapItem {
    MapItem::new(key.into(), node, Origin::Unknown)
}

/// Adds a keyword to those of a schema: keys and lists come together, the first of two others
/// counts, and rules hold beside each other.
fn merge(into: &mut Map, entry: &MapItem, further: &mut Vec<ArrayItem>) {
    let keyword = entry.key.as_str().unwrap_or_default();
    let Some(at) = into.position(&entry.key) else {
        into.push(entry.clone());
        return;
    };
    let there = into.item_mut(at);
    match (keyword, &entry.node) {
        ("properties" | "$defs" | "definitions", Node::Map(more)) => {
            if let Some(map) = there.node.map_mut() {
                for property in more.items() {
                    if map.get(&property.key).is_none() {
                        map.push(property.clone());
                    }
                }
            }
        }
        ("required", Node::Array(more)) => {
            if let Some(array) = there.node.array_mut() {
                array.items.extend(more.items.iter().cloned());
            }
        }
        _ if is_rule(keyword) => {
            let part = Map::new(vec![entry.clone()], Origin::Unknown);
            further.push(ArrayItem::new(Node::map(part), Origin::Unknown));
        }
        _ => {}
    }
}
