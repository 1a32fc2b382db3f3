//! Reports for programs are what their schemas say: ours, and the published one of SARIF.

#![expect(clippy::disallowed_methods, reason = "a test: it reads schemas from disk")]

use std::path::{Path, PathBuf};
use std::process::Command;

use plumb_diagnostic::{Code, Diagnostic, Frame, Place, Subject};
use plumb_report::{Ending, Finding, Run, github, json, junit, sarif};
use plumb_source::{SourceKind, Sources, Span};
use serde_json::Value;

const CODE: Code = Code::new("test/wrong-value");

/// Findings of every shape: with and without places, calls, notes, a subject; in files, and in
/// texts that are none.
fn run() -> Run {
    let sources = Sources::new();
    let text: &[u8] = "a: 1\nb: [\"é\"]\n".as_bytes();
    let path = Path::new("con fig/ü.yml");
    let file = sources.add_file("ü.yml", path, SourceKind::File, text.into());
    let flag = sources.add("(data-value arg)", SourceKind::Flag, b"a=1"[..].into());
    let bare = Diagnostic::error(CODE, "nothing but a message");
    let mut full = Diagnostic::warning(CODE, "first line\nsecond, with <&\"> in it")
        .label(Span::new(file, 5, 15), "here")
        .label(Span::new(file, 0, 1), "")
        .label(Span::new(flag, 0, 3), "and here")
        .help("do this")
        .within("Doing that");
    full.subject = Some(Subject { path: "a.b".to_owned(), ..Subject::default() });
    full.trace = Some(vec![
        Frame { function: Some("f".to_owned()), place: Place::Source(Span::new(file, 5, 6)) },
        Frame { function: None, place: Place::Unknown },
    ]);
    let only_flag = Diagnostic::error(CODE, "in a flag").label(Span::new(flag, 0, 3), "");
    let findings = [bare, full, only_flag].iter().map(|it| Finding::new(it, &sources)).collect();
    Run { version: "0.0.0", command: "check", ending: Ending::Findings, findings }
}

fn nothing() -> Run {
    Run { ending: Ending::Fine, findings: Vec::new(), ..run() }
}

fn problems(schema: &Path, report: &str) -> Vec<String> {
    let schema = std::fs::read_to_string(schema).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    // The published schema of SARIF has a bracket too many in the pattern of a property that we do
    // not write. Not all engines forgive that.
    for holder in ["run", "toolComponent"] {
        let place = format!("/definitions/{holder}/properties/language");
        if let Some(language) = schema.pointer_mut(&place) {
            language.as_object_mut().expect("a schema is an object").remove("pattern");
        }
    }
    let report: Value = serde_json::from_str(report).expect("the report is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    validator.iter_errors(&report).map(|it| format!("{it} at {}", it.instance_path())).collect()
}

/// The package of SARIF's types has the schema that its standard publishes.
fn sarif_schema() -> PathBuf {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = packages.iter().find(|it| it["name"] == "serde-sarif").expect("it is among them");
    let manifest = package["manifest_path"].as_str().expect("a package has a manifest");
    Path::new(manifest).with_file_name("src").join("schema.json")
}

#[test]
fn json_reports_are_as_documented() {
    let schema =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/reference/report.schema.json");
    for run in [run(), nothing()] {
        let report = json::render(&run);
        assert_eq!(problems(&schema, &report), Vec::<String>::new(), "{report}");
    }
    let wrong = json::render(&run()).replace("\"line\"", "\"lien\"");
    assert_ne!(problems(&schema, &wrong), Vec::<String>::new(), "the schema accepts anything");
}

#[test]
fn sarif_reports_meet_the_published_schema() {
    let schema = sarif_schema();
    for run in [run(), nothing()] {
        let report = sarif::render(&run);
        assert_eq!(problems(&schema, &report), Vec::<String>::new(), "{report}");
    }
    let wrong = sarif::render(&run()).replace("\"startLine\": 2", "\"startLine\": 0");
    assert_ne!(problems(&schema, &wrong), Vec::<String>::new(), "the schema accepts anything");
}

#[test]
fn each_finding_is_a_test_case_of_junit() {
    let report = junit::render(&run());
    assert_eq!(report.matches("<testcase").count(), 3, "{report}");
    assert_eq!(report.matches("<failure").count(), 2, "{report}");
    assert!(report.contains("second, with &lt;&amp;&quot;&gt; in it"), "{report}");
    assert!(junit::render(&nothing()).contains("tests=\"1\" failures=\"0\""));
}

#[test]
fn each_finding_is_a_workflow_command() {
    let report = github::render(&run());
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "::error title=test/wrong-value::nothing but a message");
    let warning =
        "::warning file=con fig/ü.yml,line=2,endLine=3,title=test/wrong-value::first line%0A";
    assert!(lines[1].starts_with(warning), "{report}");
    assert_eq!(lines[2], "::error title=test/wrong-value::in a flag%0Ain (data-value arg): ");
}
