//! Reports of `plumb vm check` depend on the types of the values in a `VirtualMachine`, not on the
//! values themselves. This is tested in every layout, for every way in which a rule can fail. The
//! rows are those of plumb-kubevirt.

use serde_json::{Value, json};

use crate::sandbox::{LAYOUTS, Sandbox};

const ROWS: &str = include_str!("../../../plumb-kubevirt/tests/secrets.json");
const MACHINE: &str = include_str!("../../../plumb-kubevirt/tests/secrets.yaml");

const FIELDS: [(&str, &str); 5] =
    [("hostname", "web"), ("cores", "4"), ("guest", "4Gi"), ("extra", "x"), ("order", "1")];

#[test]
fn no_layout_depends_on_the_values_of_a_machine() {
    let rows: Vec<Value> = serde_json::from_str(ROWS).expect("the rows are JSON");
    for row in rows {
        for is_warning in [false, true] {
            let values = row["values"].as_array().expect("a row has values");
            let mut reports = values.iter().map(|value| {
                reports(&machine(&row, is_warning, value.as_str().expect("values are texts")))
            });
            let first = reports.next().expect("a row has a value");
            for other in reports {
                assert_eq!(first, other, "{}", row["case"]);
            }
        }
    }
}

fn machine(row: &Value, is_warning: bool, value: &str) -> String {
    let mut rule = row["rule"].clone();
    rule["name"] = json!("rule");
    rule["message"] = json!("the author's message");
    rule["justWarning"] = json!(is_warning);
    let machine = MACHINE.replace("RULE", &rule.to_string());
    FIELDS.iter().fold(machine, |machine, (field, usual)| {
        let value = if row["field"] == *field { value } else { usual };
        machine.replace(&format!("<{field}>"), value)
    })
}

/// Everything that is printed about a virtual machine, in every layout.
fn reports(machine: &str) -> Vec<String> {
    let sandbox = Sandbox::new("machine-secrets").with("vm.yaml", machine);
    let files = LAYOUTS.map(|it| format!("{it}=report.{it}"));
    let mut arguments = vec!["vm", "check", "vm.yaml"];
    for file in &files {
        arguments.extend(["--report", file]);
    }
    let text = sandbox.plumb(&arguments);
    let json = sandbox.plumb(&["vm", "check", "vm.yaml", "-o", "json"]);
    assert!(json.stdout.contains(r#""machine": "vm""#), "nothing is reported: {}", json.stdout);
    let mut all = vec![text.stdout, text.stderr, json.stdout, json.stderr];
    all.extend(LAYOUTS.map(|it| sandbox.read(&format!("report.{it}")).unwrap_or_default()));
    all.iter().map(|it| without_ends(it)).collect()
}

/// A report without the end columns of places: a place is as long as its value.
fn without_ends(report: &str) -> String {
    let mut parts = report.split("endColumn");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + part.trim_start_matches(|it: char| "\"=: ".contains(it) || it.is_ascii_digit())
    })
}
