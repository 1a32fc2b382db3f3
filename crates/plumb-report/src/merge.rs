//! Merges the reports of several runs, such as the shards of one project, into one.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::Ending;

/// Why reports cannot be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// The report at this index is not a JSON, SARIF or `JUnit` report of Plumb.
    Unknown(usize),
    /// The report at this index has a different format than the first one.
    Mixed(usize),
}

/// Merges reports of the same format: JSON, SARIF or `JUnit`. A finding that several of them have
/// is listed once, with all of its targets.
pub fn merge(reports: &[&str]) -> Result<String, MergeError> {
    let mut read = Vec::new();
    for (at, text) in reports.iter().enumerate() {
        read.push(Report::read(text).ok_or(MergeError::Unknown(at))?);
    }
    let first = read.first().map(std::mem::discriminant);
    if let Some(at) = read.iter().position(|it| Some(std::mem::discriminant(it)) != first) {
        return Err(MergeError::Mixed(at));
    }
    let mut findings = Vec::new();
    let mut logs = Vec::new();
    let mut suites = Vec::new();
    for report in read {
        match report {
            Report::Json(object) => findings.push(object),
            Report::Sarif(object) => logs.push(object),
            Report::Junit(body, counts) => suites.push((body, counts)),
        }
    }
    Ok(match (findings.is_empty(), logs.is_empty()) {
        (false, _) => format!("{:#}\n", json(findings)),
        (true, false) => format!("{:#}\n", sarif(logs)),
        (true, true) => junit(&suites),
    })
}

enum Report<'a> {
    Json(Map<String, Value>),
    Sarif(Map<String, Value>),
    /// The suites, and the numbers of tests, failures and errors.
    Junit(&'a str, [usize; 3]),
}

impl<'a> Report<'a> {
    fn read(text: &'a str) -> Option<Self> {
        if let Some((_, rest)) = text.split_once("<testsuites") {
            let (attributes, rest) = rest.split_once('>')?;
            let (body, _) = rest.rsplit_once("</testsuites>")?;
            let count = |name: &str| {
                let (_, rest) = attributes.split_once(&format!(" {name}=\""))?;
                rest.split_once('"')?.0.parse().ok()
            };
            let counts = [count("tests")?, count("failures")?, count("errors")?];
            return Some(Self::Junit(body.trim_matches('\n'), counts));
        }
        let Ok(Value::Object(object)) = serde_json::from_str(text) else { return None };
        match () {
            () if object.contains_key("runs") => Some(Self::Sarif(object)),
            () if object.contains_key("findings") => Some(Self::Json(object)),
            () => None,
        }
    }
}

fn junit(suites: &[(&str, [usize; 3])]) -> String {
    let sum = |at: usize| suites.iter().map(|it| it.1[at]).sum::<usize>();
    let (tests, failures, errors) = (sum(0), sum(1), sum(2));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let _ = writeln!(out, "<testsuites {counts}>");
    for (body, _) in suites.iter().filter(|it| !it.0.is_empty()) {
        out.push_str(body);
        out.push('\n');
    }
    out.push_str("</testsuites>\n");
    out
}

fn json(reports: Vec<Map<String, Value>>) -> Value {
    let mut merged = reports[0].clone();
    let mut findings = Merged::default();
    let mut suites = Vec::new();
    let mut ending = Ending::Fine;
    for mut report in reports {
        for finding in array(report.remove("findings")) {
            findings.add(finding, |it| it.get_mut("targets"));
        }
        suites.extend(array(report.remove("suites")));
        let of_report = report.get("ending").and_then(Value::as_str).map(Ending::of_word);
        ending = ending.worse(of_report.flatten().unwrap_or(Ending::Bug));
        if report.get("command") != merged.get("command") {
            merged.insert("command".to_owned(), "".into());
        }
    }
    let count =
        |severity: &str| findings.list.iter().filter(|it| it["severity"] == severity).count();
    let summary = [("errors", count("error")), ("warnings", count("warning"))];
    let summary: Map<_, _> =
        summary.into_iter().map(|(key, n)| (key.to_owned(), Value::from(n))).collect();
    merged.insert("summary".to_owned(), summary.into());
    merged.insert("ending".to_owned(), ending.as_str().into());
    merged.insert("findings".to_owned(), findings.list.into());
    if !suites.is_empty() {
        merged.insert("suites".to_owned(), suites.into());
    }
    merged.into()
}

