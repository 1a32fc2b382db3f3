//! Documents as YAML, in the one layout of our output.
//!
//! Maps are indented by two, sequences not at all below their key, lines are never folded. The
//! tree is walked once with a stack of our own, so that no depth of nesting is too deep.

use plumb_value::{ArrayItem, Document, Node};

use super::entries::{Entries, Entry};
use super::layout::{STEP, indentation};
use super::leaf::Leaf;

/// Appends documents with `---` between them; empty ones are left out.
pub fn documents<'a>(documents: impl IntoIterator<Item = &'a Document>, out: &mut Vec<u8>) {
    let mut printer = Printer::new(out);
    let mut is_first = true;
    for document in documents {
        if document.is_injected || document.node.is_empty_document() {
            continue;
        }
        if !is_first {
            printer.out.extend_from_slice(b"---\n");
        }
        is_first = false;
        printer.document(&document.node);
    }
}

/// Appends one node as a document of its own.
pub fn node(node: &Node, out: &mut Vec<u8>) {
    Printer::new(out).document(node);
}

/// Appends a node behind a `?` that stands at `indent`, up to the end of its last line.
pub(super) fn node_behind_mark(node: &Node, indent: usize, out: &mut Vec<u8>) {
    let mut printer = Printer::new(out);
    printer.value(node, indent, Place::Mark);
    printer.run();
}

struct Printer<'a, 'o> {
    out: &'o mut Vec<u8>,
    /// The collections being printed, innermost last.
    open: Vec<Frame<'a>>,
    /// Whether the next entry or item continues a line, behind a `-` or `?`.
    is_line_begun: bool,
}

enum Frame<'a> {
    Map {
        entries: Entries<'a>,
        indent: usize,
    },
    Array {
        items: std::slice::Iter<'a, ArrayItem>,
        indent: usize,
    },
    /// What a key with a `?` is the key of; the key itself is being printed above this frame.
    Value {
        node: &'a Node,
        indent: usize,
    },
}

/// What a node stands behind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A simple key and its colon: a collection begins on the next line.
    Key,
    /// A `-`, `?` or `:`: a collection begins on the same line.
    Mark,
}

impl<'a, 'o> Printer<'a, 'o> {
    fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, open: Vec::new(), is_line_begun: false }
    }

    fn document(&mut self, node: &'a Node) {
        if let Some(leaf) = Leaf::of(node) {
            self.leaf(&leaf, 0);
        } else {
            self.open(node, 0);
            self.run();
        }
    }

    fn run(&mut self) {
        while let Some(frame) = self.open.last_mut() {
            match frame {
                Frame::Map { entries, indent } => {
                    let indent = *indent;
                    match entries.next() {
                        Some(entry) => self.entry(&entry, indent),
                        None => self.close(),
                    }
                }
                Frame::Array { items, indent } => {
                    let indent = *indent;
                    match items.next() {
                        Some(item) => {
                            self.begin_line(indent);
                            self.out.push(b'-');
                            self.value(&item.node, indent, Place::Mark);
                        }
                        None => self.close(),
                    }
                }
                Frame::Value { node, indent } => {
                    let (node, indent) = (*node, *indent);
                    self.close();
                    self.begin_line(indent);
                    self.out.push(b':');
                    self.value(node, indent, Place::Mark);
                }
            }
        }
    }

    fn close(&mut self) {
        self.open.pop();
    }

    fn entry(&mut self, entry: &Entry<'a>, indent: usize) {
        self.begin_line(indent);
        let node = &entry.item.node;
        match Leaf::of(entry.key) {
            Some(key) if key.is_simple_key() => {
                key.write(indent, self.out);
                self.out.push(b':');
                self.value(node, indent, Place::Key);
            }
            _ => {
                self.out.push(b'?');
                self.open.push(Frame::Value { node, indent });
                self.value(entry.key, indent, Place::Mark);
            }
        }
    }

    /// Appends a node behind what stands on the line already.
    fn value(&mut self, node: &'a Node, indent: usize, place: Place) {
        if let Some(leaf) = Leaf::of(node) {
            self.out.push(b' ');
            return self.leaf(&leaf, indent);
        }
        self.is_line_begun = place == Place::Mark;
        self.out.push(if self.is_line_begun { b' ' } else { b'\n' });
        match (node, place) {
            (Node::Array(_), Place::Key) => self.open(node, indent),
            _ => self.open(node, indent + STEP),
        }
    }

    fn open(&mut self, node: &'a Node, indent: usize) {
        match node {
            Node::Map(map) => self.open.push(Frame::Map { entries: Entries::of(map), indent }),
            Node::Array(array) => {
                self.open.push(Frame::Array { items: array.items.iter(), indent });
            }
            _ => {}
        }
    }

    /// Appends a leaf, up to the end of its line.
    fn leaf(&mut self, leaf: &Leaf<'_>, indent: usize) {
        if !leaf.write(indent, self.out) {
            self.out.push(b'\n');
        }
        self.is_line_begun = false;
    }

    fn begin_line(&mut self, indent: usize) {
        if self.is_line_begun {
            self.is_line_begun = false;
        } else {
            indentation(indent, self.out);
        }
    }
}
