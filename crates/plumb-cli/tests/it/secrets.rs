//! No report shows a value of the user's: the pages of findings have a marked one wherever a value
//! is at fault, and their commands are run again with every kind of report.

use std::path::{Path, PathBuf};

use plumb_testkit::console::words;
use plumb_testkit::{Case, CaseFile};

use crate::sandbox::Sandbox;

/// What stands for a secret in the pages, as a text and as a number.
const MARKS: [&str; 2] = ["hunter2", "4711"];

/// Layouts of our own. That of ytt quotes lines and values as ytt does, for those who want its
/// words.
const LAYOUTS: [&str; 5] = ["pretty", "json", "sarif", "junit", "github"];

#[test]
fn no_report_shows_a_marked_value() {
    let findings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/findings");
    let (mut n_runs, mut leaks) = (0, Vec::new());
    for page in pages(&findings) {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        for case in &CaseFile::parse(&page, &text, &["console"]).cases {
            let is_marked = |text: &str| MARKS.iter().any(|mark| text.contains(mark));
            if case.inputs.iter().any(|it| is_marked(&it.text)) {
                n_runs += check(case, &page, &mut leaks);
            }
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
    assert!(n_runs > 20, "only {n_runs} runs have a marked value");
}

/// Runs the commands of a case, and says how many runs that were.
fn check(case: &Case, page: &Path, leaks: &mut Vec<String>) -> usize {
    let commands = case.expectations.iter().flat_map(|it| it.text.lines());
    let commands = commands.filter_map(|it| it.strip_prefix("$ plumb "));
    let commands: Vec<&str> =
        commands.filter(|it| !it.contains(" < ") && !it.contains("--show-values")).collect();
    for line in &commands {
        let sandbox = case
            .inputs
            .iter()
            .fold(Sandbox::new("secrets"), |sandbox, input| sandbox.with(&input.name, &input.text));
        let mut arguments = words(line);
        for layout in LAYOUTS {
            arguments.extend(["--report".to_owned(), format!("{layout}=report.{layout}")]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = sandbox.plumb(&arguments);
        let reports =
            LAYOUTS.map(|it| (it, sandbox.read(&format!("report.{it}")).unwrap_or_default()));
        for (layout, report) in reports.into_iter().chain([("standard error", ran.stderr)]) {
            if MARKS.iter().any(|mark| report.contains(mark)) {
                let page = page.display();
                leaks.push(format!("{page}: `plumb {line}` shows a value in {layout}:\n{report}"));
            }
        }
    }
    commands.len()
}

fn pages(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the pages are there");
    let mut pages = Vec::new();
    for path in entries.map(|it| it.expect("a readable entry").path()) {
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}
