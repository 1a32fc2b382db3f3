//! Literal (`|`) and folded (`>`) scalars.

use lean_string::LeanString;

use super::cursor::Cursor;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::scanner::offset;
use super::token::{Content, Kind, Token, TokenPlace};

/// The header of a block scalar.
struct Header {
    is_literal: bool,
    chomping: Chomping,
    /// How much more the text is indented than the enclosing block.
    increment: Option<u8>,
}

/// What happens to the line breaks at the end.
enum Chomping {
    Clip,
    Strip,
    Keep,
}

/// Reads the scalar that begins here, in a block at column `indent`. `text` is an empty buffer.
pub(super) fn block_scalar(
    cursor: &mut Cursor<'_>,
    indent: isize,
    text: &mut String,
) -> Result<Token<'static>> {
    let start = cursor.pos;
    let line = cursor.line;
    let header = read_header(cursor)?;
    let end = append_text(cursor, indent, &header, text)?;
    let place = TokenPlace {
        kind: Kind::QuotedScalar,
        is_one_line: false,
        line,
        start: offset(start),
        end: offset(end),
    };
    Ok(Token { place, content: Content::Built(LeanString::from(text.as_str())) })
}

fn read_header(cursor: &mut Cursor<'_>) -> Result<Header> {
    let is_literal = cursor.byte() == b'|';
    cursor.pos += 1;
    let mut chomping = read_chomping(cursor);
    let increment = read_increment(cursor)?;
    if matches!(chomping, Chomping::Clip) {
        chomping = read_chomping(cursor);
    }
    cursor.end_line(SyntaxErrorKind::BlockHeaderEnd)?;
    Ok(Header { is_literal, chomping, increment })
}

fn read_chomping(cursor: &mut Cursor<'_>) -> Chomping {
    let chomping = match cursor.byte() {
        b'+' => Chomping::Keep,
        b'-' => Chomping::Strip,
        _ => return Chomping::Clip,
    };
    cursor.pos += 1;
    chomping
}

fn read_increment(cursor: &mut Cursor<'_>) -> Result<Option<u8>> {
    match cursor.byte() {
        b'0' => Err(cursor.error(SyntaxErrorKind::ZeroIndentation)),
        digit @ b'1'..=b'9' => {
            cursor.pos += 1;
            Ok(Some(digit - b'0'))
        }
        _ => Ok(None),
    }
}

/// Appends the text below a header, and returns where it ends.
fn append_text(
    cursor: &mut Cursor<'_>,
    block: isize,
    header: &Header,
    text: &mut String,
) -> Result<usize> {
    let outer = usize::try_from(block).unwrap_or(0);
    let increment = header.increment.map(|digit| outer + usize::from(digit));
    // The line break after the last line, and the empty lines after it.
    let mut line_break = "";
    let mut empty_lines = String::new();
    let (detected, mut end) = skip_indentation(cursor, increment, &mut empty_lines)?;
    let least = usize::try_from(block + 1).unwrap_or(0).max(1);
    let indent = increment.unwrap_or(detected.max(least));
    let mut was_indented_more = false;
    while cursor.column() == indent && !cursor.is_at_end() {
        let is_indented_more = cursor.is_blank(cursor.pos);
        let folds = !header.is_literal && !was_indented_more && !is_indented_more;
        was_indented_more = is_indented_more;
        if !folds || line_break != "\n" {
            text.push_str(line_break);
        } else if empty_lines.is_empty() {
            text.push(' ');
        }
        text.push_str(&empty_lines);
        empty_lines.clear();
        let start = cursor.pos;
        cursor.skip_to_line_end();
        text.push_str(cursor.slice(start, cursor.pos));
        line_break = cursor.take_break().unwrap_or_default();
        (_, end) = skip_indentation(cursor, Some(indent), &mut empty_lines)?;
    }
    if !matches!(header.chomping, Chomping::Strip) {
        text.push_str(line_break);
    }
    if matches!(header.chomping, Chomping::Keep) {
        text.push_str(&empty_lines);
    }
    Ok(end)
}

/// Skips empty lines, and the indentation of the line after them.
///
/// Returns the deepest indentation, of at most the one that is known, and the end of the empty
/// lines.
fn skip_indentation(
    cursor: &mut Cursor<'_>,
    known: Option<usize>,
    empty_lines: &mut String,
) -> Result<(usize, usize)> {
    let mut end = cursor.pos;
    let mut deepest = 0;
    loop {
        let line_start = cursor.pos;
        let limit = known.map_or(usize::MAX, |indent| line_start.saturating_add(indent));
        while cursor.pos < limit && cursor.byte() == b' ' {
            cursor.pos += 1;
        }
        deepest = deepest.max(cursor.pos - line_start);
        if cursor.pos < limit && cursor.byte() == b'\t' {
            return Err(cursor.error(SyntaxErrorKind::TabInBlock));
        }
        match cursor.take_break() {
            Some(line_break) => empty_lines.push_str(line_break),
            None => break,
        }
        end = cursor.pos;
    }
    Ok((deepest, end))
}
