//! SARIF 2.1.0, the format of code scanning.

use std::collections::BTreeMap;

use plumb_diagnostic::{Code, Severity};
use serde_json::{Map, Value, json};

use crate::{Ending, File, Finding, Place, Run, page};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Renders a run as a SARIF log.
pub fn render(run: &Run) -> String {
    let codes: BTreeMap<Code, usize> = {
        let mut codes: Vec<Code> = run.findings.iter().map(|it| it.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().zip(0..).collect()
    };
    let report = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "plumb",
                "version": run.version,
                "rules": codes.keys().map(|code| rule(*code)).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": matches!(run.ending, Ending::Fine | Ending::Findings),
            }],
            "columnKind": "unicodeCodePoints",
            "results": run.findings.iter().map(|it| result(it, &codes)).collect::<Vec<_>>(),
        }],
    });
    format!("{report:#}\n")
}

/// The description of a code for code scanning: the text of its page without the example, because
/// readers could take the example's values for their own.
fn rule(code: Code) -> Value {
    let mut rule = Map::new();
    rule.insert("id".to_owned(), code.as_str().into());
    if let Some(page) = page(code.as_str()) {
        let head = page.split("\n## ").next().unwrap_or_default();
        let meaning = head.split_once("\n\n").map_or("", |(_, meaning)| meaning.trim_end());
        let summary = meaning.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        rule.insert("shortDescription".to_owned(), json!({ "text": summary }));
        rule.insert("help".to_owned(), json!({ "text": meaning, "markdown": meaning }));
    }
    rule.into()
}

fn result(finding: &Finding, codes: &BTreeMap<Code, usize>) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut result = json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": codes[&finding.code],
        "level": level,
        "message": { "text": finding.text() },
    });
    let in_files: Vec<Value> = finding.places.iter().filter_map(location).collect();
    let (first, others) = match in_files.split_first() {
        Some((first, others)) => (first.clone(), others),
        // Code scanning does not accept a result without a location.
        None => (json!({ "physicalLocation": { "artifactLocation": { "uri": "." } } }), &[][..]),
    };
    result["locations"] = json!([first]);
    if !others.is_empty() {
        let numbered = others.iter().zip(1..).map(|(location, id)| {
            let mut location = location.clone();
            location["id"] = Value::from(id);
            location
        });
        result["relatedLocations"] = numbered.collect();
    }
    if !finding.targets.is_empty() {
        result["properties"] = json!({ "targets": finding.targets });
    }
    if !finding.calls.is_empty() {
        let frames = finding.calls.iter().map(|call| {
            let mut frame = Map::new();
            let mut location = location(&call.place).unwrap_or_else(|| json!({}));
            if let Some(function) = &call.function {
                location["message"] = json!({ "text": format!("in {function}") });
            }
            frame.insert("location".to_owned(), location);
            Value::from(frame)
        });
        result["stacks"] = json!([{ "frames": frames.collect::<Vec<_>>() }]);
    }
    result
}

/// A place in a file. Returns `None` for other texts, which cannot be linked.
fn location(place: &Place) -> Option<Value> {
    let File::Path(path) = &place.file else { return None };
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(path) },
            "region": {
                "startLine": place.start.line,
                "startColumn": place.start.column,
                "endLine": place.end.line,
                "endColumn": place.end.column,
            },
        },
    });
    if !place.message.is_empty() {
        location["message"] = json!({ "text": place.message });
    }
    Some(location)
}

/// A path as a URI reference. It is relative to the directory in which the report is read, because
/// the path is relative to the directory in which Plumb ran.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;

    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    // A colon in the first segment would be read as the end of a scheme.
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_relative_reference() {
        assert_eq!(uri("./a b/ü.yml"), "a%20b/%C3%BC.yml");
        assert_eq!(uri("C:x"), "C%3Ax");
        assert_eq!(uri("/etc/a.yml"), "file:///etc/a.yml");
    }
}
