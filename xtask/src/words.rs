//! Checks for phrases that STYLE.md rejects, in messages, in the manual, in comments and in the scripts
//! of `.ci`, and for public functions without documentation.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::files;

/// The line of STYLE.md that lists the rejected phrases, each in backticks.
const LIST: &str = "Rejected in messages, help, the manual and comments: ";

/// The folders whose comments are checked.
const CODE: [&str; 7] = [
    "crates",
    "xtask",
    "fuzz/fuzz_targets",
    "fuzz/src",
    "crosscheck/src",
    "crosscheck/tests",
    "web/engine",
];

/// The folder with the scripts that check a change.
const SCRIPTS: &str = ".ci";

/// The share of public functions, in percent, that must have a doc comment in each crate.
const MIN_DOCUMENTED: usize = 90;

/// Returns the places in messages, help, the manual and comments that have a rejected phrase.
pub(crate) fn rejected(root: &Path) -> Result<Vec<String>> {
    let style = std::fs::read_to_string(root.join("STYLE.md"))?;
    let phrases = phrases(&style).context("STYLE.md does not list rejected phrases")?;
    let mut problems = Vec::new();
    for folder in CODE {
        for path in files::with_extension(&root.join(folder), "rs")? {
            let text = std::fs::read_to_string(&path)?;
            problems.extend(problems_in(root, &path, borrowed(&comments(&text, "//")), &phrases));
            if folder == "crates" && is_shipped(&path) {
                let found = string_literals(before_tests(&text));
                problems.extend(problems_in(root, &path, found, &phrases));
            }
        }
    }
    for path in files::all(&root.join(SCRIPTS))? {
        let text = std::fs::read_to_string(&path)?;
        problems.extend(problems_in(root, &path, borrowed(&lines_of_script(&text)), &phrases));
    }
    for path in pages(root)? {
        let text = std::fs::read_to_string(&path)?;
        problems.extend(problems_in(root, &path, borrowed(&prose(&text)), &phrases));
    }
    Ok(problems)
}

/// The pages for users and for people who change Plumb. STYLE.md lists what is rejected.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = files::case_files(root)?;
    pages.extend(files::markdown(&root.join("docs/design"))?);
    for folder in ["", "docs"] {
        for entry in std::fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            let is_page = path.extension().is_some_and(|it| it == "md");
            if is_page && path.is_file() && !path.ends_with("STYLE.md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Returns the crates in which too few public functions have a doc comment.
pub(crate) fn undocumented(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let path = entry?.path();
        let (mut all, mut documented) = (0, 0);
        for path in files::with_extension(&path.join("src"), "rs")? {
            let text = std::fs::read_to_string(&path)?;
            let functions = public_functions(before_tests(&text));
            all += functions.len();
            documented += functions.iter().filter(|it| **it).count();
        }
        if documented * 100 < all * MIN_DOCUMENTED {
            let name = path.file_name().unwrap_or_default().display();
            problems.push(format!("{name}: only {documented} of {all} public functions have docs"));
        }
    }
    Ok(problems)
}

/// The phrases that STYLE.md lists.
fn phrases(style: &str) -> Option<Vec<&str>> {
    let (_, rest) = style.split_once(LIST)?;
    let list = rest.split("\n\n").next()?;
    Some(list.split('`').skip(1).step_by(2).collect())
}

/// Whether a file is part of the product.
pub(crate) fn is_shipped(path: &Path) -> bool {
    let mut parts = path.components().filter_map(|it| it.as_os_str().to_str());
    !parts.any(|it| matches!(it, "tests" | "tests.rs" | "examples" | "plumb-testkit"))
}

/// The code of a file before the module of its tests. Other items that only tests use may come
/// before it, and so may the declaration of a module in another file.
pub(crate) fn before_tests(code: &str) -> &str {
    const MODULE: &str = "#[cfg(test)]\nmod ";
    let is_inline = |at: usize| code[at..].lines().nth(1).is_some_and(|it| it.ends_with('{'));
    let mut modules = code.match_indices(MODULE).map(|(at, _)| at).filter(|&at| is_inline(at));
    modules.next().map_or(code, |at| &code[..at])
}

fn problems_in(
    root: &Path,
    path: &Path,
    texts: Vec<(usize, &str)>,
    phrases: &[&str],
) -> Vec<String> {
    let shown = path.strip_prefix(root).unwrap_or(path).display();
    let mut found = Vec::new();
    for (line, text) in texts {
        let rejected = phrases.iter().filter(|it| has_phrase(text, it));
        found.extend(rejected.map(|it| format!("{shown}:{line}: STYLE.md rejects `{it}`")));
    }
    found
}

/// Whether a text contains a phrase as whole words. Sentences may begin with it.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    })
}

