//! Runs the official test suite of JSON Schema: `cargo run --example suite -- DIRECTORY
//! [optional]`.
//!
//! The directory is a checkout of json-schema-org/JSON-Schema-Test-Suite. Prints the wrong
//! verdicts, and the number of tests of each draft.

#![expect(clippy::print_stdout, reason = "a program prints its results")]
#![expect(clippy::disallowed_methods, reason = "a program reads files")]

use std::path::{Path, PathBuf};

use plumb_jsonschema::{Options, Retrieve, RetrieveError, Schema, array, map};
use plumb_source::Origin;
use plumb_value::Node;
use serde_json::Value;

struct Remotes(PathBuf);

impl Retrieve for Remotes {
    fn retrieve(&self, uri: &str) -> Result<Node, RetrieveError> {
        let path = uri
            .strip_prefix("http://localhost:1234/")
            .ok_or_else(|| RetrieveError::new("not one of the remotes"))?;
        let text = std::fs::read_to_string(self.0.join(path)).map_err(RetrieveError::new)?;
        serde_json::from_str(&text).map(|it: Value| node(&it)).map_err(RetrieveError::new)
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = PathBuf::from(arguments.next().expect("the directory of the suite"));
    let is_optional = arguments.next().is_some();
    let remotes = Remotes(directory.join("remotes"));
    let drafts = [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ];
    for (name, uri) in drafts {
        let tests = directory.join("tests").join(name);
        let tests = if is_optional { tests.join("optional") } else { tests };
        let (mut n_tests, mut n_wrong) = (0, 0);
        for path in files(&tests) {
            let text = std::fs::read_to_string(&path).expect("a file of tests");
            let groups: Vec<Value> = serde_json::from_str(&text).expect("a file of tests is JSON");
            for group in &groups {
                let (tests, wrong) = run(group, uri, &remotes, &path);
                n_tests += tests;
                n_wrong += wrong;
            }
        }
        println!("{name}: {n_tests} tests, {n_wrong} wrong");
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory of tests");
    let paths = entries.map(|it| it.expect("an entry of a directory").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|it| it.extension().is_some_and(|it| it == "json")).collect();
    paths.sort();
    paths
}

/// Runs one group of tests. Returns their number, and the number of wrong verdicts.
fn run(group: &Value, draft: &str, remotes: &Remotes, path: &Path) -> (usize, usize) {
    let mut schema = group["schema"].clone();
    if let Value::Object(schema) = &mut schema
        && !schema.contains_key("$schema")
    {
        schema.insert("$schema".to_owned(), draft.into());
    }
    let options = Options { uri: String::new(), retrieve: remotes, asserts_formats: false };
    let compiled = Schema::compile(&node(&schema), &options);
    let tests = group["tests"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut n_wrong = 0;
    for test in tests {
        let verdict = match &compiled {
            Ok(schema) => Ok(schema.check(&node(&test["data"]), Origin::Unknown).is_empty()),
            Err(error) => Err(error),
        };
        if verdict.as_ref().ok().copied() != test["valid"].as_bool() {
            n_wrong += 1;
            let file = path.file_name().unwrap_or_default().display();
            let (group, test) = (&group["description"], &test["description"]);
            println!("{file}: {group}: {test}: {verdict:?}");
        }
    }
    (tests.len(), n_wrong)
}

fn node(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Node::Int(value),
            (None, Some(value)) => Node::UInt(value),
            (None, None) => Node::Float(number.as_f64().unwrap_or(f64::INFINITY)),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => array(items.iter().map(node)),
        Value::Object(entries) => {
            map(entries.iter().map(|(key, value)| (key.as_str(), node(value))))
        }
    }
}
