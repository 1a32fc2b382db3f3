//! Rules of the manual: links have targets, every page is in the summary, every console is run.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use crate::{files, summary};

/// Messages about what is wrong with the pages.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let pages = files::manual(root)?;
    let listed = std::fs::read_to_string(root.join(summary::PATH))?;
    let targets: BTreeSet<PathBuf> =
        links(&listed).into_iter().map(|it| root.join("docs/src").join(it)).collect();
    let mut all = pages.clone();
    for folder in ["examples", "docs/design", "web", "editors", "packaging"] {
        all.extend(files::markdown(&root.join(folder))?);
    }
    for entry in std::fs::read_dir(root)?.chain(std::fs::read_dir(root.join("deploy"))?) {
        all.extend(Some(entry?.path()).filter(|it| it.extension().is_some_and(|it| it == "md")));
    }
    // Some pages of the manual are links to files elsewhere.
    all.extend(targets.iter().filter(|it| it.is_file()).cloned());
    all.sort();
    all.dedup();
    for path in &all {
        let text = std::fs::read_to_string(path)?;
        let shown = path.strip_prefix(root)?.display();
        let gone = links(&text).into_iter().filter(|link| !leads_somewhere(path, link));
        problems.extend(gone.map(|link| format!("{shown}: the link to `{link}` is broken")));
        let is_run = !path.is_symlink();
        if is_run && text.split("\n## ").next().is_some_and(|it| it.contains("\n```console")) {
            problems.push(format!("{shown}: a console before the first section is not run"));
        }
    }
    for path in pages.iter().filter(|it| !it.ends_with("SUMMARY.md")) {
        let below: PathBuf = path.strip_prefix(root.join("docs/src"))?.to_owned();
        if !targets.contains(path) {
            problems.push(format!("{} does not list {}", summary::PATH, below.display()));
        }
    }
    Ok(problems)
}

/// A `##` section of a page.
pub(crate) struct Section<'a> {
    pub(crate) title: &'a str,
    pub(crate) has_console: bool,
}

pub(crate) fn sections(text: &str) -> impl Iterator<Item = Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if let Some(title) = line.strip_prefix("## ").filter(|_| !in_block) {
            sections.push(Section { title, has_console: false });
        } else if let Some(section) = sections.last_mut() {
            section.has_console |= is_fence && line.starts_with("```console");
        }
        in_block ^= is_fence;
    }
    sections.into_iter()
}

/// The targets of links to files and to headings. Code blocks are skipped.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.starts_with("```");
        if in_block {
            continue;
        }
        let targets = line.split("](").skip(1).filter_map(|it| it.split(')').next());
        found.extend(targets.filter(|it| !it.is_empty() && !it.contains("://")));
    }
    found
}

/// Whether a file exists, and has the heading. Paths are resolved as a browser does: `..` after a
/// symbolic link does not follow the link.
fn leads_somewhere(page: &Path, link: &str) -> bool {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => page.to_owned(),
        _ => without_dots(&page.with_file_name(path)),
    };
    if heading.is_empty() || target.extension().is_none_or(|it| it != "md") {
        return target.exists();
    }
    let text = std::fs::read_to_string(&target).unwrap_or_default();
    anchors(&text).contains(heading)
}

fn without_dots(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            Component::CurDir => {}
            _ => out.push(part),
        }
    }
    out
}

/// The anchors of the headings, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.starts_with("```");
        let Some(heading) = line.trim_start_matches('#').strip_prefix(' ') else { continue };
        if in_block || !line.starts_with('#') {
            continue;
        }
        let kept = heading.trim().chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let repeated = (1..).map(|n| format!("{anchor}-{n}"));
        let mut candidates = std::iter::once(anchor.clone()).chain(repeated);
        anchors.extend(candidates.find(|it| !anchors.contains(it)));
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn broken_links_unlisted_pages_and_consoles_that_are_not_run_are_found() {
        let files = [
            ("docs/src/SUMMARY.md", "[a](a.md)\n"),
            ("docs/src/a.md", "# A\n[gone](gone.md) [there](#a) [nowhere](b.md#nowhere)\n"),
            ("docs/src/b.md", "# B\n\n```console\n$ x\n```\n"),
            ("examples/README.md", ""),
            ("deploy/README.md", ""),
        ];
        let scratch = Scratch::new("manual", &files);
        let expected = [
            "docs/src/a.md: the link to `gone.md` is broken",
            "docs/src/a.md: the link to `b.md#nowhere` is broken",
            "docs/src/b.md: a console before the first section is not run",
            "docs/src/SUMMARY.md does not list b.md",
        ];
        assert_eq!(problems(&scratch.0).expect("a manual"), expected);
    }

    #[test]
    fn links_to_files_are_found_outside_of_blocks() {
        let text =
            "[a](x.md#top) and [`b`](y/z.md), [c](https://example.com)\n```\n[d](w.md)\n```\n";
        assert_eq!(links(text), ["x.md#top", "y/z.md"]);
    }

    #[test]
    fn anchors_are_headings_outside_of_blocks() {
        let text = "# What `a.b` is\n## Same\n## Same\n#@ code\n```\n# no\n```\n";
        assert_eq!(Vec::from_iter(anchors(text)), ["same", "same-1", "what-ab-is"]);
    }

    #[test]
    fn dots_after_a_link_do_not_follow_it() {
        assert_eq!(without_dots(Path::new("a/link/../b.md")), Path::new("a/b.md"));
    }

    #[test]
    fn a_section_has_its_consoles() {
        let text = "# T\n## One\n```console\n$ x\n## no\n```\n## Two\n```yaml\na: 1\n```\n";
        let found: Vec<(&str, bool)> =
            sections(text).map(|it| (it.title, it.has_console)).collect();
        assert_eq!(found, [("One", true), ("Two", false)]);
    }
}
