//! Runs the case files of a directory, or rewrites their expectations.

#![expect(
    clippy::disallowed_methods,
    reason = "case files are read from and written to the repository itself"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::{Case, CaseFile, Expectation};

/// Checks every case of every `.md` file below `dir`: `run` gives what really comes out for one
/// expectation. Fails with all differences at once. A case without any expectation, and a folder
/// without any case, fail too: they would check nothing. Links to other folders are not followed:
/// their pages are checked where they are.
pub fn check_dir(dir: &Path, kinds: &[&str], run: impl Fn(&Case, &Expectation) -> String) {
    check(&markdown_files(dir), kinds, Prose::Refused, run);
}

/// The same for pages of a manual, which have sections of prose beside their cases.
pub fn check_manual(dir: &Path, kinds: &[&str], run: impl Fn(&Case, &Expectation) -> String) {
    check(&markdown_files(dir), kinds, Prose::Allowed, run);
}

/// The same for one page of a manual.
pub fn check_page(page: &Path, kinds: &[&str], run: impl Fn(&Case, &Expectation) -> String) {
    check(&[page.to_owned()], kinds, Prose::Allowed, run);
}

/// What is to be thought of a section that expects nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prose {
    Allowed,
    Refused,
}

fn check(
    pages: &[PathBuf],
    kinds: &[&str],
    prose: Prose,
    run: impl Fn(&Case, &Expectation) -> String,
) {
    let update = std::env::var_os("PLUMB_UPDATE_CASES").is_some();
    let mut failures = String::new();
    let mut n_expectations = 0;
    for path in pages {
        let text = std::fs::read_to_string(path).expect("case files are readable");
        let file = CaseFile::parse(path, &text, kinds);
        let mut contents = Vec::new();
        for case in &file.cases {
            if case.expectations.is_empty() && prose == Prose::Refused {
                let _ = writeln!(failures, "{}: nothing expected", heading(path, case));
            }
            for expectation in &case.expectations {
                let found = terminated(run(case, expectation));
                if !update && found != expectation.text {
                    let _ = writeln!(
                        failures,
                        "{}\n--- expected {}\n{}--- found\n{found}",
                        heading(path, case),
                        expectation.kind,
                        expectation.text
                    );
                }
                contents.push(found);
            }
        }
        n_expectations += contents.len();
        if update {
            std::fs::write(path, file.with_expectations(&contents)).expect("a writable tree");
        }
    }
    assert!(n_expectations > 0, "no case in {pages:?}");
    assert!(failures.is_empty(), "\n{failures}");
}

fn heading(path: &Path, case: &Case) -> String {
    format!("{}:{}: {}", path.display(), case.line, case.title)
}

/// A block's content is lines; what lacks a last line break gets one.
fn terminated(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn markdown_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("the folder of cases exists");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.retain(|path| !path.is_symlink());
    paths.sort();
    let below = paths.into_iter().flat_map(|path| {
        if path.is_dir() {
            markdown_files(&path)
        } else if path.extension().is_some_and(|it| it == "md") {
            vec![path]
        } else {
            Vec::new()
        }
    });
    below.collect()
}
