//! Prints TOML: keys sorted, scalars before tables, tables indented by their depth.

use plumb_source::message;
use plumb_source::message::term;
use plumb_starlark::{Error, Result};
use plumb_value::{Array, Map, Node};

use crate::decode::DataError;

/// The maximum nesting depth of tables and arrays: the header of each table repeats the keys of all
/// enclosing tables.
const MAX_DEPTH: usize = 1_000;

/// Prints a map as a TOML document, with `indent` spaces per level.
pub(crate) fn encode(node: &Node, indent: usize) -> Result<Vec<u8>> {
    let Node::Map(map) = node else {
        let words = "expected a map at the top level of a TOML document";
        return Err(Error::new(term(words, DataError::NotATable)));
    };
    let mut printer = Printer { out: Vec::new(), path: Vec::new(), indent };
    printer.table(map, 0)?;
    Ok(printer.out)
}

struct Printer {
    out: Vec<u8>,
    /// The keys of the current table, as its header shows them.
    path: Vec<u8>,
    indent: usize,
}

impl Printer {
    /// Prints the content of a table.
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

    /// Prints a table or an array of tables, with headers.
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

    /// Separates a table from the text before it.
    fn blank_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push(b'\n');
        }
    }

    fn start_line(&mut self, depth: usize) {
        let width = self.out.len() + depth * self.indent;
        self.out.resize(width, b' ');
    }

    /// Prints a value after a key or in an array.
    fn inline(&mut self, node: &Node, depth: usize) -> Result<()> {
        check_depth(depth)?;
        match node {
            Node::Null => {
                let words = "expected no null in an array, because TOML has none";
                return Err(Error::new(term(words, DataError::NullInArray)));
            }
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

/// Returns the entries of a map, sorted by key. TOML has no null: such entries are left out.
fn entries(map: &Map) -> Result<Vec<(&[u8], &Node)>> {
    let mut entries = Vec::with_capacity(map.len());
    for item in map.items() {
        match &item.key {
            Node::String(key) if !item.node.is_null() => entries.push((key.as_bytes(), &item.node)),
            Node::String(_) => {}
            _ => {
                return Err(Error::new(term(
                    "expected every key to be a string",
                    DataError::KeyNotString,
                )));
            }
        }
    }
    entries.sort_by_key(|(key, _)| *key);
    Ok(entries)
}

/// Returns whether a value is printed with its own header.
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
    Err(Error::new(message!("toml: expected a value that nests at most {MAX_DEPTH} levels")))
}

/// Formats a float: always with a decimal point, never with an exponent.
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

#[cfg(test)]
mod tests {
    use plumb_source::Origin;
    use plumb_value::{ArrayItem, MapItem};

    use super::*;

    fn map(items: &[(&str, Node)]) -> Node {
        let item =
            |(key, node): &(&str, Node)| MapItem::new(text(key), node.clone(), Origin::Unknown);
        Node::map(Map::new(items.iter().map(item).collect(), Origin::Unknown))
    }

    fn array(items: &[Node]) -> Node {
        let items = items.iter().map(|it| ArrayItem::new(it.clone(), Origin::Unknown));
        Node::array(Array::new(items.collect(), Origin::Unknown))
    }

    fn text(text: &str) -> Node {
        Node::String(text.into())
    }

    fn check(node: &Node, indent: usize, expected: &str) {
        let printed = encode(node, indent).expect("TOML can hold it");
        assert_eq!(String::from_utf8_lossy(&printed), expected);
    }

    #[test]
    fn scalars_come_before_tables() {
        let one = || Node::Int(1);
        let nested = map(&[
            ("b", map(&[("d", map(&[("e", Node::Int(2))])), ("c", one())])),
            ("a", one()),
            (
                "z",
                array(&[
                    map(&[("t", map(&[("u", one())])), ("q", one())]),
                    map(&[("k", array(&[map(&[("x", one())]), map(&[])]))]),
                ]),
            ),
        ]);
        check(
            &nested,
            2,
            "a = 1\n\n[b]\n  c = 1\n  [b.d]\n    e = 2\n\n[[z]]\n  q = 1\n  [z.t]\n    u = 1\n\n\
             [[z]]\n\n  [[z.k]]\n    x = 1\n\n  [[z.k]]\n",
        );
        let deep = map(&[("b", map(&[("c", map(&[("d", map(&[]))]))]))]);
        check(&deep, 4, "[b]\n    [b.c]\n        [b.c.d]\n");
        check(&map(&[("m", map(&[])), ("n", map(&[]))]), 2, "[m]\n\n[n]\n");
        check(&map(&[]), 2, "");
    }

    #[test]
    fn mixed_arrays_are_inline() {
        let table =
            map(&[("y", Node::Int(1)), ("z", Node::Null), ("w", map(&[("h", Node::Int(1))]))]);
        let mixed = map(&[("a", array(&[Node::Int(1), text("x"), table])), ("e", array(&[]))]);
        check(&mixed, 2, "a = [1, \"x\", {y = 1, w = {h = 1}}]\ne = []\n");
        let nested = map(&[("a", array(&[array(&[map(&[("x", Node::Int(1))])])]))]);
        check(&nested, 2, "a = [[{x = 1}]]\n");
    }

    #[test]
    fn numbers_have_the_form_of_their_type() {
        let check_one = |node: Node, expected: &str| {
            check(&map(&[("a", node)]), 2, &format!("a = {expected}\n"));
        };
        check_one(Node::Float(1.5), "1.5");
        check_one(Node::Float(1e30), "1000000000000000000000000000000.0");
        check_one(Node::Float(1e-10), "0.0000000001");
        check_one(Node::Float(-0.0), "-0.0");
        check_one(Node::Float(f64::INFINITY), "+inf");
        check_one(Node::Float(f64::NEG_INFINITY), "-inf");
        check_one(Node::Float(f64::NAN), "nan");
        check_one(Node::UInt(u64::MAX), "18446744073709551615");
        check_one(Node::Bool(true), "true");
    }

    #[test]
    fn keys_are_quoted_if_they_must() {
        let keys = ["A-_9", "", "a b", "a\"b", "x.y", "é", "n\nl"];
        let items: Vec<_> = keys.iter().map(|key| (*key, Node::Int(1))).collect();
        check(
            &map(&items),
            2,
            "\"\" = 1\nA-_9 = 1\n\"a b\" = 1\n\"a\\\"b\" = 1\n\"n\\nl\" = 1\n\"x.y\" = 1\n\"é\" = 1\n",
        );
        let table = map(&[("a b", map(&[("", map(&[]))]))]);
        check(&table, 2, "[\"a b\"]\n  [\"a b\".\"\"]\n");
        let escapes = map(&[("s", text("q\"\\\n\t\r\u{7}\u{7f}\u{80}/'"))]);
        check(&escapes, 2, "s = \"q\\\"\\\\\\n\\t\\r\\u0007\\u007f\u{80}/'\"\n");
    }

    #[test]
    fn what_toml_cannot_hold_is_refused() {
        let check = |node: &Node, expected: &str| {
            let error = encode(node, 2).expect_err("TOML cannot hold it");
            assert_eq!(error.message().shown(), expected);
        };
        check(&array(&[]), "expected a map at the top level of a TOML document");
        let nulls = map(&[("a", array(&[map(&[]), Node::Null]))]);
        check(&nulls, "expected no null in an array, because TOML has none");
        let item = MapItem::new(Node::Int(1), Node::Int(2), Origin::Unknown);
        let numbers = Node::map(Map::new(vec![item], Origin::Unknown));
        check(&numbers, "expected every key to be a string");
        let deep = (0..=MAX_DEPTH).fold(map(&[]), |node, _| map(&[("a", node)]));
        check(&deep, "toml: expected a value that nests at most 1000 levels");
    }

    #[test]
    fn null_entries_are_left_out() {
        check(&map(&[("a", Node::Null), ("b", Node::Int(1))]), 2, "b = 1\n");
    }
}
