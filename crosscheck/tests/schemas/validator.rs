//! The validator that the laws compare the engine with: the `jsonschema` crate.

use serde_json::Value;

pub(crate) struct Validator(jsonschema::Validator);

impl Validator {
    pub(crate) fn new(schema: &Value) -> Self {
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        Self(options.build(schema).expect("a valid JSON Schema"))
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }
}
