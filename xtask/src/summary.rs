//! The generated parts of the manual's summary: the reference pages, which are the case files of
//! some crates, and the findings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use crate::files;

pub(crate) const PATH: &str = "docs/src/SUMMARY.md";

/// The line after which pages are listed, and their folder in the manual: a link to case files, or
/// a folder of such links.
const REFERENCE: [(&str, &str); 4] = [
    ("- [By example](reference/examples.md)", "reference/pages"),
    ("- [The template language](reference/language.md)", "reference/language"),
    ("- [Nodes of templates](reference/nodes.md)", "reference/templates"),
    ("- [Rules for virtual machines](reference/machines.md)", "reference/machines"),
];

const FINDINGS: &str = "- [Findings](findings.md)";

/// The expected summary.
pub(crate) fn written<'a>(root: &Path, codes: impl Iterator<Item = &'a str>) -> Result<String> {
    let mut summary = std::fs::read_to_string(root.join(PATH)).context(PATH)?;
    for (head, folder) in REFERENCE {
        summary = with_part(&summary, head, &pages(&root.join("docs/src"), folder)?)?;
    }
    with_part(&summary, FINDINGS, &findings(codes))
}

/// Case files grouped by folder, with their titles.
fn pages(manual: &Path, folder: &str) -> Result<String> {
    let mut areas: BTreeMap<String, String> = BTreeMap::new();
    let folder_path = manual.join(folder);
    let mut paths = files::markdown(&folder_path)?;
    for entry in std::fs::read_dir(&folder_path)? {
        let path = entry?.path();
        if path.is_symlink() {
            paths.extend(files::markdown(&path)?);
        }
    }
    paths.sort();
    for path in paths {
        let below = path.strip_prefix(&folder_path)?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path)?;
        let title = text.lines().next().and_then(|it| it.strip_prefix("# "));
        let title = title.with_context(|| format!("{} has no title", path.display()))?;
        let area = below.split_once('/').map_or("", |(area, _)| area).to_owned();
        let indent = if area.is_empty() { "  " } else { "    " };
        let out = areas.entry(area).or_default();
        let _ = writeln!(out, "{indent}- [{title}]({folder}/{below})");
    }
    let with_areas = areas.into_iter().map(|(area, pages)| match area.as_str() {
        "" => pages,
        _ => format!("  - [{}]()\n{pages}", capitalised(&area.replace('-', " "))),
    });
    Ok(with_areas.collect())
}

/// Codes grouped by area, without it: the sidebar is narrow.
fn findings<'a>(codes: impl Iterator<Item = &'a str>) -> String {
    let mut areas: BTreeMap<&str, String> = BTreeMap::new();
    for code in codes {
        let (area, name) = code.split_once('/').unwrap_or_default();
        let out = areas.entry(area).or_default();
        let _ = writeln!(out, "    - [`{name}`](findings/{code}.md)");
    }
    areas.into_iter().flat_map(|(area, pages)| [format!("  - [{area}]()\n"), pages]).collect()
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The summary with new lines after a heading. They replace the lines that are indented more than
/// the heading.
fn with_part(summary: &str, head: &str, part: &str) -> Result<String> {
    let head = format!("{head}\n");
    let at = summary.find(&head).with_context(|| format!("the summary has no line {head}"))?;
    let (before, rest) = summary.split_at(at + head.len());
    let old = rest.split_inclusive('\n').take_while(|it| it.starts_with(' '));
    let old: usize = old.map(str::len).sum();
    Ok(format!("{before}{part}{}", &rest[old..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_summary_is_replaced_and_the_rest_is_kept() {
        let summary =
            "# S\n\n- [Findings](findings.md)\n  - [old]()\n    - [old](b.md)\n- [N](n.md)\n";
        let part = findings(["a/x"].into_iter());
        let expected = "# S\n\n- [Findings](findings.md)\n  - [a]()\n    - [`x`](findings/a/x.md)\n\
                        - [N](n.md)\n";
        assert_eq!(with_part(summary, FINDINGS, &part).expect("a head"), expected);
    }
}
