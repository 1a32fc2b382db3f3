//! The JSON Schema of suite files, for editors. It is generated from the same tables that the
//! reader uses.

use plumb::Document;
use plumb_jsonschema::{Dialect, Draft, Entries, Keyword, array, map, schema, type_name};
use plumb_project::flag_schema;
use plumb_source::Origin;
use plumb_value::{Node, NodeKind};

use crate::key::{
    self, ASSERTIONS, ASSERTS, DOCUMENT_INDEX, DOCUMENT_SELECTOR, NOT, NOT_HELP, Named, SELECTOR,
    SET, TEMPLATE, TEMPLATES, TESTS, Takes, VALUES,
};

const DIALECT: Dialect = Dialect::JsonSchema;

/// The JSON Schema of suite files, of draft 2020-12.
pub fn json_schema() -> Document {
    let own = key::of_suite().map(|(name, help)| (name, value(name, help)));
    let flags = key::flags().map(|it| (it.flag.long, flag_schema(it)));
    let mut file = Entries::new();
    file.add(Keyword::SchemaUri, Draft::Twenty.uri());
    file.add(Keyword::Title, "A test suite of Plumb (*_test.yml)");
    object(&mut file, own.chain(flags).collect(), &[TESTS]);
    Document::new(file.into_schema(DIALECT), Origin::Unknown)
}

/// The schema of a key that is not a flag.
fn value(name: &str, help: &str) -> Node {
    match name {
        SET => described(of_type(NodeKind::Map), help),
        VALUES | TEMPLATE | TEMPLATES => {
            let list = schema([
                (Keyword::Type, type_name(NodeKind::Array).into()),
                (Keyword::Items, of_type(NodeKind::String)),
            ]);
            described(schema([(Keyword::AnyOf, array([of_type(NodeKind::String), list]))]), help)
        }
        // -1 means all documents, as in helm-unittest.
        DOCUMENT_INDEX => described(at_least(-1), help),
        DOCUMENT_SELECTOR => {
            let properties =
                SELECTOR.iter().map(|(name, help)| (*name, described(anything(), help)));
            let others = ["matchMany", "skipEmptyTemplates"];
            let others =
                others.map(|it| (it, described(of_type(NodeKind::Boolean), "Has no effect")));
            let mut entries = Entries::new();
            entries.add(Keyword::Description, help);
            object(&mut entries, properties.chain(others).collect(), &[]);
            let both = [("path", array(["value".into()])), ("value", array(["path".into()]))];
            entries.add(Keyword::DependentRequired, map(both));
            entries.into_schema(DIALECT)
        }
        TESTS => list(test(), help),
        ASSERTS => list(assertion(), help),
        _ => described(text(), help),
    }
}

fn test() -> Node {
    let mut entries = Entries::new();
    let properties = key::of_test().map(|(name, help)| (name, value(name, help)));
    object(&mut entries, properties.collect(), &[ASSERTS]);
    entries.into_schema(DIALECT)
}

fn assertion() -> Node {
    let own = ASSERTIONS.iter().map(|it| (it.name, described(parameters(it), it.help)));
    let scope = key::of_scope().map(|(name, help)| (name, value(name, help)));
    let not = [(NOT, described(of_type(NodeKind::Boolean), NOT_HELP))];
    let mut entries = Entries::new();
    object(&mut entries, own.chain(scope).chain(not).collect(), &[]);
    let names = ASSERTIONS.iter().map(|it| schema([(Keyword::Required, array([it.name.into()]))]));
    entries.add(Keyword::OneOf, array(names));
    entries.into_schema(DIALECT)
}

fn parameters(named: &Named) -> Node {
    let is_required =
        |takes: Takes| matches!(takes, Takes::Path | Takes::Text | Takes::Count | Takes::Anything);
    let properties = named.parameters.iter().map(|(name, takes)| {
        let schema = match takes {
            Takes::Path | Takes::OptionalPath | Takes::Text | Takes::OptionalText => text(),
            Takes::Count | Takes::OptionalCount => at_least(0),
            Takes::Switch => of_type(NodeKind::Boolean),
            Takes::Anything => anything(),
        };
        (*name, schema)
    });
    let required: Vec<&str> =
        named.parameters.iter().filter(|it| is_required(it.1)).map(|it| it.0).collect();
    let mut entries = Entries::new();
    object(&mut entries, properties.collect(), &required);
    let whole = entries.into_schema(DIALECT);
    let mut choices = vec![whole];
    if named.alone.is_some() {
        choices.push(of_type(NodeKind::String));
    }
    if required.is_empty() {
        choices.push(of_type(NodeKind::Null));
    }
    if choices.len() == 1 {
        return choices.remove(0);
    }
    schema([(Keyword::AnyOf, array(choices))])
}

fn object(entries: &mut Entries, properties: Vec<(&'static str, Node)>, required: &[&'static str]) {
    entries.add(Keyword::Type, type_name(NodeKind::Map));
    entries.add(Keyword::Properties, map(properties));
    if !required.is_empty() {
        entries.add(Keyword::Required, array(required.iter().map(|it| (*it).into())));
    }
    entries.add(Keyword::AdditionalProperties, false);
}

fn list(items: Node, help: &str) -> Node {
    let mut entries = Entries::new();
    entries.add(Keyword::Description, help);
    entries.add(Keyword::Type, type_name(NodeKind::Array));
    entries.add(Keyword::Items, items);
    entries.into_schema(DIALECT)
}

/// A string, or a number that is read as a string.
fn text() -> Node {
    let types = [NodeKind::String, NodeKind::Float].map(|it| type_name(it).into());
    schema([(Keyword::Type, array(types))])
}

