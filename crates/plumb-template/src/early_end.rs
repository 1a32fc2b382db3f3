//! Code that ends too early. The parser continues in generated code after it, and its message
//! refers to that code.

use plumb_source::message::plain;
use plumb_source::{FileId, Message, Source, Sources, Span, message};
use plumb_starlark::{CodeErrorKind, Error, ErrorKind, InstructionInLoad, Tok};

/// Code that ends too early.
pub(crate) struct EarlyEnd {
    pub(crate) message: Message,
    pub(crate) help: Option<&'static str>,
    /// The code, or the part of it that is wrong.
    pub(crate) place: Span,
}

impl EarlyEnd {
    /// Recognizes an error about the text after code that ends too early.
    pub(crate) fn of(error: &Error, sources: &Sources) -> Option<Self> {
        if error.kind() != ErrorKind::Syntax {
            return None;
        }
        let unexpected = match error.detail() {
            Some(CodeErrorKind::Unexpected { found, wanted }) => Some((*found, *wanted)),
            Some(CodeErrorKind::LoadedName { .. }) => None,
            _ => {
                error.detail::<InstructionInLoad>()?;
                None
            }
        };
        // A word of the program has a place without a length.
        let word = || error.word().filter(|it| it.start < it.end);
        let before = || error.frames().iter().find_map(|it| it.gap?.before);
        let place = error.code_before().or_else(word).or_else(before)?;
        let source = sources.get(place.file);
        let code = source.bytes().get(place.start as usize..place.end as usize)?;
        let end = CodeEnd::of(code);
        if let Some(bracket) = end.bracket {
            return Some(Self { message: not_closed(bracket), help: None, place });
        }
        let lines = match error.code_before() {
            Some(code) => source.bytes().get(..code.end as usize),
            None => lines_above(&source, place),
        };
        if let Some((bracket, place)) = lines.and_then(|it| open_at_end(it, place.file)) {
            return Some(Self { message: not_closed(bracket), help: None, place });
        }
        if let (Some(_), Some(length)) = (error.code_before(), end.comment) {
            let start = place.end - u32::try_from(length).ok()?;
            let rest = source.bytes().get(place.end as usize..)?;
            let is_in_text = rest.starts_with(b"@)") || rest.starts_with(b"-@)");
            return Some(Self {
                message: "expected the end of the expression, found a comment".into(),
                help: Some(if is_in_text {
                    "begin a new line before `@)`: a comment goes to the end of its line"
                } else {
                    "begin the comment with `#!`"
                }),
                place: Span { start, ..place },
            });
        }
        // The token after the code of an expression is a bracket.
        let (_, wanted) = unexpected.filter(|(found, _)| *found == Tok::RParen)?;
        let message = message!("expected {}, found the end of the code", wanted.words());
        Some(Self { message, help: None, place })
    }
}

fn not_closed(bracket: u8) -> Message {
    message!("`{}` is not closed", plain(char::from(bracket)))
}

fn lines_above(source: &Source, place: Span) -> Option<&[u8]> {
    let above = source.bytes().get(..place.start as usize)?;
    Some(&above[..above.iter().rposition(|it| *it == b'\n')?])
}

/// Returns a bracket that is open in the lines of code at the end of a text, and the last of these
/// lines.
fn open_at_end(above: &[u8], file: FileId) -> Option<(u8, Span)> {
    let mut start = above.len();
    for line in above.rsplit(|it| *it == b'\n') {
        if !line.trim_ascii_start().starts_with(b"#@") {
            break;
        }
        start = start.min(line.as_ptr().addr() - above.as_ptr().addr());
    }
    let lines: Vec<&[u8]> = above[start..].split(|it| *it == b'\n').collect();
    let code = lines.iter().filter_map(|it| it.trim_ascii_start().strip_prefix(b"#@"));
    let bracket = CodeEnd::of(&code.collect::<Vec<_>>().join(&b'\n')).bracket?;
    let last = lines.last()?;
    let end = u32::try_from(above.len()).ok()?;
    let indent = last.len() - last.trim_ascii_start().len();
    let begin = end - u32::try_from(last.len() - indent).ok()?;
    Some((bracket, Span::new(file, begin, end)))
}

/// What is open at the end of some lines of code.
struct CodeEnd {
    /// The innermost open bracket.
    bracket: Option<u8>,
    /// The length of a comment in the last line.
    comment: Option<usize>,
}

impl CodeEnd {
    fn of(code: &[u8]) -> Self {
        let mut open = Vec::new();
        let mut quote = None;
        let mut comment = None;
        let mut at = 0;
        while let Some(&byte) = code.get(at) {
            match (quote, byte) {
                (Some(_), b'\\') => at += 1,
                (Some(end), _) if byte == end || byte == b'\n' => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'#') => match code[at..].iter().position(|it| *it == b'\n') {
                    Some(length) => at += length,
                    None => {
                        comment = Some(code.len() - at);
                        break;
                    }
                },
                (None, b'(' | b'[' | b'{') => open.push(byte),
                (None, b')' | b']' | b'}') => _ = open.pop(),
                (Some(_) | None, _) => {}
            }
            at += 1;
        }
        Self { bracket: open.pop(), comment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bracket(code: &[u8]) -> Option<u8> {
        CodeEnd::of(code).bracket
    }

    #[test]
    fn the_innermost_open_bracket_is_found() {
        assert_eq!(bracket(b"f(x"), Some(b'('));
        assert_eq!(bracket(b"f([1, {})"), Some(b'('));
        assert_eq!(bracket(b"f(\")\", '\\'(') + 1"), None);
        assert_eq!(bracket(b"[1] # ("), None);
        assert_eq!(bracket(b"f(1, # (\n2,\n"), Some(b'('));
    }

    #[test]
    fn a_comment_at_the_end_is_found() {
        assert_eq!(CodeEnd::of(b"x # y").comment, Some(3));
        assert_eq!(CodeEnd::of(b"x # y\n+ z").comment, None);
        assert_eq!(CodeEnd::of(b"'#'").comment, None);
    }
}
