//! Values in the form of the template language's `repr`: `{"a": [1, 2.5, True, None]}`.
//!
//! Numbers and quoting follow the language's reference implementation: floats in the shortest form
//! that reads back (`1e+06`, and `10` for ten), strings in double quotes with all unprintable
//! characters escaped.

use std::fmt::Write as _;

use plumb_source::Message;

use crate::{Datum, KeyName, Node};

impl Node {
    /// Returns the value in the form of `repr`.
    pub fn repr(&self) -> String {
        let mut out = String::new();
        write_node(self, &mut out);
        out
    }

    /// Returns a key for a message. A key that is not a string is written as in YAML.
    pub fn key_words(&self) -> Message {
        KeyName::words(self)
    }
}

impl Datum {
    /// Returns the value in the form of `repr`.
    pub fn repr(&self) -> String {
        match self {
            Self::Node(node) => node.repr(),
            Self::Tuple(items) => {
                let items: Vec<String> = items.iter().map(Self::repr).collect();
                let trailing = if items.len() == 1 { "," } else { "" };
                format!("({}{trailing})", items.join(", "))
            }
            Self::Documents(_) => format!("<{}>", self.type_name()),
            Self::Function(function) => function.repr(),
            Self::Opaque(value) => value.repr(),
        }
    }
}

fn write_node(node: &Node, out: &mut String) {
    match node {
        Node::Null => out.push_str("None"),
        Node::Bool(true) => out.push_str("True"),
        Node::Bool(false) => out.push_str("False"),
        Node::Int(value) => write_display(value, out),
        Node::UInt(value) => write_display(value, out),
        Node::Float(value) => out.push_str(&float(*value)),
        Node::String(text) => out.push_str(&quote(text.as_bytes())),
        Node::Map(map) => {
            out.push('{');
            for (at, item) in map.items().iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_node(&item.key, out);
                out.push_str(": ");
                write_node(&item.node, out);
            }
            out.push('}');
        }
        Node::Array(array) => {
            out.push('[');
            for (at, item) in array.items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_node(&item.node, out);
            }
            out.push(']');
        }
    }
}

fn write_display(value: &impl std::fmt::Display, out: &mut String) {
    let _ = write!(out, "{value}");
}

/// Formats a float with the fewest digits that read back as the same value. It has an exponent
/// below 0.0001 and from a million on.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').expect("`{:e}` writes an exponent");
    let exponent: i32 = exponent.parse().expect("`{:e}` writes a decimal exponent");
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Quotes a string. Bytes that are not UTF-8 are escaped one by one.
fn quote(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|it| push_escaped(it, &mut out));
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn push_escaped(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        ' '..='~' => out.push(character),
        '\0'..='\u{7f}' => {
            let _ = write!(out, "\\x{:02x}", u32::from(character));
        }
        _ if is_printed(character) => out.push(character),
        '\u{80}'..='\u{ffff}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        }
        _ => {
            let _ = write!(out, "\\U{:08x}", u32::from(character));
        }
    }
}

/// Returns whether a character above ASCII is printed without an escape. If it follows another
/// character, `escape_debug` only keeps letters, marks, numbers, punctuation and symbols.
fn is_printed(character: char) -> bool {
    let mut pair = [0; 5];
    pair[0] = b'a';
    let end = 1 + character.encode_utf8(&mut pair[1..]).len();
    let pair = std::str::from_utf8(&pair[..end]).expect("an `a` and a character");
    pair.escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, ArrayItem, Map, MapItem};
    use plumb_source::{Origin, Text};

    #[test]
    fn floats_are_as_short_as_they_can_be() {
        let cases = [
            (0.0, "0"),
            (10.0, "10"),
            (100_000.0, "100000"),
            (1_000_000.0, "1e+06"),
            (123_456_789.5, "1.234567895e+08"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-2.5, "-2.5"),
            (1e100, "1e+100"),
            (f64::INFINITY, "+Inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(Node::Float(value).repr(), expected);
        }
    }

    #[test]
    fn what_does_not_print_is_escaped() {
        assert_eq!(Node::from("a\"b\\\n\u{1}é\u{301}\u{ad}\u{200b}").repr(), {
            "\"a\\\"b\\\\\\n\\x01é\u{301}\\u00ad\\u200b\""
        });
        assert_eq!(Node::String(Text::from_bytes(b"a\xff")).repr(), "\"a\\xff\"");
        assert_eq!(Node::from("\u{10ffff}").repr(), "\"\\U0010ffff\"");
    }

    #[test]
    fn collections_are_written_as_dicts_and_lists() {
        let items = vec![Node::Null, Node::Bool(true), Node::UInt(u64::MAX)];
        let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown)).collect();
        let array = Node::array(Array::new(items, Origin::Unknown));
        let item = MapItem::new("k".into(), array, Origin::Unknown);
        let map = Node::map(Map::new(vec![item], Origin::Unknown));
        assert_eq!(map.repr(), r#"{"k": [None, True, 18446744073709551615]}"#);
        let pair = Datum::Tuple(vec![Datum::Node(map)]);
        assert_eq!(pair.repr(), r#"({"k": [None, True, 18446744073709551615]},)"#);
    }
}
