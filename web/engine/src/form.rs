//! The data values of a schema as a form: the type, the rules and the current value of each.

use plumb::Document;
use plumb::docs::{Default, Heading, Key, Reference};
use plumb::document::Node;
use plumb::types::{Schema, masked};
use serde_json::{Value, json};

use crate::answer;

/// The flag that sets a value to a string, and the one that sets it to any value.
const TEXT_FLAG: &str = "data-value";
const YAML_FLAG: &str = "data-value-yaml";

/// The form of a schema. Only values that a flag can set have a field.
pub(crate) fn form(schema: &Schema, values: Option<&Document>) -> Value {
    let Reference { title, description, sections, .. } = Reference::of(schema, None);
    let shown = values.map(|it| masked(schema.root(), &it.node).into_owned());
    let now = Now { values: values.map(|it| &it.node), shown: shown.as_ref() };
    let sections = sections.iter().filter_map(|section| {
        let is_settable = |it: &&Key| it.below.is_empty() && can_be_set(&it.path);
        let fields = section.keys.iter().filter(is_settable).map(|it| field(it, now));
        let fields: Vec<Value> = fields.collect();
        let heading = match &section.heading {
            Heading::Words(words) => words,
            Heading::Path(path) => path,
        };
        let description = &section.description;
        (!fields.is_empty())
            .then(|| json!({ "heading": heading, "description": description, "fields": fields }))
    });
    let sections: Vec<Value> = sections.collect();
    json!({ "title": title, "description": description, "sections": sections })
}

/// The data values of the run, with and without a mask in place of secrets.
#[derive(Clone, Copy)]
struct Now<'a> {
    values: Option<&'a Node>,
    shown: Option<&'a Node>,
}

fn field(key: &Key, now: Now<'_>) -> Value {
    let (input, flag) = match key.type_name.as_str() {
        "string" => ("text", TEXT_FLAG),
        "integer" | "float" => ("number", YAML_FLAG),
        "boolean" => ("switch", YAML_FLAG),
        _ => ("yaml", YAML_FLAG),
    };
    let shown = now.shown.and_then(|it| at(it, &key.path)).map(|it| written(it, input));
    let value = now.values.and_then(|it| at(it, &key.path)).map(|it| written(it, input));
    let is_secret = value != shown || matches!(key.default, Default::Hidden);
    json!({
        "path": key.path,
        "name": key.name,
        "type": key.type_name,
        "input": if is_secret { "secret" } else { input },
        "flag": flag,
        "title": key.title,
        "description": key.description,
        "deprecation": key.deprecation,
        "rules": key.rules,
        "value": if is_secret { None } else { shown },
    })
}

/// Whether `--data-value` can name a path: its keys are joined by dots, and there are no items.
fn can_be_set(path: &str) -> bool {
    !path.contains(['[', ']', '*', '"'])
}

fn at<'n>(node: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.').try_fold(node, |node, key| node.as_map()?.get_str(key))
}

/// A value as text in its field.
fn written(node: &Node, input: &str) -> String {
    match node.as_str() {
        Some(text) if input == "text" => text.to_owned(),
        _ => {
            let document = Document::new(node.clone(), plumb::document::Origin::Unknown);
            let text = answer::text(&plumb::print::yaml([&document]));
            text.strip_suffix('\n').unwrap_or(&text).to_owned()
        }
    }
}
