//! An invariant: reports about a `VirtualMachine` depend on the types of its values, not on the
//! values themselves, unless values are shown. `secrets.json` has a row for every way in which a
//! rule can fail; the tests of the command line use it too.

use std::fmt::Write as _;

use plumb_diagnostic::pretty::{self, Colour};
use plumb_kubevirt::admission::{self, Cluster, Reply, ReviewSubject, Terms, Values};
use plumb_kubevirt::inspect::{self, Input};
use plumb_kubevirt::jsonpath::Stop;
use plumb_source::{SourceKind, Sources};
use plumb_yaml::print::json::JsonStyle;
use serde_json::{Value, json};

/// The fields that rows of the table set, and their values in other rows.
const FIELDS: [(&str, &str); 5] =
    [("hostname", "web"), ("cores", "4"), ("guest", "4Gi"), ("extra", "x"), ("order", "1")];

fn rows() -> Vec<Value> {
    serde_json::from_str(include_str!("../secrets.json")).expect("the table is JSON")
}

/// A virtual machine with one rule and this value in the row's field, as YAML.
fn machine(row: &Value, is_warning: bool, value: &str) -> String {
    let mut rule = row["rule"].clone();
    rule["name"] = json!("rule");
    rule["message"] = json!("the author's message");
    rule["justWarning"] = json!(is_warning);
    let mut machine = include_str!("../secrets.yaml").replace("RULE", &rule.to_string());
    for (field, usual) in FIELDS {
        let value = if row["field"] == field { value } else { usual };
        machine = machine.replace(&format!("<{field}>"), value);
    }
    machine
}

/// Everything that `vm check` reports, without values.
fn inspected(machine: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("vm.yaml", SourceKind::File, machine.as_bytes().into());
    let inspection = inspect::inspect(&sources, Input { files: Some(&[file]), ..Input::default() });
    assert!(!inspection.diagnostics.is_empty(), "nothing is reported:\n{machine}");
    let mut out = String::new();
    for diagnostic in &inspection.diagnostics {
        out.push_str(&pretty::render(diagnostic, &sources, Colour::Never));
        out.push('\n');
    }
    for broken in &inspection.broken {
        out.push_str(&broken.message.masked());
        for violation in &broken.violations {
            out.push_str(&violation.path.to_string());
            out.push_str(&violation.required.masked());
        }
        out.push('\n');
    }
    for unchecked in &inspection.unchecked {
        let _ = writeln!(out, "{}: {}", unchecked.kind, unchecked.message.masked());
    }
    out
}

/// The answer of the webhook, and what it logs.
fn reviewed(machine: &str) -> (String, String) {
    let file = Sources::new().add("vm.yaml", SourceKind::File, machine.as_bytes().into());
    let documents =
        plumb_yaml::parse(file, machine.as_bytes(), &plumb_yaml::ReadOptions::default());
    let documents = documents.expect("the machine is YAML");
    let mut json = Vec::new();
    plumb_yaml::print::json::node(&documents[0].node, JsonStyle::default(), &mut json)
        .expect("the machine can be written as JSON");
    let object: Value = serde_json::from_slice(&json).expect("what is printed is JSON");
    let review = json!({"request": {
        "uid": "u", "operation": "CREATE", "resource": {"resource": "virtualmachines"},
        "object": object,
    }});
    let terms = Terms { effort: Terms::FULL_EFFORT, stop: Stop::default(), values: Values::Masked };
    let reply = admission::review_within(
        ReviewSubject::Machine,
        review.to_string().as_bytes(),
        &Cluster::default(),
        &terms,
    );
    match reply {
        Some(Reply::Answer { body, why, .. }) => {
            (String::from_utf8(body).expect("an answer is text"), why.masked().into_owned())
        }
        other => panic!("the body is a review: {other:?}"),
    }
}

#[test]
fn what_is_reported_does_not_depend_on_values() {
    for row in rows() {
        for is_warning in [false, true] {
            let values = row["values"].as_array().expect("a row has values");
            let machines = values
                .iter()
                .map(|it| machine(&row, is_warning, it.as_str().expect("values are texts")));
            let all: Vec<_> = machines.map(|it| (inspected(&it), reviewed(&it))).collect();
            for other in &all[1..] {
                assert_eq!(all[0], *other, "{}", row["case"]);
            }
        }
    }
}
