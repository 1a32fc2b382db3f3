//! Documents as an outline that shows where every node comes from.
//!
//! ```text
//!           config.yml:3 | [doc]
//!           config.yml:3 |   ports:
//!           config.yml:4 |     [0] 80
//! ```

use plumb_source::{Origin, Source, SourceKind, Sources};
use plumb_value::{ArrayItem, Document, Node};

use super::entries::Entries;
use super::lines::LineFinder;
use super::{Flavour, key, number, yaml};
use super::{STEP, indentation};

/// If a place is longer than the column, the column grows by this much more than needed, so that it
/// does not grow with every line.
const RESERVE: usize = 10;

/// How the outline shows nodes that were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionStyle {
    /// Every node has its own line.
    Plumb,
    /// As ytt does: keys that are not strings are printed as in Go, and sequences that are the
    /// result of an expression are printed as text. If overlays were applied to the document
    /// afterwards, results of expressions are nodes without a place.
    Ytt,
}

/// Appends the outline of documents; empty ones are left out.
pub fn positions<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    sources: &Sources,
    style: PositionStyle,
    out: &mut Vec<u8>,
) {
    let column = Column { lines: LineFinder::new(sources), style, is_overlaid: false, width: 0 };
    let mut outline = Outline { out, style, column, open: Vec::new(), text: Vec::new() };
    for document in documents {
        if !document.is_injected && !document.node.is_empty_document() {
            outline.document(document);
        }
    }
}

struct Outline<'a, 'o, 's> {
    out: &'o mut Vec<u8>,
    style: PositionStyle,
    column: Column<'s>,
    /// The collections being printed, innermost last.
    open: Vec<Frame<'a>>,
    /// The scalar being printed; kept to reuse its memory.
    text: Vec<u8>,
}

enum Frame<'a> {
    Map { entries: Entries<'a> },
    Array { items: std::iter::Enumerate<std::slice::Iter<'a, ArrayItem>> },
}

/// The column of places at the left.
struct Column<'s> {
    lines: LineFinder<'s>,
    style: PositionStyle,
    /// Whether overlays were applied to the document that is printed.
    is_overlaid: bool,
    width: usize,
}

impl<'a> Outline<'a, '_, '_> {
    fn document(&mut self, document: &'a Document) {
        self.column.is_overlaid = document.is_overlaid;
        self.column.place(document.origin, self.out);
        self.out.extend_from_slice(b"[doc]\n");
        if !self.open_collection(&document.node) {
            self.write_text(&document.node);
            self.text_line(STEP);
        }
        while let Some(frame) = self.open.last_mut() {
            match frame {
                Frame::Map { entries } => match entries.next() {
                    Some(entry) => {
                        self.begin_line(entry.item.origin);
                        self.key(entry.key);
                        self.out.push(b':');
                        self.value(&entry.item.node);
                    }
                    None => _ = self.open.pop(),
                },
                Frame::Array { items } => match items.next() {
                    Some((index, item)) => {
                        self.begin_line(item.origin);
                        self.out.push(b'[');
                        number::unsigned(index as u64, self.out);
                        self.out.push(b']');
                        self.value(&item.node);
                    }
                    None => _ = self.open.pop(),
                },
            }
        }
    }

    fn begin_line(&mut self, origin: Origin) {
        self.column.place(origin, self.out);
        indentation(self.open.len() * STEP, self.out);
    }

    fn key(&mut self, node: &Node) {
        let flavour = match self.style {
            PositionStyle::Plumb => Flavour::Plumb,
            PositionStyle::Ytt => Flavour::Ytt,
        };
        let lines = &mut self.column.lines;
        key::write(node, flavour, |origin| lines.line_in_key(origin), self.out);
    }

    /// Appends the text after a key or index, up to the end of the line, or opens a collection.
    fn value(&mut self, node: &'a Node) {
        if self.open_collection(node) {
            self.out.push(b'\n');
            return;
        }
        self.write_text(node);
        if self.text.contains(&b'\n') {
            self.out.push(b'\n');
            self.text_line((self.open.len() + 1) * STEP);
        } else {
            self.out.push(b' ');
            self.out.extend_from_slice(&self.text);
            self.out.push(b'\n');
        }
    }

    /// Opens a node whose items have separate lines. Returns whether it is such a node.
    fn open_collection(&mut self, node: &'a Node) -> bool {
        if self.is_text(node) {
            return false;
        }
        match node {
            Node::Map(map) => self.open.push(Frame::Map { entries: Entries::of(map) }),
            Node::Array(array) => {
                self.open.push(Frame::Array { items: array.items.iter().enumerate() });
            }
            _ => {}
        }
        true
    }

    /// Returns whether a node is shown as the text of one value.
    fn is_text(&self, node: &Node) -> bool {
        match (node, self.style) {
            (Node::Map(_) | Node::Array(_), PositionStyle::Plumb) => node.is_empty_document(),
            (Node::Map(_), PositionStyle::Ytt) => false,
            (Node::Array(array), PositionStyle::Ytt) => match array.origin {
                Origin::Written(_) | Origin::Default(_) | Origin::Unknown => false,
                Origin::Computed(_) => !self.column.is_overlaid,
            },
            _ => true,
        }
    }

    /// Stores the text of a node, without its last line end, for `text_line`.
    fn write_text(&mut self, node: &Node) {
        self.text.clear();
        yaml::node(node, &mut self.text);
        // A block may end with a separator instead; ytt always removes the last byte.
        if self.text.ends_with(b"\n") || self.style != PositionStyle::Plumb {
            self.text.pop();
        }
    }

    /// Appends the text on a line that has no place.
    fn text_line(&mut self, indent: usize) {
        self.column.pad("", self.out);
        indentation(indent, self.out);
        self.out.extend_from_slice(&self.text);
        self.out.push(b'\n');
    }
}

/// Formats the place of a node. ytt has no name for a value inside the argument of a flag; Plumb
/// names the flag or the variable.
fn place(source: &Source, line: u32, style: PositionStyle) -> String {
    let is_argument = matches!(source.kind(), SourceKind::Flag | SourceKind::Environment);
    match style {
        PositionStyle::Plumb if is_argument => format!("{}:{line}", source.location()),
        PositionStyle::Ytt if source.name().is_empty() => line.to_string(),
        PositionStyle::Plumb | PositionStyle::Ytt => format!("{}:{line}", source.name()),
    }
}

impl Column<'_> {
    /// Appends the place of a node and the bar after it. Appends nothing for a node without a
    /// place.
    fn place(&mut self, origin: Origin, out: &mut Vec<u8>) {
        let is_forgotten = self.style == PositionStyle::Ytt
            && self.is_overlaid
            && matches!(origin, Origin::Computed(_));
        if is_forgotten {
            return;
        }
        if let Some((source, line)) = self.lines.find(origin) {
            let place = place(source, line, self.style);
            self.pad(&place, out);
        }
    }

    /// Appends a text that ends at the bar.
    fn pad(&mut self, text: &str, out: &mut Vec<u8>) {
        if self.width < text.len() {
            self.width = text.len() + RESERVE;
        }
        indentation(self.width.saturating_sub(text.chars().count()), out);
        out.extend_from_slice(text.as_bytes());
        out.extend_from_slice(b" | ");
    }
}
