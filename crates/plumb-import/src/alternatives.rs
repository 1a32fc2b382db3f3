//! `anyOf`, `oneOf` and `allOf`: as alternatives, as one schema, or as a comment if neither is
//! possible.

use std::rc::Rc;

use plumb_diagnostic::Failure;
use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_validation::{Mode, is_same_value};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node, NodeKind};

use crate::annotation::{Alternative, Annotation};
use crate::condition::is_annotation;
use crate::convert::{Converter, Sampled};
use crate::item::{Item, Kinds, Sample};
use crate::keys::with;
use crate::rules::{are_rules, has_rules_alone, is_rule};
use crate::types::Types;

/// The combinations, and the mode of alternatives for each.
const COMBINATIONS: [(Keyword, Mode); 3] =
    [(Keyword::AnyOf, Mode::AnyOf), (Keyword::OneOf, Mode::OneOf), (Keyword::AllOf, Mode::AllOf)];

/// A schema together with the parts of its `allOf`.
pub(crate) struct Merged {
    pub(crate) map: Map,
    /// The references that were followed to the parts.
    pub(crate) references: Vec<String>,
}

impl Converter<'_> {
    /// The schema merged with the parts of its `allOf`. Returns `None` if a single schema cannot
    /// express the result. Parts that are separate types stay separate, unless `joined` is set.
    pub(crate) fn merged(&self, map: &Map, joined: bool) -> Option<Merged> {
        self.merged_within(map, joined, &[])
    }

    /// Like [`Self::merged`], for parts that were reached through these references.
    fn merged_within(&self, map: &Map, joined: bool, outer: &[String]) -> Option<Merged> {
        let mut references = Vec::new();
        let mut all = Vec::new();
        for part in &parts(map, Keyword::AllOf)?.items {
            match &part.node {
                Node::Bool(true) => {}
                Node::Map(part) => all.push(self.followed_to(part, outer, &mut references)?),
                _ => return None,
            }
        }
        let is_described = |it: &Map| Keyword::Properties.is_in(it);
        let n_typed = all.iter().filter(|it| Keyword::Type.is_in(it)).count();
        let n_rules = all.iter().filter(|it| are_rules(it)).count();
        let is_one = joined
            || Keyword::Type.is_in(map)
            || is_described(map)
            || all.iter().any(|it| is_described(it))
            || n_typed == 1 && n_typed + n_rules == all.len()
            || Keyword::PreserveUnknownFields.is_in(map) && n_rules == all.len();
        if !is_one || closes_others(map, &all) {
            return None;
        }
        let merged: Vec<MapItem> = map
            .items()
            .iter()
            .filter(|it| it.key.as_str() != Some(Keyword::AllOf.name()))
            .cloned()
            .collect();
        let mut further = Vec::new();
        let mut merged = Map::new(merged, Origin::Unknown);
        for part in all {
            for entry in part.items() {
                match (entry.key.as_str().and_then(Keyword::of_name), &entry.node) {
                    (Some(Keyword::AllOf), Node::Array(parts)) => {
                        further.extend(parts.items.clone());
                    }
                    _ => merge(&mut merged, entry, &mut further)?,
                }
            }
        }
        let is_nested = !further.iter().all(has_rules_alone);
        if !further.is_empty() {
            merged.push(item(Keyword::AllOf, Node::array(Array::new(further, Origin::Unknown))));
        }
        let within = [outer, &references].concat();
        match is_nested.then(|| self.merged_within(&merged, joined, &within)).flatten() {
            Some(mut whole) => {
                whole.references.extend(references);
                Some(whole)
            }
            None => Some(Merged { map: merged, references }),
        }
    }

    /// A schema, or the target of its reference if it contains only a reference. Returns `None` if
    /// the reference is already being followed, or its target is not in the document.
    fn followed_to<'n>(
        &'n self,
        map: &'n Map,
        outer: &[String],
        references: &mut Vec<String>,
    ) -> Option<&'n Map> {
        let Some(reference) = Keyword::Ref.of(map) else {
            return Some(map);
        };
        let reference = reference.as_str().filter(|_| map.len() == 1)?;
        if self.followed.iter().chain(outer).any(|it| it == reference) {
            return None;
        }
        references.push(reference.to_owned());
        self.resolved(reference)?.as_map().filter(|it| !Keyword::Ref.is_in(it))
    }

    /// Alternatives of which the value must match any, one or all. Returns `None` if there are no
    /// alternatives.
    pub(crate) fn alternatives(
        &mut self,
        map: &Map,
        name: &str,
    ) -> Result<Option<Sampled>, Failure> {
        let has = |keyword: Keyword| keyword.is_in(map);
        let is_typed = has(Keyword::Type) || has(Keyword::Properties) || has(Keyword::Items);
        for (keyword, mode) in COMBINATIONS {
            let Some(parts) = parts(map, keyword) else {
                continue;
            };
            let says_types =
                |it: &ArrayItem| it.node.as_map().is_some_and(|it| Keyword::Type.is_in(it));
            let are_conditions = !parts.items.iter().any(has_sample);
            let is_beside_type = is_typed && !parts.items.iter().all(says_types);
            if is_beside_type
                || are_conditions
                || keyword == Keyword::AnyOf && bare_types(map).is_some()
            {
                continue;
            }
            let mut alternatives = Vec::with_capacity(parts.items.len());
            for part in &parts.items {
                let mut alternative = self.item(&part.node, name)?;
                if Keyword::Default.of(map).is_some_and(|it| !alternative.fits(it)) {
                    // If no value is given, the default never matches this alternative.
                    let is_bare = is_bare_map(&part.node);
                    alternative.rules.retain(|it| !(is_bare && it.is_min_len(1)));
                }
                alternatives.push(Rc::new(alternative));
            }
            let samples: Vec<Node> = alternatives.iter().map(|it| it.default_value()).collect();
            let choice =
                Item { kinds: Kinds::Choice(mode, alternatives.clone()), ..Item::default() };
            let Some(sample) = samples.into_iter().find(|it| choice.fits(it)) else {
                return Ok(None);
            };
            let names: Vec<Alternative> =
                alternatives.into_iter().map(|it| self.named(it, name)).collect();
            let annotations = vec![Annotation::Choice(mode, names)];
            let item = Item { annotations, sample: Sample::Value(sample), ..choice };
            let own = Types::of(map).kinds;
            let is_among = |it: &NodeKind| {
                own.contains(it) || *it == NodeKind::Integer && own.contains(&NodeKind::Float)
            };
            let mut kinds = parts.items.iter().filter_map(|it| it.node.as_map()).map(Types::of);
            let mut said = vec![keyword];
            if kinds.all(|it| it.kinds.iter().all(is_among)) {
                said.push(Keyword::Type);
            }
            return Ok(Some(Sampled { item, said, left: Vec::new() }));
        }
        Ok(None)
    }

    /// How an annotation refers to an alternative: simple values are written directly, everything
    /// else is a function.
    fn named(&mut self, item: Rc<Item>, name: &str) -> Alternative {
        let is_plain =
            item.annotations.is_empty() && item.rules.is_empty() && item.notes.is_empty();
        if let (true, Sample::Value(node)) = (is_plain, &item.sample) {
            return Alternative::Value(node.clone());
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
        Alternative::Function(function)
    }
}

