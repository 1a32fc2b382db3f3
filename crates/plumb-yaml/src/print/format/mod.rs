//! Documents as YAML with their comments, in the layout of `fmt`.
//!
//! Unlike in the output of templates, sequences are indented below their key, and there are blank
//! lines around a node with a comment above it.

mod writer;

use plumb_value::{ArrayItem, Document, MapItem, Meta, Node};

use super::STEP;
use super::leaf::Leaf;
use super::{Flavour, key, yaml};
use writer::{Join, Last, Writer};

/// Appends documents with their comments.
///
/// In ytt's flavour, keys are not quoted, keys that are not strings are printed as in Go, and
/// empty collections disappear.
pub fn format(documents: &[Document], flavour: Flavour, out: &mut Vec<u8>) {
    let writer = Writer::new(flavour, out);
    let mut formatter =
        Formatter { writer, flavour, open: Vec::new(), leaf: Vec::new(), is_leaf_ended: false };
    for (at, document) in documents.iter().enumerate() {
        formatter.document(document, at == 0);
    }
}

struct Formatter<'a, 'o> {
    writer: Writer<'o>,
    flavour: Flavour,
    /// The collections being printed, innermost last.
    open: Vec<Frame<'a>>,
    /// The scalar being printed, without its last line feed.
    leaf: Vec<u8>,
    /// Whether the scalar ends with a separator that ended its line.
    is_leaf_ended: bool,
}

struct Frame<'a> {
    items: Items<'a>,
    indent: usize,
    is_first: bool,
    /// Whether a blank line follows the collection.
    is_spaced: bool,
}

enum Items<'a> {
    /// All items, even if they have the same key: formatting must not drop anything.
    Map(std::slice::Iter<'a, MapItem>),
    Array(std::slice::Iter<'a, ArrayItem>),
}

/// The parts that must still be written around a node because of its comments.
#[derive(Clone, Copy)]
struct Comments<'a> {
    /// The comment on the node's own line.
    inline: Option<&'a [u8]>,
    /// Whether there was a comment above the node.
    is_spaced: bool,
}

/// What a line with a value begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// A key: the items of its value begin on the next line.
    Key,
    /// A `-`: the first item of its value is on the same line.
    Dash,
}

/// The number of lines of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// A line for each of its items.
    Items,
    /// A single piece of several lines.
    Lines,
    /// A single piece of one line.
    Line,
}

