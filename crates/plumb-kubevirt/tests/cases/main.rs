//! Runs the case files of this crate, and the recorded cases of KubeVirt's own validator.
//!
//! A case runs `vm check` over its files, or is a console that runs this program as the command
//! that it shows.

#![expect(clippy::disallowed_methods, reason = "recorded cases and the table are files")]

mod corpus;
mod exported;
mod table;

use std::path::Path;
use std::process::ExitCode;

use plumb_diagnostic::pretty::{self, Colour};
use plumb_kubevirt::inspect;
use plumb_source::{FileId, SourceKind, Sources};
use plumb_testkit::{Case, Expectation, Suite};

/// Directories whose cases run `vm check`.
const CHECKED: [&str; 4] = ["format", "paths", "rules", "templates"];

fn main() -> ExitCode {
    if plumb_testkit::is_program() {
        return plumb_cli::main(plumb_cli::Name::Plumb);
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let suite = CHECKED.iter().fold(Suite::new(), |suite, directory| {
        suite.cases(directory, cases.join(directory), &["diagnostics"], check)
    });
    suite
        .consoles("machines", cases.join("machines"))
        .test(corpus::NAME, corpus::run)
        .test(exported::COMMON, exported::common)
        .test(exported::ALL, exported::all)
        .test(table::NAME, table::run)
        .run()
}

/// Files whose names start with `template` are passed as templates.
fn check(case: &Case, _: &Expectation) -> String {
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
