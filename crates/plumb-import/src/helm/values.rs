//! The schema of a chart's values: types and defaults from `values.yaml`, types and rules from
//! `values.schema.json`, descriptions from both.
//!
//! Both are merged into one JSON Schema, which is imported like any other. A default of
//! `values.yaml` that `values.schema.json` does not accept is kept, and its type is inferred.

use std::collections::HashSet;

use plumb_diagnostic::Failure;
use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use super::describe::Descriptions;
use super::infer::{infer, schema_of};
use super::release::Release;
use super::{Chart, no_chart};
use crate::convert::{Imported, convert};
use crate::item::{Item, Sample};
use crate::keys::with;
use crate::origin::{Draft, Found, Language};
use crate::reference::resolve;
use crate::types::Types;

/// The maximum length of a chain of references.
const MAX_REFERENCES: usize = 32;

/// Keywords that may describe keys besides `properties`.
const OTHERS: [Keyword; 6] = [
    Keyword::AdditionalProperties,
    Keyword::PatternProperties,
    Keyword::AllOf,
    Keyword::AnyOf,
    Keyword::OneOf,
    Keyword::If,
];

/// The schema of a chart.
pub(crate) struct ChartSchema {
    pub(crate) imported: Imported,
    /// The paths of defaults that `values.schema.json` does not accept.
    pub(crate) contradictions: Vec<String>,
    /// The paths of values that must be given, because their defaults are not valid.
    pub(crate) missing: Vec<String>,
}

pub(crate) fn schema(chart: &Chart, release: Option<&Release>) -> Result<ChartSchema, Failure> {
    let values = values(chart, release)?;
    let declared = chart.schema.as_ref().map(|it| &it.node).filter(|it| it.as_map().is_some());
    let text = chart.values.as_ref().map_or("", |it| it.1.as_str());
    let mut merger = Merger {
        descriptions: Descriptions::of(text),
        document: declared,
        inferred: HashSet::new(),
    };
    let imported = merger.import(&values, declared)?;
    let mut lost = Vec::new();
    find_lost(&imported.root.default_value(), &values, &mut Vec::new(), &mut lost);
    let imported = if lost.is_empty() {
        imported
    } else {
        merger.inferred = lost.iter().cloned().collect();
        merger.import(&values, declared)?
    };
    let mut missing = Vec::new();
    find_missing(&imported.root, &mut Vec::new(), &mut missing);
    Ok(ChartSchema { imported, contradictions: lost, missing })
}

/// The values of the chart and of the release.
fn values(chart: &Chart, release: Option<&Release>) -> Result<Node, Failure> {
    let mut map = match &chart.values {
        None => Map::default(),
        Some((document, _)) => match &document.node {
            Node::Null => Map::default(),
            Node::Map(map) => Map::clone(map),
            other => {
                let kind = other.kind().with_article();
                let why = plumb_source::message!("`values.yaml` must be a map, found {kind}");
                return Err(no_chart(why, document.origin).into());
            }
        },
    };
    if let Some(release) = release {
        let (key, node) = release.values(&map);
        map.push(MapItem::new(key.into(), node, Origin::Unknown));
    }
    Ok(Node::map(map))
}

struct Merger<'a> {
    descriptions: Descriptions<'a>,
    /// The document of `values.schema.json`, in which references are looked up.
    document: Option<&'a Node>,
    /// The paths of values whose declared schema is not used.
    inferred: HashSet<String>,
}