impl<'a> Formatter<'a, '_> {
    fn document(&mut self, document: &'a Document, is_first: bool) {
        let comments = self.comments(&document.meta, 0, is_first);
        let is_marked = !is_first && !document.is_injected;
        if is_marked || comments.inline.is_some() {
            self.writer.line.extend_from_slice(b"---");
            self.writer.inline_comment(comments.inline);
            self.writer.end_line(0, Join::OwnLine, Last::Line);
        }
        if self.read_leaf(&document.node, 0) == Extent::Items {
            self.open_collection(&document.node, 0, comments.is_spaced);
            return self.run();
        }
        if !document.node.is_null() {
            self.write_leaf(0);
        }
        self.writer.space(comments.is_spaced);
    }

    fn run(&mut self) {
        while let Some(frame) = self.open.last_mut() {
            let indent = frame.indent;
            let is_first = std::mem::replace(&mut frame.is_first, false);
            match &mut frame.items {
                Items::Map(items) => match items.next() {
                    Some(item) => self.map_item(item, indent, is_first),
                    None => self.close(),
                },
                Items::Array(items) => match items.next() {
                    Some(item) => self.array_item(item, indent, is_first),
                    None => self.close(),
                },
            }
        }
    }

    fn map_item(&mut self, item: &'a MapItem, indent: usize, is_first: bool) {
        let mut comments = self.comments(&item.meta, indent, is_first);
        self.key(&item.key, indent, &mut comments);
        self.writer.line.push(b':');
        self.value(&item.node, indent, comments, Mark::Key);
    }

    fn array_item(&mut self, item: &'a ArrayItem, indent: usize, is_first: bool) {
        let comments = self.comments(&item.meta, indent, is_first);
        self.writer.line.push(b'-');
        self.value(&item.node, indent, comments, Mark::Dash);
    }

    /// Puts a key on the line. A key that needs a `?` is written on a separate line before it, with
    /// the comment of the item.
    fn key(&mut self, node: &Node, indent: usize, comments: &mut Comments<'_>) {
        if self.flavour == Flavour::Ytt {
            return key::write(node, Flavour::Ytt, |_| 0, &mut self.writer.line);
        }
        match Leaf::of(node) {
            Some(leaf) if leaf.is_simple_key() => _ = leaf.write(0, &mut self.writer.line),
            _ => {
                self.writer.line.push(b'?');
                yaml::node_after_mark(node, indent, &mut self.writer.line);
                self.writer.explicit_key(indent, comments.inline.take());
            }
        }
    }

    /// Writes the line that begins with a key or a `-`, and the value on it or below it.
    fn value(&mut self, node: &'a Node, indent: usize, comments: Comments<'a>, mark: Mark) {
        let extent = self.read_leaf(node, indent);
        if extent == Extent::Line {
            if !node.is_null() || comments.inline.is_none() {
                self.writer.line.push(b' ');
                self.writer.line.extend_from_slice(&self.leaf);
            }
            self.writer.inline_comment(comments.inline);
            self.writer.end_line(indent, Join::Inline, Last::Line);
            return self.writer.space(comments.is_spaced);
        }
        self.writer.inline_comment(comments.inline);
        let is_alone = mark == Mark::Key && extent == Extent::Items;
        let last = if is_alone || comments.inline.is_some() { Last::Line } else { Last::Open };
        self.writer.end_line(indent, Join::Inline, last);
        if extent == Extent::Items {
            self.open_collection(node, indent + STEP, comments.is_spaced);
        } else {
            self.write_leaf(indent + STEP);
            self.writer.space(comments.is_spaced);
        }
    }

    fn open_collection(&mut self, node: &'a Node, indent: usize, is_spaced: bool) {
        let items = match node {
            Node::Map(map) => Items::Map(map.items().iter()),
            Node::Array(array) => Items::Array(array.items.iter()),
            _ => return,
        };
        self.open.push(Frame { items, indent, is_first: true, is_spaced });
    }

    fn close(&mut self) {
        let is_spaced = self.open.pop().is_some_and(|frame| frame.is_spaced);
        self.writer.space(is_spaced);
    }

    /// Writes the comments above a node.
    fn comments(&mut self, meta: &'a Meta, indent: usize, is_first: bool) -> Comments<'a> {
        let mut comments = Comments { inline: None, is_spaced: false };
        for comment in meta.comments() {
            if comment.is_inline {
                comments.inline = Some(comment.text.as_bytes());
                continue;
            }
            self.writer.space(!is_first && !comments.is_spaced);
            comments.is_spaced = true;
            self.writer.line.push(b'#');
            self.writer.line.extend_from_slice(comment.text.as_bytes());
            self.writer.end_line(indent, Join::OwnLine, Last::Line);
        }
        comments
    }

    /// Prepares the text of a node that has no lines of items, and returns how many lines it needs.
    fn read_leaf(&mut self, node: &Node, indent: usize) -> Extent {
        self.leaf.clear();
        let leaf = match (Leaf::of(node), self.flavour) {
            (None, _) | (Some(Leaf::EmptyMap | Leaf::EmptyArray), Flavour::Ytt) => {
                return Extent::Items;
            }
            (Some(leaf), _) => leaf,
        };
        // In ytt's flavour, further lines are indented when they are written.
        let indent = if self.flavour == Flavour::Ytt { 0 } else { indent };
        let is_line_ended = leaf.write(indent, &mut self.leaf);
        // A block may end with a separator instead; ytt always removes its last byte.
        self.is_leaf_ended = is_line_ended && !self.leaf.ends_with(b"\n");
        if is_line_ended && (!self.is_leaf_ended || self.flavour == Flavour::Ytt) {
            self.leaf.pop();
        }
        let has_separator = matches!(leaf, Leaf::Text(_, shape) if shape.has_separator);
        let is_broken = has_separator && self.flavour == Flavour::Plumb;
        if is_broken || self.leaf.contains(&b'\n') { Extent::Lines } else { Extent::Line }
    }

    /// Writes the prepared leaf.
    fn write_leaf(&mut self, indent: usize) {
        // If a separator ended the line, another line feed would be part of the block.
        let is_fed = !self.is_leaf_ended || self.flavour == Flavour::Ytt;
        self.writer.line.extend_from_slice(&self.leaf);
        self.writer.end_leaf(indent, is_fed);
    }
}
