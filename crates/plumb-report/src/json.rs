//! The report as one JSON object; `docs/src/reference/report.schema.json` describes it.

use plumb_diagnostic::Severity;
use serde_json::{Map, Value, json};

use crate::{Call, File, Finding, Place, Run, TestSuite};

/// The version, which increases if a change requires readers of the object to change.
const VERSION: u32 = 1;

/// Renders a run as one JSON object that ends with a line break.
pub fn render(run: &Run) -> String {
    let mut report = json!({
        "version": VERSION,
        "tool": { "name": "plumb", "version": run.version },
        "command": run.command,
        "ending": run.ending.as_str(),
        "summary": {
            "errors": run.count(Severity::Error),
            "warnings": run.count(Severity::Warning),
        },
        "findings": run.findings.iter().map(finding).collect::<Vec<_>>(),
    });
    if !run.suites.is_empty() {
        report["suites"] = run.suites.iter().map(suite).collect::<Vec<_>>().into();
    }
    format!("{report:#}\n")
}

fn suite(suite: &TestSuite) -> Value {
    let tests = suite.tests.iter().map(|test| {
        let mut object = Map::new();
        object.insert("name".to_owned(), test.name.as_str().into());
        object.insert("passed".to_owned(), test.failures.is_empty().into());
        object.extend(test.line.map(|line| ("line".to_owned(), line.into())));
        Value::from(object)
    });
    json!({
        "name": suite.name,
        "file": suite.file.to_string_lossy(),
        "tests": tests.collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let mut object = Map::new();
    object.insert("code".to_owned(), finding.code.as_str().into());
    object.insert("severity".to_owned(), severity(finding.severity).into());
    object.insert("message".to_owned(), finding.message.as_str().into());
    if let Some(subject) = &finding.subject {
        let file = subject.file.as_deref().unwrap_or_default();
        let (required, found) = (subject.required.masked(), subject.found.masked());
        let subject =
            [("file", file), ("path", &subject.path), ("required", &required), ("found", &found)];
        let subject = subject.into_iter().filter(|(_, text)| !text.is_empty());
        let subject: Map<_, _> =
            subject.map(|(key, text)| (key.to_owned(), Value::from(text))).collect();
        object.insert("subject".to_owned(), subject.into());
    }
    let lists = [
        ("places", finding.places.iter().map(place).collect::<Vec<_>>()),
        ("calls", finding.calls.iter().map(call).collect()),
        ("notes", finding.notes.iter().map(|it| json!(it)).collect()),
        ("help", finding.help.iter().map(|it| json!(it)).collect()),
    ];
    object.extend(lists.map(|(key, list)| (key.to_owned(), list.into())));
    if let Some(test) = &finding.test {
        object.insert("test".to_owned(), test.as_str().into());
    }
    if !finding.targets.is_empty() {
        object.insert("targets".to_owned(), finding.targets.clone().into());
    }
    object.into()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn place(place: &Place) -> Value {
    let mut object = Map::new();
    let (key, name) = match &place.file {
        File::Path(path) => ("file", path),
        File::Text(name) => ("text", name),
    };
    object.insert(key.to_owned(), name.as_str().into());
    let numbers = [
        ("line", place.start.line),
        ("column", place.start.column),
        ("endLine", place.end.line),
        ("endColumn", place.end.column),
    ];
    object.extend(numbers.map(|(key, number)| (key.to_owned(), number.into())));
    if !place.message.is_empty() {
        object.insert("message".to_owned(), place.message.as_str().into());
    }
    object.into()
}

fn call(call: &Call) -> Value {
    let mut object = Map::new();
    if let Some(function) = &call.function {
        object.insert("function".to_owned(), function.as_str().into());
    }
    if let Value::Object(place) = place(&call.place) {
        object.extend(place);
    }
    object.into()
}
