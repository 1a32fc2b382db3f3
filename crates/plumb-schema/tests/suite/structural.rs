//! The requirements of an API server for the schema of a custom resource, according to its
//! documentation of structural schemas.

use serde_json::{Map, Value, json};

use crate::validator::Validator;

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// Keywords about values: the only ones that are allowed within `anyOf` and similar keywords.
const OF_VALUES: [&str; 20] = [
    "allOf",
    "anyOf",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "properties",
];

const OF_SHAPE: [&str; 11] = [
    "additionalProperties",
    "default",
    "description",
    "example",
    "nullable",
    "title",
    "type",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// The schema of the only version of a definition.
pub(crate) fn schema_of(crd: &Value) -> &Value {
    &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

/// Why an API server would reject a schema.
pub(crate) fn problems(schema: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if schema["type"] != "object" {
        problems.push("the root is no object".to_owned());
    }
    shape(schema, "", &mut problems);
    problems
}

fn shape(node: &Value, at: &str, problems: &mut Vec<String>) {
    let mut object = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("{at}: {what}"));
        }
    };
    let is_on = |keyword: &str| node[keyword] == true;
    let is_open = is_on("x-kubernetes-preserve-unknown-fields");
    let is_int_or_string = is_on("x-kubernetes-int-or-string");
    let ty = node["type"].as_str();
    object(ty.is_none_or(|it| TYPES.contains(&it)), "unknown type");
    object(ty.is_some() || is_open || is_int_or_string, "no type");
    object(!is_int_or_string || ty.is_none(), "a type beside int-or-string");
    object(!is_open || ty.is_none_or(|it| it == "object"), "open, but no object");
    object(node.get("items").is_some() == (ty == Some("array")), "items without array, or without");
    let is_map = node.get("properties").is_some() || node.get("additionalProperties").is_some();
    object(!is_map || ty == Some("object"), "keys of something other than an object");
    let has_both = node.get("properties").is_some() && node.get("additionalProperties").is_some();
    object(!has_both, "additionalProperties beside properties");
    object(node["additionalProperties"] != false, "closed by hand");
    object(node["default"] != Value::Null || node.get("default").is_none(), "a default of null");
    let has_rules = node.get("x-kubernetes-validations").is_some();
    object(!has_rules || ty.is_some() || is_int_or_string, "rules on what has no type");
    for keyword in node.as_object().into_iter().flat_map(Map::keys) {
        let is_known = OF_VALUES.contains(&keyword.as_str())
            || OF_SHAPE.contains(&keyword.as_str())
            || keyword == "required";
        object(is_known, &format!("the keyword {keyword}"));
    }
    if let Some(default) = node.get("default") {
        object(accepts(node, default), &format!("a default that is not valid: {default}"));
    }
    junctions(node, node, at, problems);
    for (key, below) in entries(node, "properties") {
        shape(below, &format!("{at}.{key}"), problems);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = node.get(keyword) {
            shape(below, &format!("{at}.{keyword}"), problems);
        }
    }
}

/// Checks the content of `anyOf` and the like against the shape that they apply to.
fn junctions(node: &Value, of: &Value, at: &str, problems: &mut Vec<String>) {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for part in node[keyword].as_array().into_iter().flatten() {
            values(part, of, &format!("{at}.{keyword}"), problems);
        }
    }
    if let Some(part) = node.get("not") {
        values(part, of, &format!("{at}.not"), problems);
    }
}

fn values(node: &Value, of: &Value, at: &str, problems: &mut Vec<String>) {
    for keyword in node.as_object().into_iter().flat_map(Map::keys) {
        if !OF_VALUES.contains(&keyword.as_str()) && keyword != "required" {
            problems.push(format!("{at}: {keyword} where only values are spoken of"));
        }
    }
    for (key, below) in entries(node, "properties") {
        match of["properties"].get(key) {
            Some(of) => values(below, of, &format!("{at}.{key}"), problems),
            None => problems.push(format!("{at}: the key {key} has no shape")),
        }
    }
    if let Some(below) = node.get("items") {
        values(below, &of["items"], &format!("{at}.items"), problems);
    }
    junctions(node, of, at, problems);
}

fn entries<'a>(node: &'a Value, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    node[keyword].as_object().into_iter().flatten()
}

/// Whether an API server that rejects unknown fields would accept a value.
pub(crate) fn accepts(schema: &Value, value: &Value) -> bool {
    Validator::new(&as_json_schema(schema)).accepts(value)
}

/// The value after an API server has filled in its defaults.
pub(crate) fn filled_in(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Object(given) => {
            let mut filled = Map::new();
            for (key, value) in given {
                let below = schema["properties"].get(key).or(schema.get("additionalProperties"));
                filled.insert(key.clone(), filled_in(below.unwrap_or(&Value::Null), value));
            }
            for (key, below) in entries(schema, "properties") {
                if let (None, Some(default)) = (filled.get(key), below.get("default")) {
                    filled.insert(key.clone(), filled_in(below, default));
                }
            }
            Value::Object(filled)
        }
        Value::Array(items) => items.iter().map(|it| filled_in(&schema["items"], it)).collect(),
        other => other.clone(),
    }
}

/// A structural schema as a JSON Schema that other validators understand.
fn as_json_schema(schema: &Value) -> Value {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    let mut out = Map::new();
    for (keyword, value) in keywords {
        let value = match keyword.as_str() {
            "properties" => value
                .as_object()
                .into_iter()
                .flatten()
                .map(|(k, v)| (k.clone(), as_json_schema(v)))
                .collect(),
            "items" | "additionalProperties" => as_json_schema(value),
            "nullable" | "default" | "example" | "exclusiveMinimum" | "exclusiveMaximum" => {
                continue;
            }
            "minimum" if schema["exclusiveMinimum"] == true => {
                out.insert("exclusiveMinimum".to_owned(), value.clone());
                continue;
            }
            "maximum" if schema["exclusiveMaximum"] == true => {
                out.insert("exclusiveMaximum".to_owned(), value.clone());
                continue;
            }
            "x-kubernetes-list-type" => {
                out.insert("uniqueItems".to_owned(), json!(value == "set"));
                continue;
            }
            "x-kubernetes-int-or-string" => {
                out.insert("type".to_owned(), json!(["integer", "string"]));
                continue;
            }
            _ => value.clone(),
        };
        out.insert(keyword.clone(), value);
    }
    let is_map = schema["type"] == "object";
    let is_open = schema["x-kubernetes-preserve-unknown-fields"] == true;
    if is_map && !is_open && !out.contains_key("additionalProperties") {
        out.insert("additionalProperties".to_owned(), json!(false));
    }
    match (schema["nullable"] == true, schema.get("enum")) {
        (false, _) if out.contains_key("type") => Value::Object(out),
        (false, _) => json!({"allOf": [out, {"not": {"type": "null"}}]}),
        (true, None) => json!({"anyOf": [{"type": "null"}, out]}),
        (true, Some(choices)) => json!({"anyOf": [{"type": "null"}, out], "enum": choices}),
    }
}
