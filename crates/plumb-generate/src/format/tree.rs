//! JSON texts to nodes, in one pass.

use std::fmt;

use plumb_source::{Origin, Text};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::order;

/// Deeper values are refused; the printers and the stack are made for this much.
const MAX_DEPTH: u32 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOrder {
    Kept,
    /// As printed YAML has it.
    Natural,
}

/// The tree of a JSON text.
pub(crate) fn node_from_json(text: &str, order: KeyOrder) -> Result<Node, String> {
    match parse(text, order) {
        Ok(node) => Ok(node),
        // Scripts can make strings that no text can hold: halves of a character.
        Err(error) => match without_lone_surrogates(text) {
            Some(mended) => parse(&mended, order),
            None => Err(error),
        },
    }
}

fn parse(text: &str, order: KeyOrder) -> Result<Node, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let seed = Seed { order, depth: 0 };
    let node = seed.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(node)
}

#[derive(Clone, Copy)]
struct Seed {
    order: KeyOrder,
    depth: u32,
}

impl Seed {
    fn below<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format_args!("values nest deeper than {MAX_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1, ..self })
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
        while let Some(key) = entries.next_key_seed(Seed { depth: 0, ..self })? {
            items.push(MapItem::new(key, entries.next_value_seed(below)?, Origin::Unknown));
        }
        if self.order == KeyOrder::Natural {
            items.sort_by(|left, right| order::natural(key_text(left), key_text(right)));
        }
        Ok(Node::map(Map::new(items, Origin::Unknown)))
    }
}

fn key_text(item: &MapItem) -> &str {
    item.key.as_str().unwrap_or_default()
}

/// The text with every escaped half of a surrogate pair replaced; none if it has no such half.
pub(crate) fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut has_changed = false;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = match (surrogate(rest), surrogate(rest.get(6..).unwrap_or_default())) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                has_changed = true;
                mended.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    mended.push_str(rest);
    has_changed.then_some(mended)
}

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// The half of a pair that an escape at the start of the text stands for.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced() {
        let node =
            node_from_json(r#"["\ud83d\ude00", "\ud83d", "\\ud83d", "\ude00x"]"#, KeyOrder::Kept);
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
            .spawn(move || node_from_json(&deep, KeyOrder::Kept).map(drop))
            .expect("a thread");
        let error = result.join().expect("no panic").expect_err("too deep");
        assert!(error.contains("deeper than"), "{error}");
    }
}
