//! The case files: each runs `vm check` over its files.

use std::path::Path;

use plumb_diagnostic::pretty::{self, Colour};
use plumb_kubevirt::inspect;
use plumb_source::{FileId, SourceKind, Sources};
use plumb_testkit::{Case, Expectation, check_dir};

#[test]
fn case_files_of_rules() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    check_dir(&dir, &["diagnostics"], run);
}

/// Files whose names start with `template` are given as templates.
fn run(case: &Case, _: &Expectation) -> String {
    let sources = Sources::new();
    let mut templates: Vec<FileId> = Vec::new();
    let mut files: Vec<FileId> = Vec::new();
    for input in &case.inputs {
        let file = sources.add(&*input.name, SourceKind::File, input.text.as_bytes().into());
        if input.name.starts_with("template") {
            templates.push(file);
        } else {
            files.push(file);
        }
    }
    let files = (!files.is_empty()).then_some(&*files);
    let input = inspect::Input { templates: &templates, files, ..inspect::Input::default() };
    let inspection = inspect::inspect(&sources, input);
    let mut out = String::new();
    for diagnostic in &inspection.diagnostics {
        out.push_str(&pretty::render(diagnostic, &sources, Colour::Never));
        out.push('\n');
    }
    out.push_str(&inspection.summary.to_string());
    out
}
