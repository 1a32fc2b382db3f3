//! Differences for programs: one JSON object.

use plumb::document::Node;
use plumb_project::diff::{Change, Difference, DifferenceKind, DocumentDiff, Value as Side};
use serde_json::{Map, Value, json};

use super::TargetDiff;
use super::sides::Places;

/// All differences. Values are left out unless they are requested: they may be secret.
pub(super) fn text(targets: &[TargetDiff], shows_values: bool) -> String {
    let target = |it: &TargetDiff| {
        let documents: Vec<Value> =
            it.documents.iter().map(|one| document(one, it, shows_values)).collect();
        json!({ "name": it.name, "against": it.against, "documents": documents })
    };
    let is_same = targets.iter().all(|it| it.documents.is_empty());
    let targets: Vec<Value> = targets.iter().map(target).collect();
    format!("{:#}\n", json!({ "version": 1, "same": is_same, "targets": targets }))
}

/// A value that contains no other values.
pub(super) fn scalar(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(value) => (*value).into(),
        Node::Int(number) => (*number).into(),
        Node::UInt(number) => (*number).into(),
        Node::Float(number) => serde_json::Number::from_f64(*number)
            .map_or_else(|| number.to_string().into(), Value::from),
        Node::String(text) => text.to_str_lossy().into(),
        Node::Map(map) => {
            let entry = |it: &plumb::document::MapItem| {
                let key =
                    it.key.as_str().map_or_else(|| scalar(&it.key).to_string(), str::to_owned);
                (key, scalar(&it.node))
            };
            map.items().iter().map(entry).collect::<Map<_, _>>().into()
        }
        Node::Array(array) => array.items.iter().map(|it| scalar(&it.node)).collect(),
    }
}

fn document(diff: &DocumentDiff, target: &TargetDiff, shows_values: bool) -> Value {
    let name = &diff.name;
    let mut object = Map::new();
    let words = [
        ("apiVersion", &name.api_version),
        ("kind", &name.kind),
        ("namespace", &name.namespace),
        ("name", &name.name),
        ("file", &name.file),
    ];
    for (key, word) in words.into_iter().filter(|it| !it.1.is_empty()) {
        object.insert(key.to_owned(), word.as_str().into());
    }
    object.insert("number".to_owned(), name.number.into());
    let (change, rest) = match &diff.change {
        Change::Added(value) => ("added", ("new", side(value, &target.new, shows_values))),
        Change::Removed(value) => ("removed", ("old", side(value, &target.old, shows_values))),
        Change::Changed(all) => {
            let all: Vec<Value> =
                all.iter().map(|it| difference(it, target, shows_values)).collect();
            ("changed", ("differences", all.into()))
        }
    };
    object.insert("change".to_owned(), change.into());
    object.insert(rest.0.to_owned(), rest.1);
    object.into()
}

fn difference(difference: &Difference, target: &TargetDiff, shows_values: bool) -> Value {
    let change = match difference.kind {
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
        DifferenceKind::Changed => "changed",
        DifferenceKind::Reordered => "reordered",
    };
    let mut object = Map::new();
    object.insert("path".to_owned(), difference.path.as_str().into());
    object.insert("change".to_owned(), change.into());
    let sides = [("old", &difference.old, &target.old), ("new", &difference.new, &target.new)];
    for (key, value, places) in sides {
        if let Some(value) = value {
            object.insert(key.to_owned(), side(value, places, shows_values));
        }
    }
    object.into()
}

/// The type of a value, its origin, and the value itself if it is requested.
fn side(value: &Side, places: &Places, shows_values: bool) -> Value {
    let mut object = Map::new();
    object.insert("type".to_owned(), value.node.kind().to_string().into());
    if let Some(place) = value.place {
        let (file, line) = places.file_and_line(place);
        object.insert("file".to_owned(), file.into());
        object.insert("line".to_owned(), line.into());
    }
    if shows_values {
        object.insert("value".to_owned(), scalar(&value.node));
    }
    object.into()
}
