//! Compares the tables of the manual with the code: each keyword of a rule and each annotation of
//! an overlay must have a row.

use std::path::Path;

use anyhow::{Result, ensure};

const RULES: &str = "crates/plumb-validation/src/parse/argument.rs";
const RULES_PAGE: &str = "docs/src/concepts/validations.md";
const OVERLAYS: &str = "crates/plumb-overlay/src/annotation.rs";
const OVERLAYS_PAGE: &str = "docs/src/concepts/overlays.md";

pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let read = |path| std::fs::read_to_string(root.join(path));
    let (rules, overlays) = (read(RULES)?, read(OVERLAYS)?);
    let names = annotations(&overlays).map(|it| format!("@{it}"));
    let missing_rules = without_row(&read(RULES_PAGE)?, RULES_PAGE, keywords(&rules))?;
    let missing_overlays = without_row(&read(OVERLAYS_PAGE)?, OVERLAYS_PAGE, names)?;
    Ok([missing_rules, missing_overlays].concat())
}

/// Returns a message for each name that does not occur as code in the rows of a page.
fn without_row(
    page: &str,
    path: &str,
    names: impl Iterator<Item = impl AsRef<str>>,
) -> Result<Vec<String>> {
    let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("| ")).collect();
    let goes_on = |rest: &str| {
        rest.starts_with(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-'))
    };
    let has = |row: &&str, code: &str| row.split(code).skip(1).any(|rest| !goes_on(rest));
    let mut n_names = 0;
    let mut missing = Vec::new();
    for name in names {
        let name = name.as_ref();
        n_names += 1;
        if !rows.iter().any(|row| has(row, &format!("`{name}"))) {
            missing.push(format!("{path}: no table has `{name}`"));
        }
    }
    ensure!(n_names > 0, "there is nothing to compare with {path}");
    Ok(missing)
}

/// The texts of the list that the macro `keywords!` gets.
fn keywords(code: &str) -> impl Iterator<Item = &str> {
    let list = code.split_once("\nkeywords![").map_or("", |(_, rest)| rest);
    let list = list.split("];").next().unwrap_or_default();
    list.split('"').skip(1).step_by(2)
}

/// The texts of constants that are annotations of overlays.
fn annotations(code: &str) -> impl Iterator<Item = &str> {
    let texts = code.lines().filter_map(|it| it.split_once("const ")?.1.split('"').nth(1));
    texts.filter(|it| it.strip_prefix("overlay/").is_some_and(|it| !it.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn keywords_and_annotations_without_a_row_are_found() {
        let files = [
            (RULES, "\nkeywords![\n    \"min\",\n    \"max\",\n    \"len\",\n];\n"),
            (RULES_PAGE, "`len=1`\n\n| `min_len=1`, `max=2` | x |\n"),
            (
                OVERLAYS,
                "const NAMESPACE: &str = \"overlay/\";\n\
                 const MATCH: &str = \"overlay/match\";\nconst NOOP: &str = \"overlay/noop\";\n",
            ),
            (OVERLAYS_PAGE, "| `@overlay/match-defaults` | x |\n| `@overlay/noop` | x |\n"),
        ];
        let scratch = Scratch::new("tables", &files);
        let expected = [
            "docs/src/concepts/validations.md: no table has `min`",
            "docs/src/concepts/validations.md: no table has `len`",
            "docs/src/concepts/overlays.md: no table has `@overlay/match`",
        ];
        assert_eq!(problems(&scratch.0).expect("pages"), expected);
    }
}
