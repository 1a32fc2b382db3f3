//! A printer of TOML: keys sorted, scalars before tables, tables indented by how deep they are.

use plumb_starlark::{Error, Result};
use plumb_value::{Array, Map, Node};

/// How deep tables and arrays may nest: each table repeats the keys of all that it is in.
const MAX_DEPTH: usize = 1_000;

/// A map as the text of a TOML document, with so many spaces per level.
pub(crate) fn encode(node: &Node, indent: usize) -> Result<Vec<u8>> {
    let Node::Map(map) = node else {
        return Err(Error::new("toml: top-level values must be Go maps or structs"));
    };
    let mut printer = Printer { out: Vec::new(), path: Vec::new(), indent };
    printer.table(map, 0)?;
    Ok(printer.out)
}

struct Printer {
    out: Vec<u8>,
    /// The keys to the current table, as its header shows them.
    path: Vec<u8>,
    indent: usize,
}

impl Printer {
    /// What a table holds.
    fn table(&mut self, map: &Map, depth: usize) -> Result<()> {
        check_depth(depth)?;
        let entries = entries(map)?;
        for &(key, node) in entries.iter().filter(|(_, node)| !is_table(node)) {
            self.start_line(depth);
            push_key(key, &mut self.out);
            self.out.extend_from_slice(b" = ");
            self.inline(node, depth + 1)?;
            self.out.push(b'\n');
        }
        for &(key, node) in entries.iter().filter(|(_, node)| is_table(node)) {
            let parent = self.path.len();
            if depth > 0 {
                self.path.push(b'.');
            }
            push_key(key, &mut self.path);
            self.tables(node, depth)?;
            self.path.truncate(parent);
        }
        Ok(())
    }

    /// A table or an array of tables, with headers.
    fn tables(&mut self, node: &Node, depth: usize) -> Result<()> {
        match node {
            Node::Map(map) => {
                if depth == 0 {
                    self.blank_line();
                }
                self.header("[", "]", depth);
                self.table(map, depth + 1)?;
            }
            Node::Array(array) => {
                for map in array.items.iter().filter_map(|item| item.node.as_map()) {
                    self.blank_line();
                    self.header("[[", "]]", depth);
                    self.table(map, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn header(&mut self, open: &str, close: &str, depth: usize) {
        self.start_line(depth);
        self.out.extend_from_slice(open.as_bytes());
        self.out.extend_from_slice(&self.path);
        self.out.extend_from_slice(close.as_bytes());
        self.out.push(b'\n');
    }

    /// Parts a table from what stands before it.
    fn blank_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push(b'\n');
        }
    }

    fn start_line(&mut self, depth: usize) {
        let width = self.out.len() + depth * self.indent;
        self.out.resize(width, b' ');
    }

    /// A value behind a key or in an array.
    fn inline(&mut self, node: &Node, depth: usize) -> Result<()> {
        check_depth(depth)?;
        match node {
            Node::Null => return Err(Error::new("toml: cannot encode array with nil element")),
            Node::Bool(it) => self.out.extend_from_slice(it.to_string().as_bytes()),
            Node::Int(it) => self.out.extend_from_slice(it.to_string().as_bytes()),
            Node::UInt(it) => self.out.extend_from_slice(it.to_string().as_bytes()),
            Node::Float(it) => self.out.extend_from_slice(float(*it).as_bytes()),
            Node::String(text) => push_quoted(text.as_bytes(), &mut self.out),
            Node::Array(array) => self.inline_array(array, depth)?,
            Node::Map(map) => self.inline_table(map, depth)?,
        }
        Ok(())
    }

    fn inline_array(&mut self, array: &Array, depth: usize) -> Result<()> {
        self.out.push(b'[');
        for (at, item) in array.items.iter().enumerate() {
            self.separate(at);
            self.inline(&item.node, depth + 1)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn inline_table(&mut self, map: &Map, depth: usize) -> Result<()> {
        let mut entries = entries(map)?;
        entries.sort_by_key(|(_, node)| is_table(node));
        self.out.push(b'{');
        for (at, (key, node)) in entries.into_iter().enumerate() {
            self.separate(at);
            push_key(key, &mut self.out);
            self.out.extend_from_slice(b" = ");
            self.inline(node, depth + 1)?;
        }
        self.out.push(b'}');
        Ok(())
    }

    fn separate(&mut self, at: usize) {
        if at > 0 {
            self.out.extend_from_slice(b", ");
        }
    }
}

/// The entries of a map in the order of their keys. TOML has no null: such entries are left out.
fn entries(map: &Map) -> Result<Vec<(&[u8], &Node)>> {
    let mut entries = Vec::with_capacity(map.len());
    for item in map.items() {
        match &item.key {
            Node::String(key) if !item.node.is_null() => entries.push((key.as_bytes(), &item.node)),
            Node::String(_) => {}
            _ => return Err(Error::new("Expected key to be string")),
        }
    }
    entries.sort_by_key(|(key, _)| *key);
    Ok(entries)
}

/// Whether a value has headers of its own.
fn is_table(node: &Node) -> bool {
    match node {
        Node::Map(_) => true,
        Node::Array(array) => {
            !array.items.is_empty() && array.items.iter().all(|item| item.node.as_map().is_some())
        }
        _ => false,
    }
}

fn check_depth(depth: usize) -> Result<()> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    Err(Error::new(format!("toml: expected a value that nests at most {MAX_DEPTH} levels")))
}

/// A float always has a point, and never an exponent.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return format!("{value:+}");
    }
    let digits = value.to_string();
    if digits.contains('.') { digits } else { digits + ".0" }
}

fn push_key(key: &[u8], out: &mut Vec<u8>) {
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !key.is_empty() && key.iter().all(is_bare) {
        out.extend_from_slice(key);
    } else {
        push_quoted(key, out);
    }
}

fn push_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\x08' => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\x0c' => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ if byte.is_ascii_control() => {
                out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
