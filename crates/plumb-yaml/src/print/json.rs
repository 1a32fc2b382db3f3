//! Documents as JSON: compact or indented, keys in byte order.
//!
//! Each byte that is not UTF-8 becomes U+FFFD. Values that JSON cannot express (a key that is not a
//! string, a number that is not finite) are errors with a place.

use std::fmt;

use plumb_source::message::{secret, term};
use plumb_source::{Message, Origin, message};
use plumb_value::{ArrayItem, Document, Map, Node, NodeKind};

use super::entries::{Entries, Entry};
use super::indentation;
use super::number;

/// The layout of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonStyle {
    /// Spaces per level; 0 prints everything on one line.
    pub indent: usize,
    /// Whether `<`, `>` and `&` are escaped, so that the text can be embedded in HTML.
    pub escapes_html: bool,
}

/// A node that JSON cannot express.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonError {
    /// A key that is not a string.
    Key { kind: NodeKind, origin: Origin },
    /// A float that is not a number, or infinite.
    Number { value: f64, origin: Origin },
}

/// Appends documents one after the other, each on one line; empty ones are left out. After an
/// error, `out` is unchanged.
pub fn documents<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    out: &mut Vec<u8>,
) -> Result<(), JsonError> {
    let start = out.len();
    for document in documents {
        if document.is_injected || document.node.is_empty_document() {
            continue;
        }
        let printed = print(&document.node, document.origin, JsonStyle::default(), out);
        printed.inspect_err(|_| out.truncate(start))?;
    }
    Ok(())
}

/// Appends one node. After an error, `out` is unchanged.
pub fn node(node: &Node, style: JsonStyle, out: &mut Vec<u8>) -> Result<(), JsonError> {
    let start = out.len();
    print(node, Origin::Unknown, style, out).inspect_err(|_| out.truncate(start))
}

/// Appends a string in double quotes.
pub fn string(bytes: &[u8], escapes_html: bool, out: &mut Vec<u8>) {
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        push_escaped(chunk.valid(), escapes_html, out);
        for _ in chunk.invalid() {
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    out.push(b'"');
}

/// Everything on one line, and safe in HTML.
impl Default for JsonStyle {
    fn default() -> Self {
        Self { indent: 0, escapes_html: true }
    }
}

impl JsonError {
    /// Returns the message, in which the number is a value.
    pub fn message(&self) -> Message {
        let words = match self {
            Self::Key { kind, .. } => {
                message!("expected a key that is a string, found {}", kind.with_article())
            }
            Self::Number { value, .. } => {
                message!("expected a finite number, found {}", secret(float_name(*value)))
            }
        };
        term(words, self.clone()).into()
    }
}

/// Returns a number as Go prints it, such as `+Inf`.
pub fn float_name(value: f64) -> String {
    let mut name = Vec::new();
    number::go_float(value, &mut name);
    String::from_utf8_lossy(&name).into_owned()
}

/// Shows the number. Use [`JsonError::message`] if values must be masked.
impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().shown())
    }
}

impl std::error::Error for JsonError {}

struct Printer<'a, 'o> {
    out: &'o mut Vec<u8>,
    style: JsonStyle,
    /// The sorted entries of all open maps, those of the innermost last.
    sorted: Vec<Entry<'a>>,
    /// The collections being printed, innermost last.
    open: Vec<Frame<'a>>,
}

enum Frame<'a> {
    /// A range of `sorted`, and how many of its entries are printed.
    Map {
        start: usize,
        next: usize,
    },
    Array {
        items: std::slice::Iter<'a, ArrayItem>,
        is_first: bool,
    },
}

fn print(
    node: &Node,
    origin: Origin,
    style: JsonStyle,
    out: &mut Vec<u8>,
) -> Result<(), JsonError> {
    let mut printer = Printer { out, style, sorted: Vec::new(), open: Vec::new() };
    printer.value(node, origin)?;
    printer.run()
}

