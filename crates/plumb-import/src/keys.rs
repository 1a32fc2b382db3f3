//! Maps: their keys, which of them are required, and the values of other keys.

use std::collections::HashSet;

use plumb_diagnostic::Failure;
use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, Node, NodeKind};

use crate::annotation::Annotation;
use crate::convert::{Converter, Sampled};
use crate::item::{Item, Keys, Kinds, Sample};
use crate::literal::shortened;
use crate::origin::Language;
use crate::types::of_kinds;

impl Converter<'_> {
    /// Whether a map may have keys with any values, in addition to those that are declared.
    fn is_open(&self, map: &Map) -> bool {
        let has_properties = Keyword::Properties.map(map).is_some_and(|it| !it.is_empty());
        let others = Keyword::AdditionalProperties.of(map);
        Keyword::PreserveUnknownFields.is_on(map)
            || Keyword::PatternProperties.is_in(map)
            || others.is_none()
                && (self.language.is_open() || !has_properties)
                && self.language != Language::Crd
            || matches!(others, Some(Node::Bool(true)))
    }

    /// Whether a map may have undeclared keys.
    pub(crate) fn has_others(&self, map: &Map) -> bool {
        self.is_open(map) || matches!(Keyword::AdditionalProperties.of(map), Some(Node::Map(_)))
    }

    pub(crate) fn map(&mut self, map: &Map) -> Result<Sampled, Failure> {
        let described = Keyword::Properties.map(map);
        let properties = described.map(Map::items).unwrap_or_default();
        let others = Keyword::AdditionalProperties.of(map);
        let has_patterns = Keyword::PatternProperties.is_in(map);
        let is_open = self.is_open(map);
        let mut said = vec![Keyword::Type, Keyword::Properties, Keyword::Required];
        if !has_patterns {
            said.push(Keyword::AdditionalProperties);
        }
        let required = Keyword::Required.of(map).and_then(Node::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flat_map(|it| &it.items)
            .filter_map(|it| it.node.as_str())
            .collect();
        let is_described = |key: &str| described.is_some_and(|it| it.get_str(key).is_some());
        let missing: Vec<&str> = required.iter().copied().filter(|it| !is_described(it)).collect();
        let has_others = self.has_others(map);
        let left = match missing.as_slice() {
            [] => Vec::new(),
            _ if !has_others => Vec::new(),
            missing => vec![(Keyword::Required.name().to_owned(), array_of(missing))],
        };
        if properties.is_empty() && is_open {
            return Ok(Sampled { item: of_kinds(&[NodeKind::Map]), said, left });
        }
        let are_required: HashSet<&str> = required.iter().copied().collect();
        let mut items = Vec::with_capacity(properties.len());
        for property in properties {
            let Some(key) = property.key.as_str() else {
                continue;
            };
            let is_required = are_required.contains(key);
            let item = self.item(&property.node, key)?;
            items.push((key.to_owned(), self.present(item, &property.node, is_required)));
        }
        let others = match others {
            Some(others @ Node::Map(_)) if !has_patterns => Some(self.item(others, "other")?),
            _ if is_open => Some(Item::any(Node::Null)),
            _ => None,
        };
        if let Some(mut others) = others {
            others.annotations.insert(0, Annotation::AnyKey);
            let taken = |key: &str| items.iter().any(|(it, _)| it == key);
            let mut key = "_".to_owned();
            while taken(&key) {
                key.push('_');
            }
            items.push((key, others));
        }
        let asks = |it: &Item| it.is_required() || it.is_always_there() && it.asks_for_something();
        let asks_below = items.iter().any(|(_, it)| asks(it));
        let sample = Sample::Map(Keys::new(items));
        let mut item = Item { sample, asks_below, ..Item::default() };
        let nameless = properties.iter().filter(|it| it.key.as_str().is_none());
        let nameless = nameless.map(|it| format!("a key without a name: {}", shortened(&it.key)));
        item.notes.extend(nameless);
        if !has_others {
            let missing = missing.iter();
            item.notes.extend(missing.map(|key| format!("required, but not described: {key}")));
        }
        Ok(Sampled { item, said, left })
    }

    /// Sets whether the key of an item is present by default, and whether it is required.
    fn present(&self, mut item: Item, schema: &Node, is_required: bool) -> Item {
        let default = schema.as_map().and_then(|it| Keyword::Default.of(it));
        let has_default = default.is_some_and(|it| item.fits(it));
        let is_map = matches!(item.sample, Sample::Map(_)) && matches!(item.kinds, Kinds::Sample);
        let is_nullable = matches!(item.kinds, Kinds::Nullable) || item.is_nullable();
        let is_valid = item.rules.is_empty() || item.is_valid(&item.default_value());
        let is_optional = match self.language {
            _ if is_required => false,
            Language::Crd => !has_default && !is_nullable,
            Language::OpenApi | Language::JsonSchema if has_default => {
                !is_valid && self.language == Language::JsonSchema
            }
            Language::OpenApi | Language::JsonSchema if is_map => {
                !is_complete(schema) || !is_valid && self.language == Language::JsonSchema
            }
            Language::OpenApi | Language::JsonSchema => !is_nullable,
        };
        if is_optional {
            item.annotations.push(Annotation::MayBePresent);
            return item;
        }
        if !is_required || has_default || !is_valid || is_map && item.asks_for_something() {
            return item;
        }
        let says = |keyword: Keyword| keyword.within(schema);
        let lets_null_be = item.fits(&Node::Null)
            && (self.language != Language::Crd
                || matches!(says(Keyword::Nullable), Some(Node::Bool(true))));
        if is_nullable || lets_null_be {
            item.annotations.push(Annotation::Required);
            return item;
        }
        item.accept_null();
        item.forbid_null();
        item
    }
}

/// Whether every key of a map has a default.
fn is_complete(schema: &Node) -> bool {
    let Some(map) = schema.as_map() else {
        return false;
    };
    let has_required = Keyword::Required.of(map).and_then(Node::as_array);
    if has_required.is_some_and(|it| !it.items.is_empty()) {
        return false;
    }
    let properties = Keyword::Properties.map(map);
    properties.into_iter().flat_map(Map::items).all(|it| {
        let has = |keyword: Keyword| keyword.within(&it.node).is_some();
        has(Keyword::Default)
            || has(Keyword::Nullable)
            || has(Keyword::Properties) && is_complete(&it.node)
    })
}

fn array_of(texts: &[&str]) -> Node {
    let items = texts.iter().map(|it| ArrayItem::new((*it).into(), Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}

/// A map with further items. They replace items with the same keys.
pub(crate) fn with(map: &Map, items: Vec<plumb_value::MapItem>) -> Map {
    let added = Map::new(items, Origin::Unknown);
    let kept = map.items().iter().filter(|it| added.get(&it.key).is_none()).cloned();
    let mut all: Vec<_> = kept.collect();
    all.extend(added.into_items());
    Map::new(all, map.origin)
}
