//! Text templates: `(@ code @)` and `(@= value @)` in any text.

use std::borrow::Cow;

use plumb_source::message::term;
use plumb_source::{Message, message};

/// One part of a text template. Ranges are byte offsets in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Text { text: &'a [u8], start: usize },
    Code { code: &'a [u8], start: usize },
    Value { code: &'a [u8], start: usize },
}

/// Why a text is not a valid template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    pub kind: TextErrorKind,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The position of the mistake in the text.
    pub(crate) offset: usize,
}

/// The mistakes in a text template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextErrorKind {
    /// Code is not closed before the text ends.
    NotClosed,
    /// `@)` does not close any code.
    Closes,
    /// `(@` is inside code.
    Opens,
}

impl TextError {
    /// The message in our words for a mistake in `whole`: a file or a string. It does not name the
    /// place, which the finding has.
    pub(crate) fn message(&self, whole: &'static str) -> Message {
        let words = match self.kind {
            TextErrorKind::NotClosed => {
                message!("expected `@)` at the end of the code, found the end of the {whole}")
            }
            TextErrorKind::Closes => "found `@)` without `(@` before it".into(),
            TextErrorKind::Opens => "found `(@` inside code: expected `@)` first".into(),
        };
        term(words, self.clone()).into()
    }
}

/// Splits a text into its parts. `first_line` is the line that the text starts on in its file.
pub(crate) fn parse(text: &[u8], first_line: u32) -> Result<Vec<Part<'_>>, TextError> {
    let mut parts = Vec::new();
    split(text, first_line, &mut parts)?;
    Ok(parts)
}

/// The value of an expression in a text is not a string. Its type, in our words with facts.
#[derive(Clone, Debug)]
pub struct NotText {
    pub found: Message,
}

/// The maximum number of mistakes that are reported.
const MAX_ERRORS: usize = 48;

/// Splits a text into its parts, despite mistakes. Code that is not closed ends with its line, or
/// before the next code.
pub(crate) fn parse_past_errors(text: &[u8], first_line: u32) -> (Vec<Part<'_>>, Vec<TextError>) {
    let mut parts = Vec::new();
    if split(text, first_line, &mut parts).is_ok() {
        return (parts, Vec::new());
    }
    parts.clear();
    let mut errors = Vec::new();
    let mut report = |offset: usize, kind: TextErrorKind| {
        if errors.len() < MAX_ERRORS {
            errors.push(error(text, offset, first_line, kind));
        }
    };
    let next = |from: usize, pattern: [u8; 2]| {
        find(&text[from..], pattern).map_or(text.len(), |it| from + it)
    };
    let (mut at, mut close) = (0, 0);
    loop {
        let end = next(at, *b"(@");
        parts.push(Part::Text { text: &text[at..end], start: at });
        let mut rest = at;
        while let Some(stray) = find(&text[rest..end], *b"@)") {
            report(rest + stray + 1, TextErrorKind::Closes);
            rest += stray + 2;
        }
        if end == text.len() {
            return (parts, errors);
        }
        let start = end + 2;
        if close < start {
            close = next(start, *b"@)");
        }
        let limit = next(start, *b"(@").min(text.len());
        if close < limit {
            parts.push(code_part(&text[start..close], start));
            at = close + 2;
            continue;
        }
        if limit == text.len() {
            report(text.len(), TextErrorKind::NotClosed);
        } else {
            report(limit + 1, TextErrorKind::Opens);
        }
        let line = text[start..limit].iter().position(|byte| *byte == b'\n');
        at = line.map_or(limit, |it| start + it);
        parts.push(code_part(&text[start..at], start));
    }
}

fn split<'a>(text: &'a [u8], first_line: u32, parts: &mut Vec<Part<'a>>) -> Result<(), TextError> {
    let mut at = 0;
    let mut trims_next = false;
    loop {
        let rest = &text[at..];
        let end = find(rest, *b"(@").map_or(text.len(), |found| at + found);
        if let Some(stray) = find(&text[at..end], *b"@)") {
            return Err(error(text, at + stray + 1, first_line, TextErrorKind::Closes));
        }
        let mut piece = Part::Text { text: &text[at..end], start: at };
        if trims_next {
            piece = piece.trimmed_start();
        }
        if end == text.len() {
            parts.push(piece);
            return Ok(());
        }
        let start = end + 2;
        let code = code_until_close(text, start, first_line)?;
        at = start + code.len() + 2;
        if code.starts_with(b"-") {
            piece = piece.trimmed_end();
        }
        trims_next = code.ends_with(b"-");
        parts.push(piece);
        parts.push(code_part(code, start));
    }
}

