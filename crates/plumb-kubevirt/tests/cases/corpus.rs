//! The recorded cases of KubeVirt's own validator, if they are available.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_diagnostic::pretty::Values;
use plumb_kubevirt::machine::{self, Source};
use plumb_kubevirt::object;
use plumb_kubevirt::template::{Templates, VmTemplate};
use plumb_kubevirt::verdict;
use plumb_source::{SourceKind, Sources};
use plumb_testkit::Skip;
use plumb_value::Document;
use serde_json::Value;

pub(crate) const NAME: &str =
    "corpus::every_recorded_case_has_the_same_verdict_and_names_the_same_rules";

pub(crate) fn corpus() -> Result<PathBuf, Skip> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/vm");
    let missing = || Skip("there is no corpus ../shared/conformance/vm".to_owned());
    if dir.is_dir() { Ok(dir) } else { Err(missing()) }
}

pub(crate) fn cases(dir: &Path) -> Vec<Value> {
    let files = fs::read_dir(dir).expect("the corpus can be listed");
    let mut paths: Vec<PathBuf> = files.map(|it| it.expect("an entry").path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("a readable file"));
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.map(|line| serde_json::from_str(&line).expect("a case is JSON")).collect()
}

pub(crate) fn documents(text: &str) -> Vec<Document> {
    let file = Sources::new().add("case.yaml", SourceKind::File, text.as_bytes().into());
    plumb_yaml::parse(file, text.as_bytes(), &plumb_yaml::ReadOptions::default())
        .expect("cases are YAML")
}

/// The verdict, and the broken rules, each with whether it only warns.
fn verdict(case: &Value) -> (bool, Vec<(String, bool)>) {
    let mut templates = Templates::default();
    for document in case["template"].as_str().map(documents).unwrap_or_default() {
        for object in object::objects(&document.node, document.origin) {
            templates.add(VmTemplate::new(object));
        }
    }
    let vm = documents(case["vm"].as_str().expect("a case has a machine"));
    let machine = object::objects(&vm[0].node, vm[0].origin)[0];
    let source = machine::source(machine, &templates, templates.only());
    let rules = match &source {
        Source::Own(rules) => Some(&**rules),
        Source::Template(_, rules) => Some(*rules),
        Source::None(_) => None,
    };
    let verdict = verdict::validate(machine, rules);
    let mut broken: Vec<(String, bool)> =
        verdict.broken(Values::Masked).map(|it| (it.rule.to_owned(), it.is_warning)).collect();
    broken.sort();
    (verdict.is_ok(), broken)
}

pub(crate) fn run() -> Result<(), Skip> {
    let dir = corpus()?;
    let mut failures = Vec::new();
    let cases = cases(&dir);
    assert!(cases.len() > 700, "the corpus is complete");
    for case in cases.iter().filter(|case| case.get("vm").is_some()) {
        let (is_ok, broken) = verdict(case);
        let reference = &case["reference"];
        let tags = reference["tags"].as_array().cloned().unwrap_or_default();
        // Names are not compared if the format itself determines the verdict, or if they depend on
        // the programming language of the reference.
        let is_loose = !reference["spec"].is_null()
            || tags.iter().filter_map(Value::as_str).any(|tag| {
                tag.starts_with("go-")
                    || tag == "quantity-limit"
                    || tag == "nondeterministic-detail"
            });
        let violations = reference["violations"].as_array().cloned().unwrap_or_default();
        let mut expected: Vec<(String, bool)> = violations
            .iter()
            .map(|it| (it["name"].as_str().unwrap_or("").to_owned(), it["warning"] == true))
            .collect();
        expected.sort();
        if is_ok != (case["ok"] == true) || !is_loose && broken != expected {
            failures.push(format!("{}: ok {is_ok}, broken {broken:?}", case["name"]));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}
