//! Reads JSON with positions.
//!
//! The rules of a template are JSON inside a YAML string, and an error in them is reported at its
//! exact position. [`Reader`] returns values with their byte ranges; [`read_document`] builds a
//! [`Node`] from a whole text, such as an admission request.

mod hint;

use plumb_source::{Origin, Text};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

pub(crate) use hint::syntax_hint;
pub(crate) use plumb_yaml::json::{Key, Reader, Shape, SyntaxError};

/// Deeper nesting is rejected: it is not needed here, and could overflow the stack.
const MAX_DEPTH: usize = 256;

/// A reader of a text.
pub(crate) fn reader(text: &str) -> Reader<'_> {
    Reader::new(text.as_bytes(), MAX_DEPTH)
}

/// Reads a whole text as one value. Places are not kept.
pub(crate) fn read_document(text: &str) -> Result<Node, SyntaxError> {
    let mut reader = reader(text);
    let node = read_node(&mut reader, &mut { usize::MAX })?;
    reader.end()?;
    Ok(node)
}

/// Converts an offset in the value of a JSON string to an offset in the quoted string, which starts
/// with a quote.
pub(crate) fn offset_within(quoted: &str, offset: usize) -> usize {
    let bytes = quoted.as_bytes();
    let mut at = 1;
    let mut value = 0;
    while value < offset && at + 1 < bytes.len() {
        let (length, stands_for) = match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(b'u')) => {
                let code =
                    quoted.get(at + 2..at + 6).and_then(|it| u32::from_str_radix(it, 16).ok());
                // Each half of a surrogate pair counts for two of the four bytes.
                (6, code.map_or(1, |it| char::from_u32(it).map_or(2, char::len_utf8)))
            }
            (b'\\', _) => (2, 1),
            _ => (1, 1),
        };
        at += length;
        value += stands_for;
    }
    at
}

/// Reads the next value as a node. `left` is the number of nodes that it may still contain, and is
/// reduced by those that were read: a node needs many times the memory of the two bytes in which it
/// may be written.
pub(crate) fn read_node(reader: &mut Reader<'_>, left: &mut usize) -> Result<Node, SyntaxError> {
    let shape = reader.shape()?;
    *left = left.checked_sub(1).ok_or_else(|| reader.too_many_values())?;
    match shape {
        Shape::Null => reader.null().map(|()| Node::Null),
        Shape::Bool => reader.bool().map(Node::Bool),
        Shape::Number => reader.number().map(number),
        Shape::String => reader.string().map(|text| Node::String(Text::from(&*text))),
        Shape::Array => {
            let mut items = Vec::new();
            reader.array(|reader| {
                items.push(ArrayItem::new(read_node(reader, left)?, Origin::Unknown));
                Ok(())
            })?;
            Ok(Node::array(Array::new(items, Origin::Unknown)))
        }
        Shape::Object => {
            let mut items = Vec::new();
            reader.object(|reader, key| {
                let key = Node::String(Text::from(&*key.text));
                items.push(MapItem::new(key, read_node(reader, left)?, Origin::Unknown));
                Ok(())
            })?;
            Ok(Node::map(Map::new(items, Origin::Unknown)))
        }
    }
}

fn number(text: &str) -> Node {
    if let Ok(value) = text.parse::<i64>() {
        return Node::Int(value);
    }
    match text.parse::<u64>() {
        Ok(value) => Node::uint(value),
        Err(_) => Node::Float(text.parse().expect("the reader has checked the number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_within_strings_are_found_after_escapes() {
        let quoted = r#""a\"b\u00e9c""#;
        let value = "a\"béc";
        let place = |text: &str| offset_within(quoted, value.find(text).expect("it is there"));
        assert_eq!(&quoted[place("a")..=place("a")], "a");
        assert_eq!(&quoted[place("b")..=place("b")], "b");
        assert_eq!(&quoted[place("c")..=place("c")], "c");
        assert_eq!(offset_within(quoted, 100), quoted.len() - 1);
    }

    #[test]
    fn a_document_of_too_many_values_is_refused_where_they_become_too_many() {
        let read = |text: &str, mut left: usize| read_node(&mut reader(text), &mut left);
        assert!(read("[1,1,1]", 4).is_ok());
        let error = read("[1,1,1]", 3).expect_err("there are four values");
        assert_eq!((error.message().shown(), error.at), ("too many values", 5..6));
    }

    #[test]
    fn a_document_becomes_a_node() {
        let node = read_document(
            r#" {"a": [1, -2.5, 18446744073709551615, true, null], "b": "\u00e9\n"} "#,
        );
        let node = node.expect("the text is JSON");
        let map = node.as_map().expect("an object is a map");
        let array = map.get_str("a").and_then(Node::as_array).expect("a list is an array");
        assert!(matches!(array.items[0].node, Node::Int(1)));
        assert!(matches!(array.items[1].node, Node::Float(value) if (value + 2.5).abs() < 1e-9));
        assert!(matches!(array.items[2].node, Node::UInt(u64::MAX)));
        assert!(matches!(array.items[3].node, Node::Bool(true)));
        assert!(array.items[4].node.is_null());
        assert_eq!(map.get_str("b").and_then(Node::as_str), Some("é\n"));
    }
}
