//! Parses JSON texts into nodes, in one pass.

use std::fmt;

use plumb_source::{Origin, Text};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::json_text;
use crate::error::Error as ReadError;

/// Deeper values are rejected. Printers, validators and the stack support this depth.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// The tree of a JSON text.
pub(crate) fn node_from_json(text: &str) -> Result<Node, ReadError> {
    json_text::read(text, Seed { depth: 0 })
}

#[derive(Clone, Copy)]
struct Seed {
    depth: usize,
}

impl Seed {
    fn below<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format_args!("values nest deeper than {MAX_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::uint(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::String(Text::from(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let below = self.below()?;
        let mut array = Vec::new();
        while let Some(node) = items.next_element_seed(below)? {
            array.push(ArrayItem::new(node, Origin::Unknown));
        }
        Ok(Node::array(Array::new(array, Origin::Unknown)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let below = self.below()?;
        let mut items: Vec<MapItem> = Vec::new();
        while let Some(key) = entries.next_key_seed(Seed { depth: 0 })? {
            items.push(MapItem::new(key, entries.next_value_seed(below)?, Origin::Unknown));
        }
        Ok(Node::map(Map::new(items, Origin::Unknown)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced() {
        let node = node_from_json(r#"["\ud83d\ude00", "\ud83d", "\\ud83d", "\ude00x"]"#);
        let node = node.expect("mended JSON");
        let texts = node.as_array().expect("an array").items.iter();
        let texts: Vec<_> = texts.filter_map(|item| item.node.as_str()).collect();
        assert_eq!(texts, ["😀", "\u{fffd}", "\\ud83d", "\u{fffd}x"]);
    }

    #[test]
    fn a_value_that_is_too_deep_is_an_error() {
        let deep = "[".repeat(20_000) + &"]".repeat(20_000);
        let result = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || node_from_json(&deep).map(drop))
            .expect("a thread");
        let error = result.join().expect("no panic").expect_err("too deep").to_string();
        assert!(error.contains("deeper than"), "{error}");
    }
}
