//! Advice for common mistakes that can be recognized by the lines around a problem: wrong
//! indentation, and templates in another language.

use super::error_kind::SyntaxErrorKind;

const HELM: &str = "this looks like a Helm template: Plumb does not run `{{ … }}`; write `#@ data.values.…` instead";

const CONTINUED: &str = "check the indentation: this line continues the text of the line before it";

const ITEM_AMONG_KEYS: &str =
    "check the indentation: an item of a list cannot be among the keys of a map";

const DIFFERENT_KEY: &str =
    "check the indentation: the keys of a map must begin in the same column";

const DIFFERENT_ITEM: &str =
    "check the indentation: the items of a list must begin in the same column";

const LOST_TEXT: &str = "check the indentation: a text that goes on must be indented further than \
     its key; a key needs `: ` after it";

/// Returns what to do about a problem at `start`. Returns `None` if the general help for the
/// problem is sufficient.
pub(super) fn of(problem: &SyntaxErrorKind, bytes: &[u8], start: usize) -> Option<&'static str> {
    let (line, before) = lines_at(bytes, start);
    if is_syntax(problem) && [line, before].iter().any(|it| has_braces(it)) {
        return Some(HELM);
    }
    match problem {
        // This is the first key on a line after the first one, not a text that contains a colon.
        SyntaxErrorKind::ValueNotAllowed if is_first_key(bytes, start) && !before.is_empty() => {
            Some(CONTINUED)
        }
        SyntaxErrorKind::BlockKey if is_item(line) && is_item(before) => Some(DIFFERENT_ITEM),
        SyntaxErrorKind::BlockKey if is_item(line) => Some(ITEM_AMONG_KEYS),
        SyntaxErrorKind::BlockKey => Some(DIFFERENT_KEY),
        SyntaxErrorKind::BlockEntry => Some(DIFFERENT_ITEM),
        SyntaxErrorKind::MissingColon => Some(LOST_TEXT),
        _ => None,
    }
}

/// Returns whether a template in another language can be the cause.
fn is_syntax(problem: &SyntaxErrorKind) -> bool {
    matches!(
        problem,
        SyntaxErrorKind::BlockEntryNotAllowed
            | SyntaxErrorKind::KeyNotAllowed
            | SyntaxErrorKind::ValueNotAllowed
            | SyntaxErrorKind::MissingColon
            | SyntaxErrorKind::CannotStartToken(_)
            | SyntaxErrorKind::NodeContent
            | SyntaxErrorKind::BlockKey
            | SyntaxErrorKind::BlockEntry
            | SyntaxErrorKind::FlowMappingEnd
            | SyntaxErrorKind::FlowSequenceEnd
            | SyntaxErrorKind::DocumentStart
    )
}

fn has_braces(line: &[u8]) -> bool {
    let is_open = line.windows(2).any(|it| it == b"{{");
    is_open && line.windows(2).any(|it| it == b"}}")
}

/// Returns whether nothing before `start` on its line ends a key.
fn is_first_key(bytes: &[u8], start: usize) -> bool {
    let start = start.min(bytes.len());
    let line_start = line_start(bytes, start);
    !bytes[line_start..start].windows(2).any(|it| it == b": ")
}

/// Returns the line of an offset, and the last line before it that is neither empty nor a comment.
fn lines_at(bytes: &[u8], offset: usize) -> (&[u8], &[u8]) {
    let offset = offset.min(bytes.len());
    let mut start = line_start(bytes, offset);
    let end =
        bytes[offset..].iter().position(|it| *it == b'\n').map_or(bytes.len(), |it| offset + it);
    let line = &bytes[start..end];
    while start > 0 {
        let earlier = line_start(bytes, start - 1);
        let before = &bytes[earlier..start - 1];
        let text = before.trim_ascii_start();
        if !text.is_empty() && !text.starts_with(b"#") {
            return (line, before);
        }
        start = earlier;
    }
    (line, b"")
}

fn line_start(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset].iter().rposition(|it| *it == b'\n').map_or(0, |at| at + 1)
}

fn is_item(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"- ")
}
