//! Names of types: STYLE.md lists the words for errors, and tidy rejects others. A function that
//! fails must return one of those types, not a string.

use std::path::Path;

use anyhow::Result;

use crate::{files, words};

/// Words that we do not use for errors, at the end of the name of a type.
const OTHER_WORDS: [&str; 13] = [
    "Complaint",
    "Denied",
    "Failing",
    "Fault",
    "Misuse",
    "Mistake",
    "Objection",
    "Problem",
    "Refusal",
    "Refused",
    "Slip",
    "Trouble",
    "Wrong",
];

/// Returns the types with other names for errors, and the functions that return a text as an error.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files::with_extension(&root.join("crates"), "rs")? {
        if !words::is_shipped(&path) {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let code = words::before_tests(&text);
        let shown = path.strip_prefix(root)?.display();
        problems.extend(other_errors(code).map(|(line, name)| {
            format!("{shown}:{line}: STYLE.md lists the words for errors; `{name}` has another")
        }));
        problems.extend(
            text_errors(code).map(|line| format!("{shown}:{line}: return an error type, not text")),
        );
    }
    Ok(problems)
}

/// The types whose names end with one of the other words, with the numbers of their lines.
fn other_errors(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines().enumerate().filter_map(|(at, line)| {
        let mut words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
        words.find(|it| matches!(*it, "struct" | "enum" | "type"))?;
        let name = words.next()?;
        let is_comment = line.trim_start().starts_with("//");
        let is_other = OTHER_WORDS.iter().any(|it| name.trim_end_matches('s').ends_with(it));
        (is_other && !is_comment).then_some((at + 1, name))
    })
}

/// The numbers of lines with a `Result` whose error is a `String`.
fn text_errors(code: &str) -> impl Iterator<Item = usize> {
    let is_text = |line: &str| {
        let (_, after) = line.split_once("Result<")?;
        let is_comment = line.trim_start().starts_with("//");
        (!is_comment && after.contains(", String>") && !after.contains("Map<")).then_some(())
    };
    let lines = code.lines().enumerate();
    lines.filter(move |(_, line)| is_text(line).is_some()).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_for_errors_are_found() {
        let code = "/// A struct Problem.\npub(crate) struct ReadError;\nenum LoadProblem {\n\
                    pub type Troubles = Vec<u8>;\nstruct Problematic;";
        let found: Vec<_> = other_errors(code).collect();
        assert_eq!(found, [(3, "LoadProblem"), (4, "Troubles")]);
    }

    #[test]
    fn texts_as_errors_are_found() {
        let code = "fn f() -> Result<Vec<u8>, String> {\nfn g() -> Result<String, Error> {\n\
                    // Result<(), String>\nfn h() -> Result<Map<String, String>, Error> {";
        assert_eq!(text_errors(code).collect::<Vec<_>>(), [1]);
    }
}