impl<'a> Printer<'a, '_> {
    fn run(&mut self) -> Result<(), JsonError> {
        while let Some(frame) = self.open.last_mut() {
            match frame {
                Frame::Map { start, next } => {
                    let (start, at) = (*start, *next);
                    *next += 1;
                    if at == self.sorted.len() {
                        self.sorted.truncate(start);
                        self.close(b'}');
                    } else {
                        self.entry(at, at == start)?;
                    }
                }
                Frame::Array { items, is_first } => match items.next() {
                    Some(item) => {
                        let is_first = std::mem::replace(is_first, false);
                        self.begin_item(is_first);
                        self.value(&item.node, item.origin)?;
                    }
                    None => self.close(b']'),
                },
            }
        }
        Ok(())
    }

    fn value(&mut self, node: &'a Node, origin: Origin) -> Result<(), JsonError> {
        match node {
            Node::Null => self.out.extend_from_slice(b"null"),
            Node::Bool(true) => self.out.extend_from_slice(b"true"),
            Node::Bool(false) => self.out.extend_from_slice(b"false"),
            Node::Int(value) => number::integer(*value, self.out),
            Node::UInt(value) => number::unsigned(*value, self.out),
            Node::Float(value) if value.is_finite() => number::json_float(*value, self.out),
            Node::Float(value) => return Err(JsonError::Number { value: *value, origin }),
            Node::String(text) => string(text.as_bytes(), self.style.escapes_html, self.out),
            Node::Map(map) if map.is_empty() => self.out.extend_from_slice(b"{}"),
            Node::Map(map) => return self.open_map(map),
            Node::Array(array) if array.items.is_empty() => self.out.extend_from_slice(b"[]"),
            Node::Array(array) => {
                self.out.push(b'[');
                self.open.push(Frame::Array { items: array.items.iter(), is_first: true });
            }
        }
        Ok(())
    }

    fn open_map(&mut self, map: &'a Map) -> Result<(), JsonError> {
        let start = self.sorted.len();
        for entry in Entries::of(map) {
            if !matches!(entry.key, Node::String(_)) {
                return Err(JsonError::Key { kind: entry.key.kind(), origin: entry.item.origin });
            }
            self.sorted.push(entry);
        }
        self.sorted[start..].sort_unstable_by_key(|entry| key_bytes(entry.key));
        self.out.push(b'{');
        self.open.push(Frame::Map { start, next: start });
        Ok(())
    }

    fn entry(&mut self, at: usize, is_first: bool) -> Result<(), JsonError> {
        self.begin_item(is_first);
        let Entry { key, item } = self.sorted[at];
        string(key_bytes(key), self.style.escapes_html, self.out);
        self.out.extend_from_slice(if self.style.indent == 0 { b":" } else { b": " });
        self.value(&item.node, item.origin)
    }

    fn begin_item(&mut self, is_first: bool) {
        if !is_first {
            self.out.push(b',');
        }
        self.begin_line();
    }

    fn close(&mut self, bracket: u8) {
        self.open.pop();
        self.begin_line();
        self.out.push(bracket);
    }

    fn begin_line(&mut self) {
        if 0 < self.style.indent {
            self.out.push(b'\n');
            indentation(self.open.len() * self.style.indent, self.out);
        }
    }
}

/// Returns the bytes of a key that is known to be a string.
fn key_bytes(key: &Node) -> &[u8] {
    match key {
        Node::String(text) => text.as_bytes(),
        _ => &[],
    }
}

fn push_escaped(text: &str, escapes_html: bool, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut shown = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let len = match byte {
            0x20.. if !matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2) => continue,
            b'<' | b'>' | b'&' if !escapes_html => continue,
            0xe2 if !is_separator(&bytes[at..]) => continue,
            0xe2 => 3,
            _ => 1,
        };
        out.extend_from_slice(&bytes[shown..at]);
        escape(&bytes[at..at + len], out);
        shown = at + len;
    }
    out.extend_from_slice(&bytes[shown..]);
}

/// Returns whether the text begins with U+2028 or U+2029, which JavaScript treats as line ends.
fn is_separator(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

fn escape(char: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match char {
        [b'"'] => b'"',
        [b'\\'] => b'\\',
        [8] => b'b',
        [0xc] => b'f',
        [b'\n'] => b'n',
        [b'\r'] => b'r',
        [b'\t'] => b't',
        [.., last @ (0xa8 | 0xa9)] => {
            return out.extend_from_slice(&[b'\\', b'u', b'2', b'0', b'2', last - 0xa8 + b'8']);
        }
        _ => {
            let [high, low] = [char[0] >> 4, char[0] & 0xf].map(|it| HEX[usize::from(it)]);
            return out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
