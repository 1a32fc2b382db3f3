//! Estimates the length of a node's text without printing it.
//!
//! A part of a document that occurs in many places is stored once and printed many times, so a
//! document that fits into memory may not fit as text.

use memchr::memchr_iter;
use plumb_value::{ArrayItem, Document, MapItem, Meta, Node, OutputComment, ShownComments};

use super::STEP;

/// The maximum length of an escaped character.
const ESCAPED: u64 = 6;
/// The characters around a scalar: quotes, `- `, `: `, a line break.
const AROUND: u64 = 8;
/// The maximum length of a scalar that is not a string.
const NUMBER: u64 = 24;

/// Returns whether the text of the nodes has at most about `limit` bytes, if each level is indented
/// by `indent` spaces. The estimate is an upper bound. It stops as soon as the result is known.
///
/// Almost every text is far below the limit, so a rough estimate that does not read strings comes
/// first.
pub fn fits<'a>(
    nodes: impl IntoIterator<Item = &'a Node> + Clone,
    indent: usize,
    limit: u64,
) -> bool {
    let (left, indent) = (limit, indent as u64);
    let mut rough = Estimate::<false> { left, indent, open: Vec::new() };
    if nodes.clone().into_iter().all(|node| rough.takes(node).is_some()) {
        return true;
    }
    let mut close = Estimate::<true> { left, indent, open: Vec::new() };
    nodes.into_iter().all(|node| close.takes(node).is_some())
}

/// Returns the number of bytes that [`fits`] compares with its limit if the text is not far below it:
/// an upper bound of the length of the nodes. Returns `None` if it is above `limit`.
pub fn bound<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    indent: usize,
    limit: u64,
) -> Option<u64> {
    let mut close = Estimate::<true> { left: limit, indent: indent as u64, open: Vec::new() };
    for node in nodes {
        close.takes(node)?;
    }
    Some(limit - close.left)
}

/// Returns whether the comments that are printed with the documents have at most about `limit`
/// bytes. The estimate is an upper bound. It stops as soon as the result is known.
pub fn comments_fit<'a>(documents: impl IntoIterator<Item = &'a Document>, limit: u64) -> bool {
    let is_shown = |it: &&Document| it.shown_comments != ShownComments::None;
    let mut left = limit;
    documents.into_iter().filter(is_shown).all(|it| take_comments(it, &mut left).is_some())
}

fn take_comments(document: &Document, left: &mut u64) -> Option<()> {
    let mut take = |meta: &Meta, level: usize| {
        *left = left.checked_sub(length_of_comments(meta, level as u64 * STEP as u64))?;
        Some(())
    };
    take(&document.meta, 0)?;
    take(&document.foot, 0)?;
    let mut open = vec![document.node.children()];
    while let Some(children) = open.last_mut() {
        let Some((meta, child)) = children.next() else {
            open.pop();
            continue;
        };
        take(meta, open.len())?;
        open.push(child.children());
    }
    Some(())
}

fn length_of_comments(meta: &Meta, indent: u64) -> u64 {
    let length = |text: &[u8]| {
        // A character that begins with one of the last two bytes may also be a line break.
        let n_breaks = text.iter().filter(|it| matches!(it, b'\n' | b'\r' | 0xc2 | 0xe2)).count();
        ESCAPED * text.len() as u64 + (n_breaks as u64 + 1) * (indent + AROUND)
    };
    let written: u64 = meta.comments().iter().map(|it| length(it.text.as_bytes())).sum();
    let computed = OutputComment::of(meta).unwrap_or_default();
    let computed = computed.above.into_iter().chain(computed.beside);
    written + computed.map(|it| length(it.as_bytes())).sum::<u64>()
}

/// An estimate. With `CLOSE`, it reads strings, and is closer to the actual length.
struct Estimate<'a, const CLOSE: bool> {
    /// Bytes that are still available.
    left: u64,
    indent: u64,
    /// The collections being walked, innermost last.
    open: Vec<Children<'a>>,
}