/// The string literals of some code, with the numbers of their lines.
fn string_literals(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(rest) = code.get(at..).filter(|it| !it.is_empty()) {
        let length = match rest.as_bytes()[0] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'\'' => char_literal(rest),
            b'"' => {
                let length = quoted(rest);
                found.push((line, &rest[1..length.max(2) - 1]));
                length
            }
            b'r' if rest.starts_with("r\"") || rest.starts_with("r#") => {
                let length = raw(rest).unwrap_or(1);
                if length > 1 {
                    found.push((line, &rest[..length]));
                }
                length
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

/// The comments of some code, with the numbers of their first lines. Consecutive lines are joined,
/// because a phrase may continue on the next line.
fn comments(code: &str, mark: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_continued = false;
    for (line, text) in (1..).zip(code.lines().map(str::trim)) {
        let Some(comment) = text.strip_prefix(mark) else {
            is_continued = false;
            continue;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim();
        match found.last_mut().filter(|_| is_continued) {
            Some((_, joined)) => {
                joined.push(' ');
                joined.push_str(comment);
            }
            None => found.push((line, comment.to_owned())),
        }
        is_continued = true;
    }
    found
}

/// The comments of a script, and its other lines, which contain its messages.
fn lines_of_script(script: &str) -> Vec<(usize, String)> {
    let mark = if script.starts_with("#!") { "#" } else { "//" };
    let mut found = comments(script, mark);
    let others = (1..).zip(script.lines()).filter(|(_, it)| !it.trim_start().starts_with(mark));
    found.extend(others.map(|(line, it)| (line, it.to_owned())));
    found
}

fn borrowed(texts: &[(usize, String)]) -> Vec<(usize, &str)> {
    texts.iter().map(|(line, it)| (*line, it.as_str())).collect()
}

/// The length of a literal in quotes, with its quotes.
fn quoted(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; 1 for the quote of a lifetime.
fn char_literal(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    let Some((_, first)) = chars.next() else { return 1 };
    if first == '\\' {
        chars.next();
        return chars.find(|(_, it)| *it == '\'').map_or(1, |(at, _)| at + 1);
    }
    match chars.next() {
        Some((at, '\'')) => at + 1,
        _ => 1,
    }
}

/// The length of a raw string literal.
fn raw(text: &str) -> Option<usize> {
    let hashes = text[1..].bytes().take_while(|it| *it == b'#').count();
    let start = 1 + hashes;
    text[start..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    text[start + 1..].find(&end).map(|it| start + 1 + it + end.len())
}

/// The paragraphs of a page that are not blocks of code, with the numbers of their first lines.
fn prose(page: &str) -> Vec<(usize, String)> {
    let (mut is_code, mut is_continued) = (false, false);
    let mut found: Vec<(usize, String)> = Vec::new();
    for (line, text) in (1..).zip(page.lines().map(str::trim)) {
        if text.starts_with("```") {
            is_code = !is_code;
        }
        let is_prose = !is_code && !text.is_empty() && !text.starts_with("```");
        match found.last_mut().filter(|_| is_continued && is_prose) {
            Some((_, joined)) => {
                joined.push(' ');
                joined.push_str(text);
            }
            None if is_prose => found.push((line, text.to_owned())),
            None => {}
        }
        is_continued = is_prose;
    }
    found
}

/// For each public function of some code, whether it has a doc comment.
fn public_functions(code: &str) -> Vec<bool> {
    let mut found = Vec::new();
    let mut has_docs = false;
    for line in code.lines().map(str::trim) {
        if line.starts_with("pub fn ") || line.starts_with("pub const fn ") {
            found.push(has_docs);
        }
        has_docs = line.starts_with("///") || (has_docs && line.starts_with("#["));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_read_from_their_line() {
        let style = format!("{LIST}`is none`,\n`let be`.\n\nOther `text`.");
        assert_eq!(phrases(&style), Some(vec!["is none", "let be"]));
        assert_eq!(phrases("no list"), None);
    }

    #[test]
    fn messages_are_the_literals_of_code() {
        let code =
            "// it is none\nlet c = '\"'; f::<'a>(\"it is none\");\nlet r = r#\"it is none\"#;\n";
        let found = string_literals(code);
        assert_eq!(found, [(2, "it is none"), (3, "r#\"it is none\"#")]);
        let path = Path::new("/r/a.rs");
        let problems = problems_in(Path::new("/r"), path, found, &["is none"]);
        let expected = [2, 3].map(|line| format!("a.rs:{line}: STYLE.md rejects `is none`"));
        assert_eq!(problems, expected);
    }

    #[test]
    fn the_lines_of_a_comment_are_joined() {
        let code = "//! It is\n//! none.\nlet a = 1; // not this\n    // One\n\n    /// Two\n";
        let expected = [(1, "It is none."), (4, "One"), (6, "Two")];
        assert_eq!(comments(code, "//"), expected.map(|(line, it)| (line, it.to_owned())));
    }

    #[test]
    fn comments_and_messages_of_scripts_are_checked() -> Result<()> {
        let style = format!("{LIST}`is told`.\n\n");
        let shell = "#!/usr/bin/env bash\n# What is\n# told.\necho 'it is told'\n";
        let files = [
            ("STYLE.md", &*style),
            ("docs/page.md", ""),
            ("crates/a/Cargo.toml", ""),
            (".ci/run", shell),
            (".ci/page.mjs", "// It is told.\nconst a = 1;\n"),
        ];
        let scratch = files::Scratch::new("words", &files);
        let expected = [".ci/page.mjs:1", ".ci/run:1", ".ci/run:4"];
        let expected = expected.map(|place| format!("{place}: STYLE.md rejects `is told`"));
        assert_eq!(rejected(&scratch.0)?, expected);
        Ok(())
    }

    #[test]
    fn a_phrase_is_whole_words() {
        assert!(has_phrase("it stands here", "stands"));
        assert!(has_phrase("Stands here", "stands"));
        assert!(!has_phrase("it understands", "stands"));
        assert!(!has_phrase("stands_for", "stands"));
    }

    #[test]
    fn code_in_a_page_is_not_prose() {
        let found = prose("a\nb\n\nc\n```\nd\n```\ne");
        assert_eq!(borrowed(&found), [(1, "a b"), (4, "c"), (8, "e")]);
    }

    #[test]
    fn only_the_module_of_tests_is_cut_off() {
        let code = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nuse a;\nfn f() {}\n";
        assert_eq!(before_tests(code), code);
        assert_eq!(before_tests(&format!("{code}#[cfg(test)]\nmod tests {{\n}}\n")), code);
    }

    #[test]
    fn functions_with_and_without_docs_are_distinguished() {
        let code = "/// Docs.\n#[must_use]\npub fn a() {}\n\npub fn b() {}\npub(crate) fn c() {}";
        assert_eq!(public_functions(code), [true, false]);
    }
}
