//! The JSON Schema of project files, for editors.
//!
//! It is generated from the same tables that the reader uses. Mistakes that involve several parts
//! of the file, such as an unknown target or a directory that two targets write to, are only found
//! by the reader.

use plumb::Document;
use plumb_jsonschema::{Dialect, Draft, Entries, Keyword, array, map, schema, type_name};
use plumb_source::Origin;
use plumb_value::{Node, NodeKind};

use crate::key::{
    Arity, ENV, EXTENDS, GENERATE, Key, MACHINES, OTHER_KEYS, TEMPLATES, VM_CHECK, all_keys,
};
use crate::read::{DEFAULTS, TARGETS};

/// Names of targets, as the reader accepts them.
const NAME_PATTERN: &str = r"^[\p{Alphabetic}\p{N}_.][-\p{Alphabetic}\p{N}_.]*$";

/// The JSON Schema of project files, of draft 2020-12.
pub fn json_schema() -> Document {
    let target =
        object(properties(|_| true), "What is built. The keys are the flags of the command line");
    let target = schema([(Keyword::AnyOf, array([target, schema([of_type(NodeKind::Null)])]))]);
    let mut targets = Entries::new();
    targets.add(Keyword::Description, "Targets by name");
    targets.add(Keyword::Type, type_name(NodeKind::Map));
    targets.add(Keyword::PropertyNames, schema([(Keyword::Pattern, NAME_PATTERN.into())]));
    targets.add(Keyword::AdditionalProperties, target);
    targets.add(Keyword::MinProperties, Node::Int(1));
    let is_default = |name: &str| ![EXTENDS, GENERATE, VM_CHECK].contains(&name);
    let defaults =
        object(properties(is_default), "Keys of all targets. A target can replace each of them");
    let mut file = Entries::new();
    file.add(Keyword::SchemaUri, Draft::Twenty.uri());
    file.add(Keyword::Title, "A project file of Plumb (plumb.yml)");
    file.add(Keyword::Type, type_name(NodeKind::Map));
    let parts = [(DEFAULTS, defaults), (TARGETS, targets.into_schema(DIALECT))];
    file.add(Keyword::Properties, map(parts));
    file.add(Keyword::Required, array([TARGETS.into()]));
    file.add(Keyword::AdditionalProperties, false);
    Document::new(file.into_schema(DIALECT), Origin::Unknown)
}

const DIALECT: Dialect = Dialect::JsonSchema;

