//! Evaluates rules in CEL with another implementation.

use std::collections::HashMap;

use cel::{Context, Program, Value};
use serde_json::Value as Json;

/// Whether a value with all defaults filled in satisfies all `x-kubernetes-validations` of a
/// schema. A null is not checked.
pub(crate) fn are_satisfied(schema: &Json, value: &Json) -> bool {
    if value.is_null() {
        return true;
    }
    let rules = schema["x-kubernetes-validations"].as_array().into_iter().flatten();
    let is_valid = rules.into_iter().all(|it| is_true(it["rule"].as_str().expect("a rule"), value));
    is_valid
        && match value {
            Json::Object(map) => map.iter().all(|(key, value)| {
                let own = schema["properties"].get(key);
                are_satisfied(own.unwrap_or(&schema["additionalProperties"]), value)
            }),
            Json::Array(items) => items.iter().all(|it| are_satisfied(&schema["items"], it)),
            _ => true,
        }
}

fn is_true(expression: &str, value: &Json) -> bool {
    let program = Program::compile(expression).expect(expression);
    let mut context = Context::default();
    context.add_variable_from_value("self", value_of(value));
    matches!(program.execute(&context), Ok(Value::Bool(true)))
}

/// Integers are signed, and null counts as missing, as in Kubernetes.
fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Int(value),
            None => Value::Float(number.as_f64().expect("a number")),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(value_of).collect::<Vec<Value>>().into(),
        Json::Object(map) => {
            let entries = map.iter().filter(|(_, value)| !value.is_null());
            let entries = entries.map(|(key, value)| (key.as_str(), value_of(value)));
            entries.collect::<HashMap<&str, Value>>().into()
        }
    }
}
