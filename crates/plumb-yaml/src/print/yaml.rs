//! Documents as YAML, in the one layout of our output.
//!
//! Maps are indented by two, sequences not at all below their key, lines are never folded. The
//! tree is walked once with a stack of our own, so that no depth of nesting is too deep.

use plumb_value::{ArrayItem, Document, Node};

use super::entries::{Entries, Entry};
use super::layout::{STEP, indentation};
use super::scalar::Scalar;

/// Appends documents with `---` between them; empty ones are left out.
pub fn documents<'a>(documents: impl IntoIterator<Item = &'a Document>, out: &mut Vec<u8>) {
    let mut is_first = true;
    for document in documents {
        if document.is_injected || document.node.is_empty_document() {
            continue;
        }
        if !is_first {
            out.extend_from_slice(b"---\n");
        }
        is_first = false;
        node(&document.node, out);
    }
}

/// Appends one node as a document of its own.
pub fn node(node: &Node, out: &mut Vec<u8>) {
    let mut printer = Printer { out, open: Vec::new(), is_line_begun: true };
    printer.root(node);
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

impl<'a> Printer<'a, '_> {
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

    fn root(&mut self, node: &'a Node) {
        match node {
            Node::Map(map) if !map.is_empty() => {
                self.open.push(Frame::Map { entries: Entries::of(map), indent: 0 });
            }
            Node::Array(array) if !array.items.is_empty() => {
                self.open.push(Frame::Array { items: array.items.iter(), indent: 0 });
            }
            _ => self.leaf(node, 0),
        }
    }

    fn entry(&mut self, entry: &Entry<'a>, indent: usize) {
        self.begin_line(indent);
        if self.simple_key(entry.key, indent) {
            self.out.push(b':');
            self.value(&entry.item.node, indent, Place::Key);
        } else {
            self.out.push(b'?');
            self.open.push(Frame::Value { node: &entry.item.node, indent });
            self.value(entry.key, indent, Place::Mark);
        }
    }

    /// Appends a key that needs no `?`; returns whether it is one.
    fn simple_key(&mut self, key: &Node, indent: usize) -> bool {
        match Scalar::of(key) {
            Some(scalar) => {
                let is_simple = scalar.is_simple_key();
                if is_simple {
                    scalar.write(indent, self.out);
                }
                is_simple
            }
            None => self.empty_collection(key),
        }
    }

    /// Appends a node behind what stands on the line already.
    fn value(&mut self, node: &'a Node, indent: usize, place: Place) {
        match node {
            Node::Map(map) if !map.is_empty() => {
                self.open_line(place);
                self.open.push(Frame::Map { entries: Entries::of(map), indent: indent + STEP });
            }
            Node::Array(array) if !array.items.is_empty() => {
                self.open_line(place);
                let indent = if place == Place::Key { indent } else { indent + STEP };
                self.open.push(Frame::Array { items: array.items.iter(), indent });
            }
            _ => {
                self.out.push(b' ');
                self.leaf(node, indent);
            }
        }
    }

    /// Appends a scalar or an empty collection, up to the end of its line.
    fn leaf(&mut self, node: &Node, indent: usize) {
        self.is_line_begun = false;
        let is_line_ended = match Scalar::of(node) {
            Some(scalar) => scalar.write(indent, self.out),
            None => !self.empty_collection(node),
        };
        if !is_line_ended {
            self.out.push(b'\n');
        }
    }

    fn empty_collection(&mut self, node: &Node) -> bool {
        let text: &[u8] = match node {
            Node::Map(map) if map.is_empty() => b"{}",
            Node::Array(array) if array.items.is_empty() => b"[]",
            _ => return false,
        };
        self.out.extend_from_slice(text);
        true
    }

    /// Makes room for the first line of a collection.
    fn open_line(&mut self, place: Place) {
        self.is_line_begun = place == Place::Mark;
        self.out.push(if self.is_line_begun { b' ' } else { b'\n' });
    }

    fn begin_line(&mut self, indent: usize) {
        if self.is_line_begun {
            self.is_line_begun = false;
        } else {
            indentation(indent, self.out);
        }
    }
}
