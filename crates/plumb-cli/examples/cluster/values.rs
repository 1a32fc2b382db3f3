//! Values near the defaults of a schema: each part is replaced by other values in turn.

use serde_json::{Map, Value, json};

/// How many values are tried for one schema.
const MAX_VALUES: usize = 60;

/// Returns what a user would have to give: only the changed path.
pub(crate) fn around(defaults: &Value) -> Vec<Value> {
    let mut all = vec![json!({})];
    let mut places = Vec::new();
    add_places(defaults, &mut Vec::new(), &mut places);
    let others = others();
    // Each place is tried with some values before one place is tried with all.
    for (round, other) in others.iter().enumerate() {
        for (at, place) in places.iter().enumerate() {
            if (round + at) % 3 == 0 {
                all.push(nested(place, other.clone()));
            }
        }
    }
    let step = all.len().div_ceil(MAX_VALUES).max(1);
    all.into_iter().step_by(step).collect()
}

fn others() -> Vec<Value> {
    vec![
        json!(null),
        json!(0),
        json!(-1),
        json!(7),
        json!(65536),
        json!(2.5),
        json!(9_007_199_254_740_993_i64),
        json!(""),
        json!("a"),
        json!("a.example.com"),
        json!("A long text with spaces, and more than forty characters"),
        json!("500m"),
        json!("2026-02-30"),
        json!("10.0.0.1"),
        json!("https://a.example/b?c=d"),
        json!(true),
        json!([]),
        json!(["a"]),
        json!(["a", "a"]),
        json!([1, 2, 3]),
        json!({}),
        json!({ "other": "a" }),
    ]
}

/// The keys that lead to each part of a map.
fn add_places(value: &Value, path: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    let Value::Object(map) = value else {
        return;
    };
    for (key, below) in map {
        path.push(key.clone());
        places.push(path.clone());
        add_places(below, path, places);
        path.pop();
    }
}

fn nested(path: &[String], value: Value) -> Value {
    path.iter()
        .rev()
        .fold(value, |below, key| Value::Object(Map::from_iter([(key.clone(), below)])))
}

/// The keys that lead to the innermost part of a value with one path, and that part.
pub(crate) fn only_part(value: &Value) -> (Vec<&str>, &Value) {
    let mut keys = Vec::new();
    let mut value = value;
    while let Value::Object(map) = value
        && map.len() == 1
        && let Some((key, below)) = map.iter().next()
    {
        keys.push(key.as_str());
        value = below;
    }
    (keys, value)
}
