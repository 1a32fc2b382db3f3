//! Compares the names of annotations in code with the tables that define annotations. A name that
//! no table has would be reported to users as unknown.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::{files, words};

/// Crates whose code names annotations. The crates that read annotations have a table.
const READERS: [&str; 8] = [
    "plumb-value",
    "plumb-template",
    "plumb-overlay",
    "plumb-schema",
    "plumb-validation",
    "plumb-library",
    "plumb-import",
    "plumb",
];

pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let mut defined = BTreeSet::new();
    for reader in READERS {
        let mut constants = Vec::new();
        let mut rows = BTreeSet::new();
        for path in files::with_extension(&root.join("crates").join(reader).join("src"), "rs")? {
            let text = std::fs::read_to_string(&path)?;
            let code = words::before_tests(&text).to_owned();
            constants.extend(named_texts(&code).map(|(it, text)| (it.to_owned(), text.to_owned())));
            rows.extend(defined_constants(&code).map(str::to_owned));
            texts.push((path.strip_prefix(root)?.display().to_string(), code));
        }
        let of_rows = constants.into_iter().filter(|(constant, _)| rows.contains(constant));
        defined.extend(of_rows.map(|(_, name)| name));
    }
    ensure!(!defined.is_empty(), "no crate defines annotations");
    let unknown = texts.iter().flat_map(|(path, code)| {
        let unknown = annotations_of(code).filter(|(_, name)| !defined.contains(*name));
        unknown.map(move |(number, name)| {
            format!(
                "{path}:{number}: add {name} to the table `ANNOTATIONS` of the crate that reads it"
            )
        })
    });
    Ok(unknown.collect())
}

/// The names and texts of constants such as `const MATCH: &str = "overlay/match";`.
fn named_texts(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.lines().filter_map(|line| {
        let (name, text) = line.split_once("const ")?.1.split_once(": &str = \"")?;
        Some((name, text.strip_suffix("\";")?))
    })
}

/// The constants in rows such as `AnnotationDefinition::new(MATCH, …)`.
fn defined_constants(code: &str) -> impl Iterator<Item = &str> {
    let rows = code.split("Definition::").skip(1);
    rows.filter_map(|row| {
        let arguments = row.strip_prefix("new(").or_else(|| row.strip_prefix("bare("))?;
        arguments.split(',').next().map(str::trim)
    })
}

/// The names of annotations in code, with the numbers of their lines. Codes are left out.
fn annotations_of(code: &str) -> impl Iterator<Item = (usize, &str)> {
    const NAMESPACES: [&str; 3] = ["overlay/", "schema/", "library/"];
    let lines = code.lines().enumerate();
    let lines =
        lines.filter(|(_, line)| !line.contains("Code::new(") && !line.trim().starts_with("//"));
    lines.flat_map(|(at, line)| {
        let texts = line.split('"').skip(1).step_by(2);
        let is_name = |it: &&str| {
            let name = NAMESPACES.iter().find_map(|namespace| it.strip_prefix(namespace));
            name.is_some_and(|it| {
                !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase() || it == b'-')
            })
        };
        texts.filter(is_name).map(move |name| (at + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_code_and_in_tables() {
        let table = "pub(crate) const MATCH: &str = \"overlay/match\";\n\
                     AnnotationDefinition::new(\n    MATCH,\n    Reads::Keywords)\n\
                     Definition::bare(NOOP, \"\")";
        assert_eq!(named_texts(table).collect::<Vec<_>>(), [("MATCH", "overlay/match")]);
        assert_eq!(defined_constants(table).collect::<Vec<_>>(), ["MATCH", "NOOP"]);
        let code = "let it = has(\"schema/new-one\");\nconst X: Code = Code::new(\"schema/code\");\n\
                    let path = \"schema/A.yml\";";
        assert_eq!(annotations_of(code).collect::<Vec<_>>(), [(1, "schema/new-one")]);
    }
}
