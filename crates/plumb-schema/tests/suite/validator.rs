//! The validator that the laws compare the engine with: Plumb's own validator for JSON Schema.
//!
//! `crosscheck/` runs the same laws with an independent validator.

use plumb_jsonschema::{Nothing, Options, Schema, array, map};
use plumb_source::Origin;
use plumb_value::Node;
use serde_json::Value;

pub(crate) struct Validator(Schema);

impl Validator {
    pub(crate) fn new(schema: &Value) -> Self {
        // With a `$schema`, formats would be annotations, as the draft requires.
        let mut schema = schema.clone();
        schema.as_object_mut().map(|it| it.remove("$schema"));
        let options = Options { uri: String::new(), retrieve: &Nothing, asserts_formats: true };
        let Ok(schema) = Schema::compile(&node(&schema), &options) else {
            panic!("not a valid JSON Schema: {schema:#}");
        };
        Self(schema)
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.0.check(&node(value), Origin::Unknown).is_empty()
    }
}

fn node(json: &Value) -> Node {
    match json {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(value) => Node::Int(value),
            None => Node::Float(number.as_f64().expect("a number")),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => array(items.iter().map(node)),
        Value::Object(entries) => map(entries.iter().map(|(key, it)| (key.as_str(), node(it)))),
    }
}