/// The keys of a target with their schemas. A key that several kinds have is listed once.
fn properties(is_wanted: impl Fn(&str) -> bool) -> Node {
    let mut properties: Vec<(&'static str, Node)> = Vec::new();
    for (name, help) in OTHER_KEYS {
        if is_wanted(name) {
            properties.push((name, other_key(name, help)));
        }
    }
    for key in all_keys() {
        let name = key.flag.long;
        if is_wanted(name) && properties.iter().all(|(known, _)| *known != name) {
            properties.push((name, flag_schema(key)));
        }
    }
    map(properties)
}

fn other_key(name: &str, help: &str) -> Node {
    match name {
        ENV => many(text(), help),
        VM_CHECK => {
            let paths = |help| many(text(), help);
            let parts = map([
                (TEMPLATES, paths("Templates of virtual machines, or directories of them")),
                (MACHINES, paths("Virtual machines, or directories of them")),
            ]);
            object(parts, help)
        }
        _ => described(text(), help),
    }
}

/// The schema of a key that corresponds to a flag.
pub fn flag_schema(key: Key) -> Node {
    let help = key.flag.help;
    let value = match key.flag.values {
        [] => text(),
        values => schema([(Keyword::Enum, array(values.iter().map(|it| (*it).into())))]),
    };
    match key.arity {
        Arity::Switch => described(schema([of_type(NodeKind::Boolean)]), help),
        Arity::One => described(value, help),
        Arity::Many => many(value, help),
    }
}

/// A string, or a number that is read as a string.
fn text() -> Node {
    let types = [NodeKind::String, NodeKind::Float].map(|it| type_name(it).into());
    schema([(Keyword::Type, array(types))])
}

fn many(value: Node, help: &str) -> Node {
    let list = schema([of_type(NodeKind::Array), (Keyword::Items, value.clone())]);
    described(schema([(Keyword::AnyOf, array([value, list]))]), help)
}

fn object(properties: Node, help: &str) -> Node {
    let mut entries = Entries::new();
    entries.add(Keyword::Description, help);
    entries.add(Keyword::Type, type_name(NodeKind::Map));
    entries.add(Keyword::Properties, properties);
    entries.add(Keyword::AdditionalProperties, false);
    entries.into_schema(DIALECT)
}

fn described(node: Node, help: &str) -> Node {
    let mut entries = Entries::new();
    entries.add(Keyword::Description, help);
    entries.add(Keyword::AllOf, array([node]));
    entries.into_schema(DIALECT)
}

fn of_type(kind: NodeKind) -> (Keyword, Node) {
    (Keyword::Type, type_name(kind).into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use plumb::{SourceKind, Sources};
    use plumb_jsonschema::{Nothing, Options, Schema};

    use super::*;
    use crate::Project;

    /// Whether the reader accepts a text, or finds only a mistake that a schema cannot express.
    fn is_read(text: &str) -> bool {
        let sources = Sources::new();
        let file = sources.add("plumb.yml", SourceKind::File, text.as_bytes().into());
        let project = Project::of_source(file, Path::new("plumb.yml"), &sources);
        project.is_ok()
    }

    #[test]
    fn the_schema_accepts_what_the_reader_accepts() {
        let options = Options { uri: String::new(), retrieve: &Nothing, asserts_formats: true };
        let Ok(schema) = Schema::compile(&json_schema().node, &options) else {
            panic!("not a valid JSON Schema");
        };
        let accepted = [
            "{targets: {a: {file: config}}}",
            "{targets: {a: {file: [config, b.yml], strict: true, step-limit: 100}}}",
            "{targets: {a: {file: config, time-limit: 0.5, output: json}}}",
            "{defaults: {file: config, env: APP_A}, targets: {a: null, b.c: {extends: a}}}",
            "{targets: {a: {vm-check: {templates: t, machines: [m1, m2]}}}}",
            "{targets: {a: {generate: a.js, output-directory: out, parameter: [a=b]}}}",
            "{targets: {a: {file: c, output-files: out}}, defaults: {memory-limit: '10'}}",
        ];
        let refused = [
            "{defaults: {file: config}}",
            "{targets: {}}",
            "{targets: []}",
            "{targets: {a: {file: config}}, target: {}}",
            "{targets: {a: {flie: config}}}",
            "{targets: {a: {file: {b: c}}}}",
            "{targets: {a: {file: [[a]]}}}",
            "{targets: {a: {file: config, strict: 'yes'}}}",
            "{targets: {a: {file: config, output: xml}}}",
            "{targets: {a: {file: config, output-files: [a, b]}}}",
            "{targets: {a b: {file: config}}}",
            "{defaults: {extends: a}, targets: {a: {file: config}}}",
            "{targets: {a: {file: config, env: {A: b}}}}",
            "{targets: {a: {vm-check: {template: x}}}}",
            "{targets: {a: {generate: [a.js], output-directory: out}}}",
        ];
        for (texts, expected) in [(&accepted[..], true), (&refused[..], false)] {
            for text in texts {
                let sources = Sources::new();
                let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
                let options = plumb_yaml::ReadOptions::default();
                let documents = plumb_yaml::parse(file, text.as_bytes(), &options).expect(text);
                let findings = schema.check(&documents[0].node, Origin::Unknown);
                assert_eq!(findings.is_empty(), expected, "the schema: {text}");
                assert_eq!(is_read(text), expected, "the reader: {text}");
            }
        }
    }
}