/// The schema without an alternative that only accepts null. The schema then accepts null.
pub(crate) fn without_null_part(map: &Map) -> Option<Map> {
    for keyword in [Keyword::AnyOf, Keyword::OneOf] {
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
        let is_typed = |it: &&ArrayItem| it.node.as_map().is_some_and(|it| type_of(it).is_some());
        if keyword == Keyword::OneOf && !others.iter().all(is_typed) {
            // Another alternative may accept null too.
            continue;
        }
        let lets_in_null = match Keyword::Type.of(map) {
            Some(Node::Array(names)) => {
                names.items.iter().any(|it| it.node.as_str() == Some("null"))
            }
            Some(_) => false,
            None => true,
        };
        let mut items = Vec::new();
        if lets_in_null {
            items.push(item(Keyword::Nullable, Node::Bool(true)));
        }
        let kept: Vec<MapItem> = map
            .items()
            .iter()
            .filter(|it| it.key.as_str() != Some(keyword.name()))
            .cloned()
            .collect();
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
        // Keywords beside the alternatives take precedence over those in one of them, unless they
        // restrict values.
        let own = |it: &MapItem| kept.iter().find(|kept| kept.key.as_str() == it.key.as_str());
        let is_plain = |it: &MapItem| it.key.as_str().is_some_and(is_annotation);
        if items.iter().any(|it| !is_plain(it) && own(it).is_some())
            || others.iter().any(|it| is_never(it))
        {
            continue;
        }
        items.retain(|it| own(it).is_none());
        return Some(with(&Map::new(kept, Origin::Unknown), items));
    }
    None
}

