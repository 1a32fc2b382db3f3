//! Runs the manual: every session in `cases/**/*.md`.
//!
//! A `repl` block is a session. Lines behind `...` are statements, a line behind `>>>` is an
//! expression; what follows is its `repr`, or its error and the lines where it was. Every
//! expression sees the statements above it in its block, and nothing else.

mod laws;
mod session;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use session::Session;

/// Set to rewrite what the sessions expect.
const UPDATE: &str = "PLUMB_UPDATE_CASES";

#[test]
#[expect(clippy::disallowed_methods, reason = "the cases are files")]
fn case_files_of_the_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let update = std::env::var_os(UPDATE).is_some();
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(!files.is_empty(), "there are cases in {}", root.display());
    let mut failures = Vec::new();
    let mut expressions = 0;
    for path in files {
        let written = fs::read_to_string(&path).expect("a case is readable text");
        let (actual, count) = replay(&written);
        expressions += count;
        if actual == written {
            continue;
        }
        if update {
            fs::write(&path, actual).expect("a case is writable");
        } else {
            failures.push(difference(&path, &written, &actual));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(expressions > 0, "there are expressions in the cases");
}

#[expect(clippy::disallowed_methods, reason = "the cases are files")]
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of cases is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "md") {
            files.push(path);
        }
    }
}

/// The file with every answer as it is now, and how many there are.
fn replay(written: &str) -> (String, usize) {
    let mut actual = String::new();
    let mut session: Option<Session> = None;
    let mut count = 0;
    for line in written.lines() {
        match (&mut session, line) {
            (None, "```repl") => session = Some(Session::default()),
            (Some(_), "```") => session = None,
            (Some(session), _) => {
                if let Some(statement) = line.strip_prefix("...") {
                    session.statement(statement.strip_prefix(' ').unwrap_or(statement));
                } else if let Some(expression) = line.strip_prefix(">>> ") {
                    count += 1;
                    actual.push_str(line);
                    actual.push('\n');
                    actual.push_str(&session.evaluate(expression));
                    continue;
                } else {
                    // An old answer.
                    continue;
                }
            }
            (None, _) => {}
        }
        actual.push_str(line);
        actual.push('\n');
    }
    (actual, count)
}

fn difference(path: &Path, written: &str, actual: &str) -> String {
    let mut shown = format!("{}:\n", path.display());
    let mut expected = written.lines();
    let mut expression = "";
    for line in actual.lines() {
        if line.starts_with(">>>") {
            expression = line;
        }
        match expected.next() {
            Some(same) if same == line => {}
            other => {
                let other = other.unwrap_or("(nothing)");
                let _ =
                    write!(shown, "  {expression}\n    expected: {other}\n    found:    {line}\n");
                break;
            }
        }
    }
    shown
}
