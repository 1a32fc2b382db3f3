//! `cargo xtask codes`: the page of each code, written from the doc comment of its constant.
//!
//! The head of a page (title and doc comment), the table in `plumb-report`, the list of findings
//! and the manual's summary are generated; the examples are written by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::{files, summary, words};

const PAGES: &str = "crates/plumb-report/findings";
const LIST: &str = "docs/src/findings.md";
const TABLE: &str = "crates/plumb-report/src/pages.rs";

const LIST_HEAD: &str = "\
# Findings

Every finding has a code, in brackets after `error` or `warning`. `plumb explain CODE` shows the page
of a code: what it means, an example, and the remedy. These are all of them.
";

/// Codes that no console can trigger, because they depend on the machine. Tests of the command line
/// trigger them.
const WITHOUT_EXAMPLE: [&str; 4] =
    ["internal/bug", "cli/not-watched", "cli/no-revision", "kubevirt/export-differs"];

/// The start of the table in its file; the lines above it are written by hand.
const TABLE_HEAD: &str = "const PAGES: &[(&str, &str)] = pages! {\n";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    match arguments {
        [] => {
            let problems = problems(root)?;
            ensure!(problems.is_empty(), "codes and pages differ:\n{}", problems.join("\n"));
            Ok(())
        }
        [flag] if flag == "--update" => {
            for (path, text) in written(root)? {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&path, text).with_context(|| format!("{}", path.display()))?;
            }
            Ok(())
        }
        _ => bail!("expected nothing, or --update"),
    }
}

/// Returns a message for each problem with the pages.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let codes = codes(root)?;
    let mut problems = Vec::new();
    for (path, text) in written(root)? {
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            let path = path.strip_prefix(root).unwrap_or(&path).display();
            problems.push(format!("{path} is stale: cargo xtask codes --update"));
        }
    }
    for (code, meaning) in &codes {
        if meaning.is_empty() {
            problems.push(format!("{code} has no doc comment"));
        }
        let page = std::fs::read_to_string(page_path(root, code)).unwrap_or_default();
        let is_shown = consoles(&page).any(|it| it.contains(&format!("[{code}]")));
        if !is_shown && !WITHOUT_EXAMPLE.contains(&code.as_str()) {
            problems.push(format!("the page of {code} has no console that shows it"));
        }
    }
    for path in files::markdown(&root.join(PAGES))? {
        let below = path.strip_prefix(root.join(PAGES))?.with_extension("");
        let code = below.to_string_lossy().into_owned();
        if !codes.contains_key(&code) {
            problems.push(format!("{PAGES}/{code}.md is not the page of a code"));
        }
    }
    Ok(problems)
}

/// All files that are generated from the constants, with their expected text.
fn written(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let codes = codes(root)?;
    let mut written = Vec::new();
    let old = std::fs::read_to_string(root.join(TABLE)).context(TABLE)?;
    let at = old.find(TABLE_HEAD).context("the file of the table has no table")?;
    let mut table = old[..at + TABLE_HEAD.len()].to_owned();
    for (code, meaning) in &codes {
        let path = page_path(root, code);
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        let examples = old.find("\n## ").map_or("", |at| &old[at..]);
        written.push((path, format!("# `{code}`\n\n{meaning}{examples}")));
        let _ = writeln!(table, "    {code:?}");
    }
    table.push_str("};\n");
    written.push((root.join(TABLE), table));
    written.push((root.join(LIST), list(&codes)));
    let summary = summary::written(root, codes.keys().map(String::as_str))?;
    written.push((root.join(summary::PATH), summary));
    Ok(written)
}

fn page_path(root: &Path, code: &str) -> PathBuf {
    root.join(PAGES).join(format!("{code}.md"))
}

/// The list of findings, each with the first sentence of its meaning.
fn list(codes: &BTreeMap<String, String>) -> String {
    let mut out = LIST_HEAD.to_owned();
    for (area, codes) in by_area(codes) {
        let _ = write!(out, "\n## {area}\n\n| code | meaning |\n|---|---|\n");
        for (code, meaning) in codes {
            let first = meaning.split("\n\n").next().unwrap_or_default().replace('\n', " ");
            let first = first.trim().replace('|', "\\|");
            let _ = writeln!(out, "| [`{code}`](findings/{code}.md) | {first} |");
        }
    }
    out
}

fn by_area(codes: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeMap<&str, &str>> {
    let mut areas: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (code, meaning) in codes {
        let area = code.split('/').next().unwrap_or_default();
        areas.entry(area).or_default().insert(code, meaning);
    }
    areas
}

/// The text of each console block of a page.
fn consoles(page: &str) -> impl Iterator<Item = &str> {
    page.split("\n```console\n").skip(1).map(|it| it.split("\n```").next().unwrap_or_default())
}

/// Every code of the program with its doc comment, as Markdown that ends with a line break.
fn codes(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut codes = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        for path in files::with_extension(&entry?.path().join("src"), "rs")? {
            let text = std::fs::read_to_string(&path)?;
            // Tests have their own codes.
            collect(words::before_tests(&text), &mut codes);
        }
    }
    ensure!(!codes.is_empty(), "no code found");
    Ok(codes)
}

/// The constants of one file: comment lines, and the declaration that follows them.
fn collect(text: &str, codes: &mut BTreeMap<String, String>) {
    let mut comment = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            let _ = writeln!(comment, "{}", words.strip_prefix(' ').unwrap_or(words));
        } else if let Some((_, rest)) = line.split_once("Code::new(\"") {
            let code = rest.split('"').next().unwrap_or_default();
            codes.insert(code.to_owned(), std::mem::take(&mut comment));
        } else if !line.ends_with("Code =") {
            comment.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_page_and_every_page_its_code() {
        run(&crate::root(), &[]).expect("the pages match the constants");
    }

    #[test]
    fn a_constant_and_its_comment_are_found() {
        let mut codes = BTreeMap::new();
        let text = "/// Not this.\nfn f() {}\n\n/// A thing.\n///\n/// Do it.\n\
                    pub const X: Code = Code::new(\"a/x\");\n\
                    /// Long.\nconst Y: plumb::Code =\n    plumb::Code::new(\"a/y\");\n";
        collect(text, &mut codes);
        assert_eq!(codes["a/x"], "A thing.\n\nDo it.\n");
        assert_eq!(codes["a/y"], "Long.\n");
    }
}
