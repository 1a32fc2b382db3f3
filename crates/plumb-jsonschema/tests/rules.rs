//! CEL rules compared with the verdicts of Kubernetes: which rules it rejects, and the cost of the
//! others.
//!
//! `rules.txt` contains schemas. Below each schema are expressions, each with the cost that the API
//! server of Kubernetes 1.36 estimated for one evaluation, or with `rejected`.

use std::sync::Arc;

use plumb_cel::Gives;
use plumb_source::{SourceKind, Sources};
use plumb_value::Node;
use plumb_yaml::ReadOptions;

fn node(yaml: &str) -> Node {
    let file = Sources::new().add("schema.yml", SourceKind::File, yaml.as_bytes().into());
    let documents = plumb_yaml::parse(file, yaml.as_bytes(), &ReadOptions::default());
    documents.expect("YAML").swap_remove(0).node
}

#[test]
fn types_and_costs_are_those_of_an_api_server() {
    let mut declared = None;
    let mut wrong = Vec::new();
    for line in include_str!("rules.txt").lines().map(str::trim).filter(|it| !it.is_empty()) {
        if let Some(schema) = line.strip_prefix("schema ") {
            declared = plumb_jsonschema::declared(&node(schema)).map(Arc::new);
            continue;
        }
        let (expected, rule) = line.split_once("  ").expect("a verdict, then an expression");
        let found = match &declared {
            None => Err("no type".to_owned()),
            Some(declared) => plumb_cel::check(rule, declared, Gives::Truth, false)
                .map(|it| it.cost.to_string())
                .map_err(|it| it.message),
        };
        let verdict = found.as_ref().map_or("rejected", String::as_str);
        if verdict != expected {
            wrong.push(format!("{rule}: expected {expected}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
