//! Writes values and names in the syntax of expressions.

use std::fmt::Write as _;

use plumb_value::Node;

use crate::parse::RESERVED;

/// Words that are literals, and therefore cannot be names of fields.
const LITERALS: [&str; 3] = ["false", "null", "true"];

/// Characters that identifiers cannot contain, and what Kubernetes writes instead.
const ESCAPES: [(&str, &str); 4] =
    [("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")];

/// A value as a literal. Returns `None` for a value that expressions cannot write.
pub fn literal(node: &Node) -> Option<String> {
    Some(match node {
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Int(value) => value.to_string(),
        Node::UInt(value) => format!("{value}u"),
        Node::Float(value) if value.is_finite() => format!("{value:?}"),
        Node::Float(_) => return None,
        Node::String(text) => quoted(text.as_str()?),
        Node::Array(array) => {
            let items = array.items.iter().map(|it| literal(&it.node));
            format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", "))
        }
        Node::Map(map) => {
            let entries = map.items().iter();
            let entries = entries
                .map(|it| Some(format!("{}: {}", quoted(it.key.as_str()?), literal(&it.node)?)));
            format!("{{{}}}", entries.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// A text as a string literal, with quotes and escapes.
pub fn quoted(text: &str) -> String {
    escaped(text, |it, out| {
        let _ = match it {
            it if it.is_control() => write!(out, "\\u{:04x}", u32::from(it)),
            it => write!(out, "{it}"),
        };
    })
}

/// A text in the form of Kubernetes' `strings.quote`: other control characters are kept.
pub(crate) fn shown(text: &str) -> String {
    escaped(text, |it, out| match it {
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        it => out.push(it),
    })
}

/// A text with quotes and the escapes that both notations have.
fn escaped(text: &str, push: impl Fn(char, &mut String)) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it => push(it, &mut out),
        }
    }
    out.push('"');
    out
}

/// Whether a word cannot be the name of a field; Kubernetes writes `__namespace__`.
fn is_word(word: &str) -> bool {
    RESERVED.contains(&word) || LITERALS.contains(&word)
}

/// A key as the name of a field, escaped as in Kubernetes. Returns `None` if that is not possible.
pub fn field_name(key: &str) -> Option<String> {
    if is_word(key) {
        return Some(format!("__{key}__"));
    }
    let mut name = String::new();
    let mut rest = key;
    while let Some(character) = rest.chars().next() {
        if let Some((plain, escaped)) = ESCAPES.iter().find(|(plain, _)| rest.starts_with(plain)) {
            name.push_str(escaped);
            rest = &rest[plain.len()..];
        } else {
            name.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    is_name.then_some(name)
}

/// The key for the escaped name of a field. Returns `None` if the name is not escaped.
pub(crate) fn key_of(name: &str) -> Option<String> {
    let word = name.strip_prefix("__").and_then(|it| it.strip_suffix("__"));
    if let Some(word) = word.filter(|it| is_word(it)) {
        return Some(word.to_owned());
    }
    let mut out = String::new();
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let found = ESCAPES.iter().find(|(_, it)| rest.starts_with(it));
        let length = found.map_or(character.len_utf8(), |(_, escaped)| escaped.len());
        match found {
            Some((plain, _)) => out.push_str(plain),
            None => out.push(character),
        }
        rest = &rest[length..];
    }
    (out != name).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_read_back() {
        for key in ["a", "a-b", "a.b/c", "a__b", "namespace", "_x", "if"] {
            let name = field_name(key).expect("a name");
            assert_eq!(key_of(&name).as_deref().unwrap_or(&name), key, "{name}");
        }
        assert_eq!(field_name("a-b").as_deref(), Some("a__dash__b"));
        for key in ["", "1a", "é", "a b"] {
            assert_eq!(field_name(key), None, "{key}");
        }
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}é"), "\"a\\\"b\\\\c\\nd\\u0001é\"");
    }
}