fn anything() -> Node {
    schema([])
}

fn of_type(kind: NodeKind) -> Node {
    schema([(Keyword::Type, type_name(kind).into())])
}

fn at_least(min: i64) -> Node {
    let kind = type_name(NodeKind::Integer).into();
    schema([(Keyword::Type, kind), (Keyword::Minimum, Node::Int(min))])
}

fn described(node: Node, help: &str) -> Node {
    let mut entries = Entries::new();
    entries.add(Keyword::Description, help);
    entries.add(Keyword::AllOf, array([node]));
    entries.into_schema(DIALECT)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use plumb::world::MemoryWorld;
    use plumb::{SourceKind, Sources};
    use plumb_jsonschema::{Nothing, Options, Schema};

    use super::*;
    use crate::TestFile;

    /// Whether the reader finds no mistakes.
    fn is_read(text: &str) -> bool {
        let (world, mut findings) = (MemoryWorld::new().file("a_test.yml", text), Vec::new());
        let read = TestFile::read(&world, Path::new("a_test.yml"), &Sources::new(), &mut findings);
        read.is_ok() && findings.is_empty()
    }

    /// A suite with one assertion.
    fn asserting(assertion: &str) -> String {
        format!("{{tests: [{{it: is so, asserts: [{assertion}]}}]}}")
    }

    #[test]
    fn the_schema_accepts_what_the_reader_accepts() {
        let options = Options { uri: String::new(), retrieve: &Nothing, asserts_formats: true };
        let Ok(schema) = Schema::compile(&json_schema().node, &options) else {
            panic!("not a valid JSON Schema");
        };
        let mut accepted = [
            "{tests: []}",
            "{suite: web, target: prod, tests: []}",
            "{suite: 1.5, tests: []}",
            "{file: config, data-value: [a=b], strict: true, tests: []}",
            "{set: {a.b: [1]}, values: [a.yml, b.yml], tests: []}",
            "{template: a.yml, documentIndex: 0, documentSelector: {kind: Pod}, tests: []}",
            "{documentSelector: {path: a.b, value: {c: 1}, matchMany: true}, tests: []}",
            "{tests: [{asserts: []}]}",
            "{tests: [{it: 1, set: {}, values: a.yml, templates: [a.yml], asserts: []}]}",
        ]
        .map(str::to_owned)
        .to_vec();
        let mut refused = [
            "[]",
            "{suite: web}",
            "{suit: web, tests: []}",
            "{suite: [web], tests: []}",
            "{suite: true, tests: []}",
            "{target: null, tests: []}",
            "{output-files: out, tests: []}",
            "{file: {a: b}, tests: []}",
            "{strict: 'yes', file: a, tests: []}",
            "{set: [a], tests: []}",
            "{values: {a: b}, tests: []}",
            "{documentIndex: first, tests: []}",
            "{documentIndex: -2, tests: []}",
            "{documentSelector: {kid: Pod}, tests: []}",
            "{documentSelector: [], tests: []}",
            "{documentSelector: {path: a}, tests: []}",
            "{tests: {}}",
            "{tests: [{it: is so}]}",
            "{tests: [{asserts: {}}]}",
            "{tests: [{assert: [], asserts: []}]}",
            "{tests: [[]]}",
        ]
        .map(str::to_owned)
        .to_vec();
        accepted.extend(
            [
                "{equal: {path: a.b, value: null}}",
                "{equal: {path: 1, value: {a: 1}}, not: true, documentIndex: 1}",
                "{matchRegex: {path: a, pattern: b}}",
                "{contains: {path: a, content: 1, count: 2, any: true}}",
                "{isSubset: {path: a, content: {}}}",
                "{lengthEqual: {path: a, count: 0}}",
                "{isKind: {of: Pod}}",
                "{hasDocuments: {count: 1}}",
                "{cel: self.a == 1}",
                "{cel: {rule: 'true', path: a}}",
                "{fails: {}}",
                "{fails: null}",
                "{fails: {code: a/b, at: 'a.yml:1', message: x}}",
                "{matchSnapshot: {}}",
                "{matchSnapshot: null}",
                "{matchSnapshot: {path: a}}",
            ]
            .map(asserting),
        );
        refused.extend(
            [
                "{}",
                "[]",
                "equal",
                "{equals: {path: a, value: 1}}",
                "{equal: {path: a}}",
                "{equal: {value: 1}}",
                "{equal: {path: a, value: 1, vlaue: 2}}",
                "{equal: a}",
                "{equal: {path: [a], value: 1}}",
                "{equal: {path: a, value: 1}, exists: {path: a}}",
                "{exists: null}",
                "{exists: {path: a}, not: maybe}",
                "{hasDocuments: 1}",
                "{hasDocuments: {count: one}}",
                "{hasDocuments: {count: -1}}",
                "{contains: {path: a, content: 1, any: 1}}",
                "{cel: {path: a}}",
                "{fails: {codes: a/b}}",
                "{fails: [a]}",
                "{matchSnapshot: a}",
            ]
            .map(asserting),
        );
        for (texts, expected) in [(accepted, true), (refused, false)] {
            for text in &texts {
                let sources = Sources::new();
                let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
                let options = plumb_yaml::ReadOptions::default();
                let documents = plumb_yaml::parse(file, text.as_bytes(), &options).expect(text);
                let findings = schema.check(&documents[0].node, Origin::Unknown);
                assert_eq!(is_read(text), expected, "the reader: {text}");
                assert_eq!(findings.is_empty(), expected, "the schema: {text}");
            }
        }
    }
}