/// The keys, if each part requires one key and has no other keywords.
pub(crate) fn required_each(parts: &Array) -> Option<Vec<Node>> {
    let keys = parts.items.iter().map(|part| {
        let [only] = part.node.as_map()?.items() else {
            return None;
        };
        let keys =
            only.node.as_array().filter(|_| only.key.as_str() == Some(Keyword::Required.name()))?;
        match keys.items.as_slice() {
            [key] if key.node.as_str().is_some() => Some(key.node.clone()),
            _ => None,
        }
    });
    keys.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
}

fn parts(map: &Map, keyword: Keyword) -> Option<&Array> {
    keyword.of(map)?.as_array()
}

/// The types of alternatives, if they have no other keywords and the schema itself has no type.
pub(crate) fn bare_types(map: &Map) -> Option<Vec<&str>> {
    let is_named = Keyword::Type.is_in(map) && !Keyword::IntOrString.is_on(map);
    let parts = parts(map, Keyword::AnyOf).filter(|_| !is_named)?.items.iter();
    parts.map(|it| it.node.as_map().filter(|it| it.len() == 1).and_then(type_of)).collect()
}

/// Whether a part is a map without a description.
fn is_bare_map(part: &Node) -> bool {
    part.as_map().is_some_and(|it| Keyword::Properties.is_in(it) && !Keyword::Description.is_in(it))
}

fn type_of(map: &Map) -> Option<&str> {
    Keyword::Type.text(map)
}

fn item(keyword: Keyword, node: Node) -> MapItem {
    MapItem::new(keyword.name().into(), node, Origin::Unknown)
}

fn is_never(part: &ArrayItem) -> bool {
    matches!(part.node, Node::Bool(false))
}

/// Whether a part describes its values instead of only restricting them.
fn has_sample(part: &ArrayItem) -> bool {
    let shows = [
        Keyword::Type,
        Keyword::Properties,
        Keyword::Items,
        Keyword::Enum,
        Keyword::Const,
        Keyword::Ref,
        Keyword::AnyOf,
        Keyword::OneOf,
        Keyword::AllOf,
    ];
    part.node.as_map().is_some_and(|map| shows.iter().any(|it| it.is_in(map)))
}

/// Whether one of several schemas restricts its undeclared keys, and another schema declares such a
/// key.
fn closes_others(map: &Map, parts: &[&Map]) -> bool {
    let is_open = |it: &Map| {
        let others = Keyword::AdditionalProperties.of(it);
        others.is_none_or(|it| matches!(it, Node::Bool(true)))
    };
    let properties = |it: &Map| Keyword::Properties.map(it).cloned();
    let own = properties(map).unwrap_or_default();
    let is_within = |it: &&Map| {
        let all = properties(it).unwrap_or_default();
        all.items().iter().all(|it| own.get(&it.key).is_some())
    };
    !parts.iter().all(|it| is_open(it)) || !is_open(map) && !parts.iter().all(is_within)
}

/// Merges a keyword into a schema: keys and lists are joined, the first of two annotations is kept,
/// and rules apply together. Returns `None` if the two cannot be merged.
fn merge(into: &mut Map, entry: &MapItem, further: &mut Vec<ArrayItem>) -> Option<()> {
    let keyword = entry.key.as_str()?;
    let Some(at) = into.position(&entry.key) else {
        into.push(entry.clone());
        return Some(());
    };
    let there = into.item_mut(at);
    if is_same_value(&there.node, &entry.node) {
        return Some(());
    }
    match (Keyword::of_name(keyword), &entry.node) {
        (Some(Keyword::Properties), Node::Map(more)) => {
            let map = there.node.map_mut()?;
            for property in more.items() {
                match map.position(&property.key) {
                    None => map.push(property.clone()),
                    Some(at) if is_same_value(&map.items()[at].node, &property.node) => {}
                    Some(at) => {
                        let own = std::mem::replace(&mut map.item_mut(at).node, Node::Null);
                        map.item_mut(at).node = both(own, property.node.clone());
                    }
                }
            }
        }
        (Some(Keyword::Required), Node::Array(more)) => {
            there.node.array_mut()?.items.extend(more.items.iter().cloned());
        }
        _ if is_rule(keyword) => {
            let part = Map::new(vec![entry.clone()], Origin::Unknown);
            further.push(ArrayItem::new(Node::map(part), Origin::Unknown));
        }
        _ if is_annotation(keyword) => {}
        _ => return None,
    }
    Some(())
}

/// A schema of values that match both schemas.
fn both(one: Node, other: Node) -> Node {
    let parts = [one, other].map(|it| ArrayItem::new(it, Origin::Unknown));
    let parts = Node::array(Array::new(parts.into(), Origin::Unknown));
    Node::map(Map::new(vec![item(Keyword::AllOf, parts)], Origin::Unknown))
}
