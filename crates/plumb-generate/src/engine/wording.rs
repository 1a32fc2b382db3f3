//! Determines which parts of the engine's messages are values.
//!
//! The engine quotes names and values in its messages, and does not distinguish them. Text that is
//! written in the script is a name; everything else may be a value.

use plumb_source::Message;
use plumb_source::message::{plain, secret};

/// The texts that may follow a name at the start of a message.
const AFTER_NAME: [&str; 5] = [
    " is not defined",
    " is not initialized",
    " is not a constructor",
    " is not a function",
    " object expected",
];

/// A message of the engine. `is_written` returns whether a name is written near the place of the
/// error.
pub(super) fn of_engine(text: &str, is_written: impl Fn(&str) -> bool) -> Message {
    let mut message = Message::new();
    let push_name = |message: &mut Message, name: &str| {
        if is_written(name) {
            message.push(&plain(name));
        } else {
            message.push(&secret(name));
        }
    };
    let named = AFTER_NAME.iter().find_map(|it| Some((text.strip_suffix(it)?, *it)));
    if let Some((name, rest)) = named.filter(|(name, _)| !name.contains(['\'', '"'])) {
        push_name(&mut message, name);
        message.push(&rest);
        return message;
    }
    let quotes = text.find(['\'', '"']).and_then(|start| {
        let quote = &text[start..=start];
        let end = text.rfind(quote).filter(|end| *end > start)?;
        Some((start + 1, end))
    });
    match quotes {
        Some((start, end)) => {
            push_without_numbers(&mut message, &text[..start]);
            push_name(&mut message, &text[start..end]);
            push_without_numbers(&mut message, &text[end..]);
        }
        None => push_without_numbers(&mut message, text),
    }
    message
}

/// Numbers are positions in values, or values themselves.
fn push_without_numbers(message: &mut Message, text: &str) {
    let mut rest = text;
    while let Some(start) = rest.find(|it: char| it.is_ascii_digit()) {
        let digits = &rest[start..];
        let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
        message.push(&plain(&rest[..start]));
        message.push(&secret(&digits[..end]));
        rest = &digits[end..];
    }
    message.push(&plain(rest));
}

/// Whether a text contains another one as whole words.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    let begins = word.chars().next().is_some_and(is_word);
    let ends = word.chars().next_back().is_some_and(is_word);
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back().is_some_and(is_word);
            let after = text[at + word.len()..].chars().next().is_some_and(is_word);
            !(begins && before || ends && after)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_written_are_shown_and_values_are_not() {
        for (text, masked) in [
            (
                "cannot read property 'name' of undefined",
                "cannot read property 'name' of undefined",
            ),
            ("cannot read property 'x' of null", "cannot read property '***' of null"),
            ("cannot read property 'a' of b' of null", "cannot read property '***' of null"),
            ("name is not defined", "name is not defined"),
            ("hunter2 is not defined", "*** is not defined"),
            ("not a function", "not a function"),
            ("invalid array index: 12", "invalid array index: ***"),
            (
                "Unexpected token 'h' in JSON at position 0 (line 1 column 1)",
                "Unexpected token '***' in JSON at position *** (line *** column ***)",
            ),
        ] {
            assert_eq!(of_engine(text, |it| it == "name").masked(), masked);
            assert_eq!(of_engine(text, |it| it == "name").shown(), text);
        }
    }

    #[test]
    fn words_are_found_only_as_a_whole() {
        assert!(has_word("v => v.metadata.name", "name"));
        assert!(!has_word("v => v.rename", "name"));
        assert!(!has_word("names", "name"));
        assert!(has_word("f(')", ")"));
        assert!(!has_word("f", ""));
    }
}
