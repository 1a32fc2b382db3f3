//! Finds the data value that a place in a YAML file belongs to, by indentation: while someone is
//! typing, there is no syntax tree at the cursor.

use crate::file::File;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Item,
}

/// The path of the map that a line at an offset belongs to, and what is on the line up to the
/// offset.
pub(crate) struct Cursor {
    pub(crate) parents: Vec<Step>,
    /// The key on the line, or the part of it before the cursor.
    pub(crate) key: String,
    /// Whether the cursor is after the colon of the key.
    pub(crate) is_in_value: bool,
    /// Where the key begins.
    pub(crate) key_start: u32,
}

impl Cursor {
    pub(crate) fn at(file: &File, offset: u32) -> Option<Self> {
        let text = std::str::from_utf8(&file.text).ok()?;
        let before = text.get(..(offset as usize).min(text.len()))?;
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        let line = &before[line_start..];
        if line.trim_start().starts_with('#') {
            return None;
        }
        let (dashes, rest) = without_dashes(line);
        let column = line.len() - rest.len();
        let (key, is_in_value) = match rest.split_once(':') {
            Some((key, _)) => (key, true),
            None => (rest, false),
        };
        let mut parents = parents(&before[..line_start], column, dashes);
        parents.reverse();
        let key_start = u32::try_from(line_start + column).ok()?;
        Some(Self { parents, key: unquoted(key).to_owned(), is_in_value, key_start })
    }

    /// The keys of the path, with the key on the line.
    pub(crate) fn keys(&self) -> Vec<Step> {
        let mut keys = self.parents.clone();
        keys.push(Step::Key(self.key.clone()));
        keys
    }
}

/// How many dashes a line begins with, and what follows them. White space is skipped.
fn without_dashes(line: &str) -> (usize, &str) {
    let mut rest = line.trim_start_matches(' ');
    let mut n = 0;
    while let Some(after) = rest.strip_prefix("- ") {
        n += 1;
        rest = after.trim_start_matches(' ');
    }
    (n, rest)
}

/// The steps above a key at a column, innermost first.
fn parents(above: &str, column: usize, dashes: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![Step::Item; dashes];
    let mut limit = column;
    // An item may be at the column of the key that contains it.
    let mut is_item = dashes > 0;
    for line in above.lines().rev() {
        let trimmed = line.trim_start_matches(' ');
        if line == "---" || line.starts_with("--- ") {
            break;
        }
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let (n, rest) = without_dashes(line);
        let at = line.len() - rest.len();
        let dash = line.len() - trimmed.len();
        if n > 0 && at == limit && !is_item {
            // The first key of the item that this key belongs to.
            steps.extend(vec![Step::Item; n]);
            (limit, is_item) = (dash, true);
            continue;
        }
        let is_above = at < limit || is_item && n == 0 && at <= limit && dash_less(dash, limit);
        if !is_above {
            continue;
        }
        if let Some((key, _)) = rest.split_once(':') {
            steps.push(Step::Key(unquoted(key).to_owned()));
            steps.extend(vec![Step::Item; n]);
            (limit, is_item) = (if n > 0 { dash } else { at }, n > 0);
        }
        if limit == 0 && !is_item {
            break;
        }
    }
    steps
}

fn dash_less(dash: usize, limit: usize) -> bool {
    dash <= limit
}

fn unquoted(key: &str) -> &str {
    let key = key.trim();
    let inner = key.strip_prefix(['"', '\'']).unwrap_or(key);
    inner.strip_suffix(['"', '\'']).unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn shown(text: &str) -> String {
        let offset = text.find("$0").expect("a cursor");
        let text = text.replacen("$0", "", 1);
        let file = File::read(Path::new("a.yml"), text.as_bytes().into());
        let cursor =
            Cursor::at(&file, u32::try_from(offset).expect("short")).expect("not a comment");
        let steps = cursor.parents.iter().map(|it| match it {
            Step::Key(key) => key.as_str(),
            Step::Item => "[]",
        });
        format!("{} | {}", steps.collect::<Vec<_>>().join("."), cursor.key)
    }

    #[test]
    fn indentation_says_where_a_key_is() {
        assert_eq!(shown("a: 1\nb$0"), " | b");
        assert_eq!(shown("a:\n  b:\n    c: 1\n  d$0"), "a | d");
        assert_eq!(shown("a:\n  b:\n    c: 1\n    $0"), "a.b | ");
        assert_eq!(shown("---\na:\n- b: 1\n  c$0"), "a.[] | c");
        assert_eq!(shown("a:\n  - b: 1\n    c:\n      d$0"), "a.[].c | d");
        assert_eq!(shown("a:\n- b: 1\n- c$0"), "a.[] | c");
        assert_eq!(shown("x: 1\n---\nb$0"), " | b");
    }
}
