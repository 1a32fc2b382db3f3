//! Reports for programs conform to their schemas: those of Plumb, and the published schema of
//! SARIF.

use std::path::Path;

use plumb_diagnostic::{Code, Diagnostic, Frame, FramePlace, Subject};
use plumb_jsonschema::{Nothing, Options, Schema};
use plumb_report::{Ending, Finding, Run, Test, TestSuite, github, json, junit, sarif};
use plumb_source::{Origin, SourceKind, Sources, Span};
use plumb_value::Node;
use plumb_yaml::ReadOptions;

const CODE: Code = Code::new("test/wrong-value");

const OURS: &str = include_str!("../../../docs/src/reference/report.schema.json");
/// The schema that OASIS publishes, unmodified. Its terms are in `sarif/NOTICE`.
const SARIF: &str = include_str!("sarif/sarif-schema-2.1.0.json");

/// Findings of every form: with and without places, calls, notes and a subject; in files and in
/// other texts.
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
        Frame { function: Some("f".to_owned()), place: FramePlace::Source(Span::new(file, 5, 6)) },
        Frame { function: None, place: FramePlace::Unknown },
    ]);
    let only_flag = Diagnostic::error(CODE, "in a flag").label(Span::new(flag, 0, 3), "");
    let mut in_test = Diagnostic::error(CODE, "in a test");
    in_test.test = Some("`a` of `b`".to_owned());
    let findings: Vec<Finding> = [bare, full, only_flag, in_test]
        .iter()
        .map(|it| Finding::new(it, &sources, Path::new("/work")))
        .collect();
    let failed = Test { name: "a".to_owned(), line: Some(3), failures: findings[3..].to_vec() };
    let passed = Test { name: "c".to_owned(), line: None, failures: Vec::new() };
    let tests = vec![failed, passed];
    let suites = vec![TestSuite { name: "b".to_owned(), file: "tests/b_test.yml".into(), tests }];
    Run { version: "0.0.0", command: "check", ending: Ending::Findings, findings, suites }
}

fn nothing() -> Run {
    Run { ending: Ending::Fine, findings: Vec::new(), suites: Vec::new(), ..run() }
}

fn problems(schema: &str, report: &str) -> Vec<String> {
    let options = Options { uri: String::new(), retrieve: &Nothing, asserts_formats: false };
    let Ok(schema) = Schema::compile(&node(schema), &options) else {
        panic!("not a valid JSON Schema");
    };
    let findings = schema.check(&node(report), Origin::Unknown);
    findings.iter().map(|it| format!("{it:?}")).collect()
}

fn node(json: &str) -> Node {
    let sources = Sources::new();
    let file = sources.add("a.json", SourceKind::File, json.as_bytes().into());
    let documents = plumb_yaml::parse(file, json.as_bytes(), &ReadOptions::default());
    documents.expect("JSON is YAML").remove(0).node
}

#[test]
fn json_reports_are_as_documented() {
    for run in [run(), nothing()] {
        let report = json::render(&run);
        assert_eq!(problems(OURS, &report), Vec::<String>::new(), "{report}");
    }
    let wrong = json::render(&run()).replace("\"line\"", "\"lien\"");
    assert_ne!(problems(OURS, &wrong), Vec::<String>::new(), "the schema accepts anything");
}

#[test]
fn sarif_reports_meet_the_published_schema() {
    for run in [run(), nothing()] {
        let report = sarif::render(&run);
        assert_eq!(problems(SARIF, &report), Vec::<String>::new(), "{report}");
    }
    let wrong = sarif::render(&run()).replace("\"startLine\": 2", "\"startLine\": 0");
    assert_ne!(problems(SARIF, &wrong), Vec::<String>::new(), "the schema accepts anything");
}

#[test]
fn each_finding_and_each_test_is_a_test_case_of_junit() {
    let report = junit::render(&run());
    assert_eq!(report.matches("<testcase").count(), 5, "{report}");
    assert_eq!(report.matches("<failure").count(), 3, "{report}");
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
