//! The JSON Schema of suite files, for editors. It is made of the same tables that the reader uses.

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
        DOCUMENT_INDEX => described(of_type(NodeKind::Integer), help),
        DOCUMENT_SELECTOR => {
            let properties =
                SELECTOR.iter().map(|(name, help)| (*name, described(anything(), help)));
            let others = ["matchMany", "skipEmptyTemplates"];
            let others =
                others.map(|it| (it, described(of_type(NodeKind::Boolean), "Has no effect")));
            let mut entries = Entries::new();
            entries.add(Keyword::Description, help);
            object(&mut entries, properties.chain(others).collect(), &[]);
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
            Takes::Count | Takes::OptionalCount => of_type(NodeKind::Integer),
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

/// A text, or a number that is read as one.
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

fn described(node: Node, help: &str) -> Node {
    let mut entries = Entries::new();
    entries.add(Keyword::Description, help);
    entries.add(Keyword::AllOf, array([node]));
    entries.into_schema(DIALECT)
}
