//! Names of types: STYLE.md lists the words for errors, and tidy rejects others. A function that
//! fails must return one of those types, not a string.

use std::path::Path;

use anyhow::Result;

use crate::{files, shapes, words};

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

/// The numbers of lines where a `Result` begins whose error is a `String`. It may go on in the next
/// lines.
fn text_errors(code: &str) -> impl Iterator<Item = usize> {
    const START: &str = "Result<";
    code.match_indices(START).filter_map(|(at, _)| {
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        let types = &code[at + START.len()..];
        let types = &types[..shapes::end_of_generics(types)? - 1];
        let is_comment = line.trim_start().starts_with("//");
        let error = types.trim().trim_end_matches(',').rsplit_once([',', '<'])?.1;
        (!is_comment && error.trim() == "String").then(|| code[..at].matches('\n').count() + 1)
    })
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
                    // Result<(), String>\nfn h() -> Result<Map<String, String>, Error> {\n\
                    fn i() -> Result<\n    Option<u8>,\n    String,\n> {";
        assert_eq!(text_errors(code).collect::<Vec<_>>(), [1, 5]);
    }
}
