//! Code that ends too early. The language reads on after it, in code that nobody wrote, and its
//! message names what it finds there.

use plumb_source::message::plain;
use plumb_source::{Message, Sources, message};
use plumb_starlark::{Error, ErrorKind};

/// What ends the code of an expression.
const CLOSE: &str = "')'";

/// Returns the message about code that ends too early. Returns `None` for other errors.
pub(crate) fn message(error: &Error, sources: &Sources) -> Option<Message> {
    if error.kind() != ErrorKind::Syntax {
        return None;
    }
    let (found, expected) = error.message().shown().strip_prefix("got ")?.split_once(", want ")?;
    // A word of the program has a place without a length.
    let word = error.word().filter(|it| it.start < it.end);
    let before = || error.frames().iter().find_map(|it| it.gap?.before);
    let span = word.or_else(before)?;
    let source = sources.get(span.file);
    let code = source.bytes().get(span.start as usize..span.end as usize)?;
    match open_bracket(code) {
        Some(bracket) => Some(message!("`{}` is not closed", plain(char::from(bracket)))),
        None if found != CLOSE => None,
        None if expected == "primary expression" => {
            Some("expected an expression, found the end of the code".into())
        }
        None => Some(message!("expected {}, found the end of the code", plain(expected))),
    }
}

/// Returns the innermost bracket that is open at the end of a line of code.
fn open_bracket(code: &[u8]) -> Option<u8> {
    let mut open = Vec::new();
    let mut quote = None;
    let mut bytes = code.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => _ = bytes.next(),
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'#') => break,
            (None, b'(' | b'[' | b'{') => open.push(byte),
            (None, b')' | b']' | b'}') => _ = open.pop(),
            (None, _) => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_bracket_is_found() {
        assert_eq!(open_bracket(b"f(x"), Some(b'('));
        assert_eq!(open_bracket(b"f([1, {})"), Some(b'('));
        assert_eq!(open_bracket(b"f(\")\", '\\'(') + 1"), None);
        assert_eq!(open_bracket(b"[1] # ("), None);
    }
}
