//! Paths in documents, as users of helm-unittest write them: `spec.containers[0].image`,
//! `metadata.annotations["a.b/c"]`, `spec.containers[?(@.name == "web")].image`.

use plumb_diagnostic::nearest;
use plumb_source::Origin;
use plumb_value::{Node, Step};

/// A path that may lead to several values.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The path as it was written.
    pub(crate) text: String,
    steps: Vec<PathStep>,
}

#[derive(Clone, Debug, PartialEq)]
enum PathStep {
    Key(String),
    /// Counted from 0, or from the end if it is negative.
    Index(i64),
    /// `[*]`: all items.
    All,
    /// `[?(@.key == "value")]`: the items with this value.
    Where(String, String),
}

/// A value that a path leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'n> {
    pub(crate) origin: Origin,
    pub(crate) node: &'n Node,
}

/// The point where a path cannot be followed any further.
#[derive(Debug)]
pub(crate) struct Gap<'n> {
    /// The last value on the path.
    pub(crate) last: Found<'n>,
    /// The next step of the path, which that value does not have.
    pub(crate) step: String,
    /// The key that was probably meant.
    pub(crate) meant: Option<&'n str>,
}

impl Path {
    /// Reads a path. `Err` contains what was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut steps = Vec::new();
        let start = text.strip_prefix('$').unwrap_or(text);
        let mut rest = start.strip_prefix('.').unwrap_or(start);
        let mut is_first = true;
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let end = bracket_end(inside).ok_or("expected `]`")?;
                steps.push(bracketed(inside[..end].trim())?);
                rest = &inside[end + 1..];
            } else {
                let key = if is_first {
                    rest
                } else {
                    rest.strip_prefix('.').ok_or("expected `.` or `[`")?
                };
                let end = key.find(['.', '[']).unwrap_or(key.len());
                if end == 0 {
                    return Err("expected the name of a key");
                }
                steps.push(PathStep::Key(key[..end].to_owned()));
                rest = &key[end..];
            }
            is_first = false;
        }
        Ok(Self { text: text.to_owned(), steps })
    }

    /// A path of keys.
    pub(crate) fn of_keys(keys: &[&str]) -> Self {
        let steps = keys.iter().map(|it| PathStep::Key((*it).to_owned())).collect();
        Self { text: keys.join("."), steps }
    }

    /// The values at the end of the path. If there are none, returns the point where the path
    /// cannot be followed.
    pub(crate) fn find<'n>(&self, root: Found<'n>) -> Result<Vec<Found<'n>>, Gap<'n>> {
        let mut found = vec![root];
        for step in &self.steps {
            let next: Vec<Found<'n>> = found.iter().flat_map(|it| step.below(*it)).collect();
            if next.is_empty() {
                let last = found[0];
                return Err(Gap { last, step: step.to_string(), meant: step.meant(last.node) });
            }
            found = next;
        }
        Ok(found)
    }
}

impl PathStep {
    fn below<'n>(&self, from: Found<'n>) -> Vec<Found<'n>> {
        let found = |(origin, node)| Found { origin, node };
        match self {
            Self::Key(key) => {
                let step = Step::Key(key.as_str().into());
                from.node.below(&step).map(found).into_iter().collect()
            }
            Self::Index(at) => {
                let n_items = from.node.as_array().map_or(0, |it| it.items.len());
                let at = usize::try_from(*at).ok().or_else(|| {
                    n_items.checked_sub(usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX))
                });
                let step = at.map(Step::Index);
                step.and_then(|it| from.node.below(&it)).map(found).into_iter().collect()
            }
            Self::All => from.node.parts().map(found).collect(),
            Self::Where(path, value) => {
                let Ok(path) = Path::parse(path) else { return Vec::new() };
                let has_value = |it: &Found<'_>| {
                    let found = path.find(*it).unwrap_or_default();
                    found.iter().any(|it| match it.node {
                        Node::String(text) => text.as_bytes() == value.as_bytes(),
                        other => other.repr() == *value,
                    })
                };
                from.node.parts().map(found).filter(has_value).collect()
            }
        }
    }

    fn meant<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let (Self::Key(key), Node::Map(map)) = (self, node) else { return None };
        nearest(key, map.items().iter().filter_map(|it| it.key.as_str()))
    }
}

impl std::fmt::Display for PathStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(key) => write!(f, "{key}"),
            Self::Index(at) => write!(f, "[{at}]"),
            Self::All => write!(f, "[*]"),
            Self::Where(path, value) => write!(f, "[?(@.{path} == \"{value}\")]"),
        }
    }
}

/// Returns where the text after `[` ends. Brackets in quotes do not count.
fn bracket_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, ']') => return Some(at),
            _ => {}
        }
    }
    None
}

fn bracketed(inside: &str) -> Result<PathStep, &'static str> {
    if inside == "*" {
        return Ok(PathStep::All);
    }
    if let Some(key) = unquoted(inside) {
        return Ok(PathStep::Key(key.to_owned()));
    }
    if let Some(filter) = inside.strip_prefix("?(").and_then(|it| it.strip_suffix(')')) {
        let (path, value) = filter.split_once("==").ok_or("expected `==` in a filter")?;
        let path = path.trim().strip_prefix("@.").ok_or("expected `@.` in a filter")?;
        let value = value.trim();
        let value = unquoted(value).unwrap_or(value);
        return Ok(PathStep::Where(path.to_owned(), value.to_owned()));
    }
    inside.parse().map(PathStep::Index).map_err(|_| "expected a number or a quoted key in `[…]`")
}

fn unquoted(text: &str) -> Option<&str> {
    let quoted = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Result<Vec<String>, &'static str> {
        Path::parse(text).map(|it| it.steps.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn keys_indexes_and_filters_are_read() {
        assert_eq!(
            steps("spec.ports[0].name").unwrap_or_default(),
            ["spec", "ports", "[0]", "name"]
        );
        assert_eq!(steps("$.a[\"b.c/d\"]").unwrap_or_default(), ["a", "b.c/d"]);
        assert_eq!(steps("a['x]y'][*]").unwrap_or_default(), ["a", "x]y", "[*]"]);
        assert_eq!(
            steps("c[?(@.name == 'web')].image").unwrap_or_default(),
            ["c", "[?(@.name == \"web\")]", "image"]
        );
        assert_eq!(steps("").unwrap_or_default(), Vec::<String>::new());
        for wrong in ["a..b", "a[0", "a[b]", "a[0]b", "a[?(x)]"] {
            assert!(steps(wrong).is_err(), "{wrong}");
        }
    }
}
