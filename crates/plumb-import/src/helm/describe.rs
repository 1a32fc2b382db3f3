//! The descriptions of values: comments above the keys of `values.yaml`.
//!
//! Three styles are understood: plain comments, `# -- text` of helm-docs, and `@param path text`
//! of readme-generator.

use std::collections::HashMap;

use plumb_source::Origin;

pub(crate) struct Descriptions<'a> {
    text: &'a str,
    /// Descriptions that name their value, by its path.
    named: HashMap<&'a str, &'a str>,
}

impl<'a> Descriptions<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let comments = text.lines().filter_map(|it| it.trim_start().strip_prefix('#'));
        let named = comments.filter_map(|it| named(it.trim_start_matches('#').trim())).collect();
        Self { text, named }
    }

    /// The description of the value at a path. `origin` is the place of its key.
    pub(crate) fn get(&self, path: &[&str], origin: Origin) -> Option<String> {
        let named = self.named.get(path.join(".").as_str()).map(|it| (*it).to_owned());
        named.or_else(|| self.above(origin)).filter(|it| !it.is_empty())
    }

    /// The comment in the lines directly above a key, with its indentation.
    fn above(&self, origin: Origin) -> Option<String> {
        let start = usize::try_from(origin.span()?.start).ok()?;
        let before = self.text.get(..start)?;
        let line = before.rfind('\n').map_or(0, |it| it + 1);
        let indent = &before[line..];
        if !indent.bytes().all(|it| it == b' ') {
            return None;
        }
        let mut lines = Vec::new();
        for line in before[..line].lines().rev() {
            let Some(comment) = line.strip_prefix(indent).and_then(|it| it.strip_prefix('#'))
            else {
                break;
            };
            lines.push(comment.trim_start_matches('#').trim());
        }
        lines.reverse();
        // The text before the mark of helm-docs does not belong to the description.
        let from = lines.iter().rposition(|it| it.starts_with("-- ")).unwrap_or(0);
        let words = lines[from..].iter().map(|it| it.strip_prefix("-- ").unwrap_or(it));
        let words = words.filter(|it| !it.starts_with('@') && !is_ruler(it));
        let text = words.collect::<Vec<_>>().join(" ");
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The path and the text of `@param path [types] text`.
fn named(comment: &str) -> Option<(&str, &str)> {
    let rest = comment.strip_prefix("@param ")?.trim_start();
    let (path, text) = rest.split_once(' ')?;
    let text = text.trim_start();
    let text = match text.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((_, text)) => text.trim_start(),
        None => text,
    };
    Some((path, text))
}

/// Whether a line only separates sections.
fn is_ruler(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|it| matches!(it, b'-' | b'=' | b'*' | b'~'))
}