enum Children<'a> {
    Map(std::slice::Iter<'a, MapItem>),
    Array(std::slice::Iter<'a, ArrayItem>),
}

impl<'a, const CLOSE: bool> Estimate<'a, CLOSE> {
    /// Subtracts the length of a node from the available bytes. Returns `None` if they are not
    /// enough.
    fn takes(&mut self, node: &'a Node) -> Option<()> {
        let mut sum = Sum::<CLOSE>::on_lines_after(0);
        sum.add(node);
        self.left = self.left.checked_sub(sum.length())?;
        self.open(node);
        loop {
            let begun = self.open.len() as u64 * self.indent;
            let Some(children) = self.open.last_mut() else { return Some(()) };
            let (length, inner) = children.next_collections::<CLOSE>(begun);
            self.left = self.left.checked_sub(length)?;
            match inner {
                None => _ = self.open.pop(),
                Some([first, second]) => {
                    self.open(second);
                    self.open(first);
                }
            }
        }
    }

    fn open(&mut self, node: &'a Node) {
        match node {
            Node::Map(map) => self.open.push(Children::Map(map.items().iter())),
            Node::Array(array) => self.open.push(Children::Array(array.items.iter())),
            _ => {}
        }
    }
}

impl<'a> Children<'a> {
    /// Advances to the next item that contains a collection. Returns the length of everything on
    /// the way, and the key and the value of the item. Returns `None` instead of them at the end.
    fn next_collections<const CLOSE: bool>(&mut self, begun: u64) -> (u64, Option<[&'a Node; 2]>) {
        let mut sum = Sum::<CLOSE>::on_lines_after(begun);
        match self {
            Self::Map(items) => {
                for MapItem { key, node, .. } in items {
                    let is_inner = [sum.add(key), sum.add(node)];
                    if is_inner != [false, false] {
                        return (sum.length(), Some([key, node]));
                    }
                }
            }
            Self::Array(items) => {
                for ArrayItem { node, .. } in items {
                    if sum.add(node) {
                        return (sum.length(), Some([node, &Node::Null]));
                    }
                }
            }
        }
        (sum.length(), None)
    }
}

/// The length of several nodes, without the contents of collections.
struct Sum<const CLOSE: bool> {
    /// Spaces at the beginning of each line.
    begun: u64,
    n_nodes: u64,
    /// The number of characters of all scalars. With `CLOSE`, their lengths including indentation.
    length: u64,
}

impl<const CLOSE: bool> Sum<CLOSE> {
    fn on_lines_after(begun: u64) -> Self {
        Self { begun, n_nodes: 0, length: 0 }
    }

    /// Adds a node. Returns whether it is a collection.
    #[inline]
    fn add(&mut self, node: &Node) -> bool {
        self.n_nodes += 1;
        self.length += match node {
            Node::String(text) if CLOSE => length(text.as_bytes(), self.begun),
            Node::String(text) => text.len() as u64,
            _ => NUMBER,
        };
        matches!(node, Node::Map(_) | Node::Array(_))
    }

    /// Returns the length. Without `CLOSE`, this assumes that every character is escaped, on a
    /// separate line.
    fn length(&self) -> u64 {
        let around = self.n_nodes * (AROUND + self.begun);
        around + if CLOSE { self.length } else { self.length * (1 + ESCAPED + self.begun) }
    }
}

/// Returns the length of a string on its own lines, each of which begins with `begun` spaces. The
/// first line is not counted.
fn length(text: &[u8], begun: u64) -> u64 {
    let lines = memchr_iter(b'\n', text).count() as u64;
    let escaped = text.iter().filter(|&&byte| may_be_escaped(byte)).count() as u64;
    text.len() as u64 + ESCAPED * escaped + lines * begun
}

fn may_be_escaped(byte: u8) -> bool {
    byte < b' ' && byte != b'\n' || matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0x7f)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plumb_source::Origin;
    use plumb_value::Array;

    use super::*;
    use crate::print;

    fn array(nodes: Vec<Node>) -> Node {
        let items = nodes.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
        Node::Array(Arc::new(Array::new(items.collect(), Origin::Unknown)))
    }

    #[test]
    fn the_estimate_is_never_below_the_text() {
        let deep = (0..50).fold(Node::from("a\nb\n\tc"), |inner, _| array(vec![inner]));
        for node in [Node::from("x"), Node::Int(-5), Node::from("\u{1}\u{2}\"<"), deep] {
            let mut text = Vec::new();
            print::node(&node, &mut text);
            let length = text.len() as u64;
            assert!(!fits([&node], 2, length - 1), "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_rough_estimate_is_followed_by_a_close_one() {
        let deep =
            (0..20).fold(Node::from("x".repeat(1_000).as_str()), |inner, _| array(vec![inner]));
        assert!(fits([&deep], 2, 3_000));
        assert!(!fits([&deep], 2, 1_000));
    }

    #[test]
    fn a_text_fits_if_its_bound_does() {
        let deep = (0..20).fold(Node::from("a\nb\"c"), |inner, _| array(vec![inner.clone()]));
        let nodes = [deep, Node::Int(7), Node::from("x")];
        let bound = bound(&nodes, 2, 1 << 20).expect("a short text");
        assert!(fits(&nodes, 2, bound));
        assert!(!fits(&nodes, 2, bound - 1));
        assert!(super::bound(&nodes, 2, bound - 1).is_none());
    }

    #[test]
    fn shared_parts_count_in_each_place_and_the_answer_comes_soon() {
        let doubled = (0..60).fold(Node::Int(1), |inner, _| array(vec![inner.clone(), inner]));
        assert!(!fits([&doubled], 2, 1_000_000));
    }
}
