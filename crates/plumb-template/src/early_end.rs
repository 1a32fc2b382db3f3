//! Code that ends too early. The language reads on after it, in code that nobody wrote, and its
//! message names what it finds there.

use plumb_source::message::plain;
use plumb_source::{Message, Source, Sources, Span, message};
use plumb_starlark::{Error, ErrorKind};

/// What ends the code of an expression.
const CLOSE: &str = "')'";

/// Code that ends too early.
pub(crate) struct EarlyEnd {
    pub(crate) message: Message,
    /// The code.
    pub(crate) place: Span,
}

impl EarlyEnd {
    /// Recognizes an error about what follows code that ends too early.
    pub(crate) fn of(error: &Error, sources: &Sources) -> Option<Self> {
        if error.kind() != ErrorKind::Syntax {
            return None;
        }
        let words = error.message().shown();
        let parts = words.strip_prefix("got ").and_then(|it| it.split_once(", want "));
        if parts.is_none() && !words.starts_with("load operand must be") {
            return None;
        }
        // A word of the program has a place without a length.
        let word = error.word().filter(|it| it.start < it.end);
        let before = || error.frames().iter().find_map(|it| it.gap?.before);
        let place = word.or_else(before)?;
        let source = sources.get(place.file);
        let code = source.bytes().get(place.start as usize..place.end as usize)?;
        if let Some(bracket) = open_bracket(code) {
            return Some(Self { message: not_closed(bracket), place });
        }
        if let Some((bracket, place)) = open_above(&source, place) {
            return Some(Self { message: not_closed(bracket), place });
        }
        let (_, expected) = parts.filter(|(found, _)| *found == CLOSE)?;
        let message = match expected {
            "primary expression" => "expected an expression, found the end of the code".into(),
            _ => message!("expected {}, found the end of the code", plain(expected)),
        };
        Some(Self { message, place })
    }
}

fn not_closed(bracket: u8) -> Message {
    message!("`{}` is not closed", plain(char::from(bracket)))
}

/// Returns a bracket that is open at the end of the code in the lines above a place, and the last of
/// these lines.
fn open_above(source: &Source, place: Span) -> Option<(u8, Span)> {
    let above = source.bytes().get(..place.start as usize)?;
    let above = &above[..above.iter().rposition(|it| *it == b'\n')?];
    let mut start = above.len();
    for line in above.rsplit(|it| *it == b'\n') {
        if !line.trim_ascii_start().starts_with(b"#@") {
            break;
        }
        start = start.min(line.as_ptr().addr() - above.as_ptr().addr());
    }
    let lines: Vec<&[u8]> = above[start..].split(|it| *it == b'\n').collect();
    let code = lines.iter().filter_map(|it| it.trim_ascii_start().strip_prefix(b"#@"));
    let bracket = open_bracket(&code.collect::<Vec<_>>().join(&b'\n'))?;
    let last = lines.last()?;
    let end = u32::try_from(above.len()).ok()?;
    let indent = last.len() - last.trim_ascii_start().len();
    let begin = end - u32::try_from(last.len() - indent).ok()?;
    Some((bracket, Span::new(place.file, begin, end)))
}

/// Returns the innermost bracket that is open at the end of some lines of code.
fn open_bracket(code: &[u8]) -> Option<u8> {
    let mut open = Vec::new();
    let mut quote = None;
    let mut bytes = code.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => _ = bytes.next(),
            (Some(end), _) if byte == end || byte == b'\n' => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'#') => _ = bytes.by_ref().find(|it| *it == b'\n'),
            (None, b'(' | b'[' | b'{') => open.push(byte),
            (None, b')' | b']' | b'}') => _ = open.pop(),
            (Some(_) | None, _) => {}
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
        assert_eq!(open_bracket(b"f(1, # (\n2,\n"), Some(b'('));
    }
}