/// Returns the code from `start` to the next `@)`.
fn code_until_close(text: &[u8], start: usize, first_line: u32) -> Result<&[u8], TextError> {
    let length = find(&text[start..], *b"@)");
    let code = &text[start..length.map_or(text.len(), |length| start + length)];
    // `(@)` opens code before it would close any.
    let with_mark = &text[start..length.map_or(text.len(), |length| start + length + 1)];
    match (find(with_mark, *b"(@"), length) {
        (Some(opening), _) => {
            Err(error(text, start + opening + 1, first_line, TextErrorKind::Opens))
        }
        (None, None) => Err(error(text, text.len(), first_line, TextErrorKind::NotClosed)),
        (None, Some(_)) => Ok(code),
    }
}

/// Removes the marks: `-` at either end trims the adjacent text, `=` prints the value.
fn code_part(content: &[u8], start: usize) -> Part<'_> {
    let unmarked = content.strip_prefix(b"-").unwrap_or(content);
    let printed = unmarked.strip_prefix(b"=");
    let code = printed.unwrap_or(unmarked);
    let start = start + (content.len() - code.len());
    let code = code.strip_suffix(b"-").unwrap_or(code);
    match printed {
        Some(_) => Part::Value { code, start },
        None => Part::Code { code, start },
    }
}

impl Part<'_> {
    fn trimmed_start(self) -> Self {
        match self {
            Part::Text { text, start } => {
                let trimmed = trim_start(text);
                Part::Text { text: trimmed, start: start + (text.len() - trimmed.len()) }
            }
            Part::Code { .. } | Part::Value { .. } => self,
        }
    }

    fn trimmed_end(self) -> Self {
        match self {
            Part::Text { text, start } => Part::Text { text: trim_end(text), start },
            Part::Code { .. } | Part::Value { .. } => self,
        }
    }
}

/// Trims white space as defined by Unicode. Bytes that are not characters are kept.
fn trim_start(text: &[u8]) -> &[u8] {
    let valid = longest_valid(text);
    &text[valid.len() - valid.trim_start().len()..]
}

fn trim_end(text: &[u8]) -> &[u8] {
    match String::from_utf8_lossy(text) {
        Cow::Borrowed(valid) => &text[..valid.trim_end().len()],
        Cow::Owned(_) => text.trim_ascii_end(),
    }
}

fn longest_valid(text: &[u8]) -> &str {
    match std::str::from_utf8(text) {
        Ok(valid) => valid,
        Err(error) => {
            std::str::from_utf8(&text[..error.valid_up_to()]).expect("checked up to this byte")
        }
    }
}

fn find(text: &[u8], pattern: [u8; 2]) -> Option<usize> {
    text.windows(2).position(|pair| *pair == pattern)
}

/// Lines count from the first line of the text; columns count characters.
fn error(text: &[u8], offset: usize, first_line: u32, kind: TextErrorKind) -> TextError {
    let before = String::from_utf8_lossy(&text[..offset]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let count = |n: usize| u32::try_from(n).expect("a source is at most 4 GiB");
    TextError {
        kind,
        line: first_line + count(before.matches('\n').count()),
        column: count(before[line_start..].chars().count()) + 1,
        offset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match parse(text.as_bytes(), 1) {
            Ok(parts) => parts.iter().map(|part| show(*part, text)).collect::<Vec<_>>().join("|"),
            Err(error) => format!("{:?} at {}:{}", error.kind, error.line, error.column),
        }
    }

    fn show(part: Part<'_>, whole: &str) -> String {
        let (kind, text, start) = match part {
            Part::Text { text, start } => ("t", text, start),
            Part::Code { code, start } => ("c", code, start),
            Part::Value { code, start } => ("v", code, start),
        };
        assert_eq!(&whole.as_bytes()[start..start + text.len()], text);
        format!("{kind}:{}", String::from_utf8_lossy(text))
    }

    #[test]
    fn code_and_values_stand_between_texts() {
        assert_eq!(shown("a (@ if x: @)b(@= y @) c"), "t:a |c: if x: |t:b|v: y |t: c");
        assert_eq!(shown(""), "t:");
        assert_eq!(shown("(@=x@)"), "t:|v:x|t:");
    }

    #[test]
    fn a_dash_trims_the_text_on_its_side() {
        assert_eq!(shown("a \n(@- x -@)\n b"), "t:a|c: x |t:b");
        assert_eq!(shown("a (@-= x @) b"), "t:a|v: x |t: b");
    }

    #[test]
    fn what_does_not_pair_up_is_an_error_with_its_place() {
        assert_eq!(shown("a\n(@ x"), "NotClosed at 2:5");
        assert_eq!(shown("a @) b"), "Closes at 1:4");
        assert_eq!(shown("(@ a (@ b @)"), "Opens at 1:7");
    }
}