/// All results are put into one run: services do not accept several runs of one tool.
fn sarif(logs: Vec<Map<String, Value>>) -> Value {
    let mut merged = logs[0].clone();
    let runs: Vec<Value> = logs.into_iter().flat_map(|mut it| array(it.remove("runs"))).collect();
    let Some(mut run) = runs.first().cloned() else { return merged.into() };
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut results = Merged::default();
    let mut is_successful = true;
    for mut run in runs {
        for rule in array(run["tool"]["driver"]["rules"].take().into()) {
            rules.insert(rule["id"].as_str().unwrap_or_default().to_owned(), rule);
        }
        for result in array(run["results"].take().into()) {
            results.add(result, |it| it.get_mut("properties")?.get_mut("targets"));
        }
        is_successful &= run["invocations"][0]["executionSuccessful"] != Value::Bool(false);
    }
    let indices: HashMap<String, usize> = rules.keys().cloned().zip(0..).collect();
    for result in &mut results.list {
        let index = result["ruleId"].as_str().and_then(|id| indices.get(id));
        if let Some(index) = index {
            result["ruleIndex"] = Value::from(*index);
        }
    }
    run["tool"]["driver"]["rules"] = rules.into_values().collect();
    run["invocations"][0]["executionSuccessful"] = is_successful.into();
    run["results"] = results.list.into();
    merged.insert("runs".to_owned(), vec![run].into());
    merged.into()
}

fn array(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Findings without duplicates: findings that differ only in their targets are merged.
#[derive(Default)]
struct Merged {
    list: Vec<Value>,
    known: HashMap<String, usize>,
}

impl Merged {
    fn add(&mut self, mut finding: Value, targets: impl Fn(&mut Value) -> Option<&mut Value>) {
        let own = targets(&mut finding).map(Value::take).unwrap_or_default();
        // The number of a rule depends on the other findings of a report.
        let mut identity = finding.clone();
        if let Some(object) = identity.as_object_mut() {
            object.remove("ruleIndex");
        }
        let at = *self.known.entry(identity.to_string()).or_insert(self.list.len());
        if at == self.list.len() {
            if let Some(place) = targets(&mut finding) {
                *place = own;
            }
            self.list.push(finding);
            return;
        }
        let known = targets(&mut self.list[at]).and_then(Value::as_array_mut);
        if let (Some(known), Value::Array(own)) = (known, own) {
            for target in own {
                if !known.contains(&target) {
                    known.push(target);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn finding(message: &str, target: &str) -> Value {
        json!({ "code": "a/b", "severity": "error", "message": message, "targets": [target] })
    }

    fn report(ending: &str, findings: &[Value]) -> String {
        json!({ "version": 1, "command": "check", "ending": ending, "findings": findings })
            .to_string()
    }

    #[test]
    fn a_finding_of_several_shards_is_listed_once() {
        let one = report("findings", &[finding("x", "a"), finding("y", "a")]);
        let other = report("fine", &[finding("x", "b")]);
        let merged = merge(&[&one, &other]).expect("both are reports");
        let merged: Value = serde_json::from_str(&merged).expect("it is JSON");
        assert_eq!(merged["ending"], "findings");
        assert_eq!(merged["summary"]["errors"], 2);
        assert_eq!(merged["findings"][0]["targets"], json!(["a", "b"]));
    }

    #[test]
    fn rules_of_sarif_are_numbered_anew() {
        let log = |id: &str| {
            let driver = json!({ "name": "plumb", "rules": [{ "id": id }] });
            let results = json!([{ "ruleId": id, "ruleIndex": 0, "level": "error" }]);
            let invocations = json!([{ "executionSuccessful": true }]);
            json!({ "version": "2.1.0", "runs": [
                { "tool": { "driver": driver }, "results": results, "invocations": invocations }
            ] })
            .to_string()
        };
        let merged = merge(&[&log("b"), &log("a"), &log("b")]).expect("all are reports");
        let merged: Value = serde_json::from_str(&merged).expect("it is JSON");
        let results = merged["runs"][0]["results"].as_array().expect("a list");
        let indices: Vec<&Value> = results.iter().map(|it| &it["ruleIndex"]).collect();
        assert_eq!(indices, [&json!(1), &json!(0)]);
        assert_eq!(merged["runs"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn tests_of_junit_are_counted_together() {
        let report = |failures: usize| {
            format!(
                "<?xml version=\"1.0\"?>\n<testsuites tests=\"2\" failures=\"{failures}\" errors=\"0\">\n  \
                 <testsuite name=\"plumb check\">\n  </testsuite>\n</testsuites>\n"
            )
        };
        let merged = merge(&[&report(1), &report(0)]).expect("both are reports");
        assert!(
            merged.contains("<testsuites tests=\"4\" failures=\"1\" errors=\"0\">"),
            "{merged}"
        );
        assert_eq!(merged.matches("<testsuite name").count(), 2);
    }

    #[test]
    fn other_files_and_formats_are_refused() {
        let json = report("fine", &[]);
        assert_eq!(merge(&[&json, "{}"]), Err(MergeError::Unknown(1)));
        assert_eq!(merge(&[&json, "{\"runs\": []}"]), Err(MergeError::Mixed(1)));
    }
}
