//! The recorded requests to KubeVirt's own validator, if they are available.

#![expect(clippy::disallowed_methods, reason = "templates, certificates and the corpus are files")]

#[path = "../it/client.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod client;
#[path = "../it/fixture.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod fixture;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use fixture::Fixture;
use plumb_testkit::{Skip, Suite};
use serde_json::Value;

fn main() -> ExitCode {
    Suite::new().test("recorded_requests_have_the_recorded_answers", run).run()
}

fn run() -> Result<(), Skip> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("../../../shared/conformance/vm/edge.jsonl");
    let Ok(text) = fs::read_to_string(file) else {
        return Err(Skip("there is no corpus ../shared/conformance/vm".to_owned()));
    };
    let cases = text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON"));
    let cases: Vec<Value> = cases.filter(|case: &Value| case.get("http").is_some()).collect();
    assert!(cases.len() > 20, "the corpus is complete");
    for case in &cases {
        check(case);
    }
    Ok(())
}

fn check(case: &Value) {
    let name = &case["name"];
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let machines = match &case["cluster_vms"] {
        Value::String(list) => {
            let lines: Vec<String> = list.lines().map(|line| format!("  {line}\n")).collect();
            format!("kind: List\nitems:\n{}", lines.concat())
        }
        _ => String::new(),
    };
    let fixture = Fixture::with(&[("machines/all.yaml", &machines)], |_| {});
    let http = &case["http"];
    let answer = fixture.client().request(
        &text(&http["method"]),
        &text(&http["path"]),
        &text(&http["contentType"]),
        &text(&case["body"]),
    );
    let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected = &case["reference"]["http"];
    if expected.get("panic").is_some() {
        assert_eq!(answer.status, 400, "{name}");
        return;
    }
    assert_eq!(u64::from(answer.status), expected["status"], "{name}");
    if let Some(body) = expected.get("body") {
        let mut found = answer.json();
        // Rules that only warn become warnings of the answer; KubeVirt's validator lists them as
        // causes of a rejection, if there is one.
        let response = found["response"].as_object_mut().expect("an object");
        let warnings = response.remove("warnings").unwrap_or_default();
        let warnings = warnings.as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(found, without_causes(body.clone(), warnings), "{name}");
    }
}

/// A recorded answer without the causes that have these messages.
fn without_causes(mut body: Value, messages: &[Value]) -> Value {
    if let Some(Value::Array(causes)) = body.pointer_mut("/response/status/details/causes") {
        causes.retain(|cause| !messages.contains(&cause["message"]));
        let left: Vec<&str> = causes.iter().filter_map(|it| it["message"].as_str()).collect();
        body["response"]["status"]["message"] = left.join(", ").into();
    }
    body
}