impl Merger<'_> {
    fn import(&self, values: &Node, declared: Option<&Node>) -> Result<Imported, Failure> {
        let schema = self.merged(values, declared, &mut Vec::new());
        let mut imported = convert(&Found {
            schema: &schema,
            document: self.document.unwrap_or(&schema),
            language: Language::JsonSchema,
            draft: self.document.map_or(Draft::Later, Draft::of),
            title: String::new(),
        })?;
        imported.narrows_integers &= self.document.is_some();
        Ok(imported)
    }

    /// The schema of a value: its declared schema, with the value as its default.
    fn merged<'a>(
        &self,
        value: &'a Node,
        declared: Option<&Node>,
        path: &mut Vec<&'a str>,
    ) -> Node {
        let is_inferred = self.inferred.contains(&path.join("."));
        let declared = declared.and_then(Node::as_map).filter(|_| !is_inferred);
        match value {
            Node::Map(map) if !map.is_empty() => {
                let followed = declared.map(|it| self.followed(it));
                let is_map = |it: &Map| {
                    let types = Types::of(it);
                    types.is_any || types.kinds.contains(&plumb_value::NodeKind::Map)
                };
                self.map(map, followed.filter(is_map), path)
            }
            _ => {
                let inferred;
                let schema = match declared {
                    Some(declared) => declared,
                    None => {
                        inferred = infer(value);
                        &inferred
                    }
                };
                Node::map(with(schema, vec![item(Keyword::Default, value.clone())]))
            }
        }
    }

    fn map<'a>(&self, map: &'a Map, declared: Option<Map>, path: &mut Vec<&'a str>) -> Node {
        let declared = declared.unwrap_or_default();
        let described = Keyword::Properties.map(&declared);
        let mut properties = Vec::new();
        let mut names = Vec::new();
        for entry in map.items() {
            let Some(key) = entry.key.as_str() else {
                continue;
            };
            path.push(key);
            let own = described.and_then(|it| it.get_str(key));
            let mut schema = self.merged(&entry.node, own, path);
            let about = self.descriptions.get(path, entry.origin);
            if let (Some(text), Node::Map(map)) = (about, &schema)
                && !Keyword::Description.is_in(map)
            {
                schema =
                    Node::map(with(map, vec![item(Keyword::Description, text.as_str().into())]));
            }
            path.pop();
            properties.push(MapItem::new(key.into(), schema, Origin::Unknown));
            names.push(key);
        }
        let is_new = |it: &&MapItem| map.get(&it.key).is_none();
        properties.extend(described.into_iter().flat_map(Map::items).filter(is_new).cloned());
        let required = Keyword::Required.of(&declared).and_then(Node::as_array);
        let required = required.into_iter().flat_map(|it| &it.items);
        let required =
            required.filter_map(|it| it.node.as_str()).filter(|it| map.get_str(it).is_none());
        names.extend(required);
        let names = names.iter().map(|it| ArrayItem::new((*it).into(), Origin::Unknown)).collect();
        let mut keywords = vec![
            item(Keyword::Type, "object".into()),
            item(Keyword::Properties, Node::map(Map::new(properties, Origin::Unknown))),
            item(Keyword::Required, Node::array(Array::new(names, Origin::Unknown))),
            // An empty default is completed with the defaults of the keys.
            item(Keyword::Default, Node::map(Map::default())),
        ];
        if !OTHERS.iter().any(|it| it.is_in(&declared)) {
            keywords.push(item(Keyword::AdditionalProperties, Node::Bool(false)));
        }
        Node::map(with(&declared, keywords))
    }

    /// A schema whose reference is replaced by its target.
    fn followed(&self, schema: &Map) -> Map {
        let mut schema = schema.clone();
        for _ in 0..MAX_REFERENCES {
            let target = Keyword::Ref
                .text(&schema)
                .and_then(|it| resolve(self.document?, it))
                .and_then(Node::as_map);
            let Some(target) = target else {
                break;
            };
            let is_own = |it: &&MapItem| it.key.as_str() != Some(Keyword::Ref.name());
            schema = with(target, schema.items().iter().filter(is_own).cloned().collect());
        }
        schema
    }
}

fn item(keyword: Keyword, node: Node) -> MapItem {
    schema_of(keyword, node)
}

/// Finds the values that are missing in the defaults.
fn find_lost<'a>(
    defaults: &Node,
    values: &'a Node,
    path: &mut Vec<&'a str>,
    lost: &mut Vec<String>,
) {
    let (Node::Map(defaults), Node::Map(values)) = (defaults, values) else {
        if !is_equal(defaults, values) {
            lost.push(path.join("."));
        }
        return;
    };
    for entry in values.items() {
        let Some(key) = entry.key.as_str() else {
            continue;
        };
        path.push(key);
        match defaults.get_str(key) {
            Some(default) => find_lost(default, &entry.node, path, lost),
            None => lost.push(path.join(".")),
        }
        path.pop();
    }
}

/// Finds the values whose defaults are not valid.
fn find_missing<'a>(item: &'a Item, path: &mut Vec<&'a str>, missing: &mut Vec<String>) {
    let is_valid = || item.rules.is_empty() || item.is_valid(&item.default_value());
    match &item.sample {
        _ if item.is_required() || !is_valid() => missing.push(path.join(".")),
        Sample::Map(keys) if item.default.is_none() => {
            let is_here = |it: &&(String, Item)| it.1.is_required() || it.1.is_always_there();
            for (key, below) in keys.items().iter().filter(is_here) {
                path.push(key);
                find_missing(below, path, missing);
                path.pop();
            }
        }
        Sample::Map(_) | Sample::Array(_) | Sample::Value(_) => {}
    }
}

/// Whether a default equals the value. An integer may have become a float.
#[expect(clippy::cast_precision_loss, reason = "the float was made in the same way")]
fn is_equal(default: &Node, value: &Node) -> bool {
    match (default, value) {
        (Node::Float(default), Node::Int(value)) => default.to_bits() == (*value as f64).to_bits(),
        (Node::Float(default), Node::UInt(value)) => default.to_bits() == (*value as f64).to_bits(),
        _ => super::same::is_identical(default, value),
    }
}
