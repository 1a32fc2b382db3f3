//! Values in the syntax of the template language and of YAML.

use std::fmt::Write as _;

use plumb_source::{Origin, SourceKind, Sources};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

/// The greatest depth of a value in an annotation.
const MAX_LEVELS: usize = 100;

/// The length at which a value is cut off in a comment.
const SHOWN: usize = 160;

/// The key that merges its value into the map that contains it.
pub(crate) const MERGE: &str = "<<";

/// A value in the syntax of the template language. A float stays a float.
pub(crate) fn literal(node: &Node) -> String {
    let mut out = String::new();
    put(node, usize::MAX, &mut out);
    out
}

/// The beginning of a value, long enough to recognise it.
pub(crate) fn shortened(node: &Node) -> String {
    let mut out = String::new();
    put(node, SHOWN * 4, &mut out);
    cut(&out)
}

/// The beginning of a text.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Whether a value can be written both in the template language and in YAML: numbers are finite,
/// keys are unique strings, and the value is not nested too deeply.
pub(crate) fn is_sayable(node: &Node) -> bool {
    is_sayable_within(node, MAX_LEVELS)
}

fn is_sayable_within(node: &Node, levels: usize) -> bool {
    match node {
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) => true,
        Node::Float(value) => value.is_finite(),
        Node::String(text) => text.as_str().is_some(),
        Node::Map(_) | Node::Array(_) if levels == 0 => false,
        Node::Array(array) => array.items.iter().all(|it| is_sayable_within(&it.node, levels - 1)),
        Node::Map(map) => {
            map.twins().is_none()
                && map.items().iter().all(|it| {
                    let is_key = it.key.as_str().is_some_and(|it| it != MERGE);
                    is_key && is_sayable_within(&it.node, levels - 1)
                })
        }
    }
}

/// Writes a value, and stops when `out` has more than `most` bytes.
fn put(node: &Node, most: usize, out: &mut String) {
    match node {
        _ if out.len() > most => {}
        Node::Float(value) => {
            let text = node.repr();
            let is_whole = value.fract() == 0.0 && !text.contains(['e', '.']);
            out.push_str(&text);
            out.push_str(if is_whole { ".0" } else { "" });
        }
        Node::Array(array) => {
            out.push('[');
            for (at, item) in array.items.iter().enumerate() {
                if out.len() > most {
                    break;
                }
                out.push_str(if at == 0 { "" } else { ", " });
                put(&item.node, most, out);
            }
            out.push(']');
        }
        Node::Map(map) => {
            out.push('{');
            for (at, item) in map.items().iter().enumerate() {
                if out.len() > most {
                    break;
                }
                out.push_str(if at == 0 { "" } else { ", " });
                put(&item.key, most, out);
                out.push_str(": ");
                put(&item.node, most, out);
            }
            out.push('}');
        }
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::String(_) => {
            out.push_str(&node.repr());
        }
    }
}

/// Converts code whose texts are quoted by [`Node::repr`] into the syntax of the template language,
/// which has escapes for bytes but not for characters.
pub(crate) fn spelled(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let n_digits = match escape.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let digits = escape.get(2..2 + n_digits).filter(|it| !it.is_empty());
        let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok());
        let n_read = match code.and_then(char::from_u32) {
            Some(character) => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\x{byte:02x}");
                }
                2 + n_digits
            }
            // Another escape, with its character.
            None => {
                let n_read = escape.chars().take(2).map(char::len_utf8).sum();
                out.push_str(&escape[..n_read]);
                n_read
            }
        };
        rest = &escape[n_read..];
    }
    out.push_str(rest);
    out
}

/// Reads a value that [`Node::repr`] wrote. Returns `None` for any other text.
pub(crate) fn read(text: &str) -> Option<Node> {
    let bytes = text.as_bytes();
    let file = Sources::new().add("", SourceKind::File, bytes.into());
    let mut documents = plumb_yaml::parse(file, bytes, &ReadOptions::default()).ok()?;
    let node = documents.pop().filter(|_| documents.is_empty())?.node;
    (node.repr() == text && is_sayable(&node)).then_some(node)
}

/// A scalar or a value of any type as YAML, in lines.
pub(crate) fn yaml(node: &Node) -> String {
    if let Node::Float(value) = node
        && value.fract() == 0.0
        && value.abs() < 1e15
    {
        return format!("{value:.1}\n");
    }
    let mut out = Vec::new();
    plumb_yaml::print::documents([&Document::new(node.clone(), Origin::Unknown)], &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_spelled_in_bytes() {
        assert_eq!(spelled(r#""a\u202fb\U0001f600\n""#), r#""a\xe2\x80\xafb\xf0\x9f\x98\x80\n""#);
        assert_eq!(spelled(r#""\\u202f \"\\""#), r#""\\u202f \"\\""#);
        assert_eq!(spelled("\\u12"), "\\u12");
    }
}
