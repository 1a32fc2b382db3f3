//! Reads a text that someone is typing: returns the documents that can be read, and all errors.
//!
//! When a text cannot be read, the part that is probably wrong is overwritten with blanks, and the
//! text is read again. So places stay the same, and reading correct text is not slower. The part is
//! an unclosed quote or bracket up to the end of its line, a scalar, or a line with the lines that
//! are indented below it. Comments of templates are kept: they contain code.

use plumb_source::FileId;
use plumb_value::Document;

use super::error::{ReadError, SyntaxError};
use super::error_kind::SyntaxErrorKind as Kind;
use super::parser::Parser;
use super::{ReadOptions, beginning, input};

/// After this many errors, the rest of the document with the next error is left out.
const MAX_ERRORS: usize = 16;
/// The maximum number of times that a text is read.
const MAX_ATTEMPTS: usize = 48;

/// Reads the correct parts of a text, and returns all syntax errors. Without errors, the documents
/// are those of [`parse`](super::parse).
pub fn parse_past_errors(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> (Vec<Document>, Vec<SyntaxError>) {
    let begins = beginning(bytes);
    let mut errors = Vec::new();
    let mut text = Blanked { bytes: bytes.to_vec(), ranges: Vec::new() };
    for attempt in 0..MAX_ATTEMPTS {
        let (error, culprit) = match read(file, &text.bytes, options) {
            Ok(documents) => return (documents, errors),
            Err(found) => found,
        };
        let rest = Culprit::Rest(error.start());
        let is_hopeless = attempt >= MAX_ERRORS;
        let culprit = if is_hopeless { rest } else { culprit };
        if !is_hopeless && !text.follows_from_earlier(culprit) {
            errors.push(SyntaxError::new(error, file, bytes, begins));
        }
        if !text.blank(culprit) && !text.blank(rest) && !text.blank(Culprit::Rest(0)) {
            break;
        }
    }
    (Vec::new(), errors)
}

/// The part of a text that is probably wrong.
#[derive(Clone, Copy)]
enum Culprit {
    /// From here to the end of the line.
    RestOfLine(usize),
    /// Exactly these bytes.
    Bytes(usize, usize),
    /// The line of this byte, and the lines indented below it.
    Block(usize),
    /// From the line of this byte to the end of its document.
    Rest(usize),
}

fn read(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<Document>, (ReadError, Culprit)> {
    let text = match input::check(bytes) {
        Ok(text) => text,
        Err(error) => {
            let start = error.start();
            // A character of more than one byte is overwritten completely.
            let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
            let after = bytes.get(start + 1..).unwrap_or_default();
            let size = 1 + after.iter().take_while(is_inside).count();
            return Err((error, Culprit::Bytes(start, start + size)));
        }
    };
    let mut parser = Parser::new(text, file, options);
    let read = parser.read_documents(beginning(bytes));
    read.map_err(|error| {
        let culprit = culprit(&error, &parser, bytes);
        (parser.located(error), culprit)
    })
}

fn culprit(error: &ReadError, parser: &Parser<'_>, bytes: &[u8]) -> Culprit {
    let start = error.start().min(bytes.len());
    let quote = parser.scanner.long_quote;
    match error.kind() {
        Kind::EndInQuotes | Kind::DocumentIndicatorInQuotes => {
            return Culprit::RestOfLine(quote.map_or(start, |it| it.start));
        }
        Kind::UnknownAnchor(_)
        | Kind::SelfReference(_)
        | Kind::NotMergeable
        | Kind::Tag(_)
        | Kind::Strict(_) => return Culprit::Bytes(start, error.end().min(bytes.len())),
        _ => {}
    }
    // An unclosed quote ends where the next quote begins.
    if let Some(quote) = quote
        && quote.end_line == Some(error.line())
        && line_start(bytes, quote.start) != line_start(bytes, start)
    {
        return Culprit::RestOfLine(quote.start);
    }
    if let Some(flow) = parser.builder.frames.iter().find(|it| it.state.is_flow()) {
        return Culprit::RestOfLine(flow.start.start as usize);
    }
    if *error.kind() == Kind::MissingColon {
        return Culprit::Block(line_with_text_before(bytes, start));
    }
    Culprit::Block(start)
}

/// The start of the last line before the line of `at` that has more than a comment on it. If there
/// is something before `at` on its line, the start of that line.
fn line_with_text_before(bytes: &[u8], at: usize) -> usize {
    let mut start = line_start(bytes, at);
    let is_text = |line: &[u8]| {
        let line = line.trim_ascii();
        !line.is_empty() && !line.starts_with(b"#")
    };
    if is_text(&bytes[start..at]) {
        return start;
    }
    while start > 0 {
        let end = start - 1;
        start = line_start(bytes, end);
        if is_text(&bytes[start..end]) {
            return start;
        }
    }
    line_start(bytes, at)
}

/// A text with parts that are overwritten with blanks.
struct Blanked {
    bytes: Vec<u8>,
    /// The parts, from the start of their first line to the end of their last.
    ranges: Vec<(usize, usize)>,
}

impl Blanked {
    /// Returns whether a part is next to one that was overwritten before: its error is probably a
    /// consequence.
    fn follows_from_earlier(&self, culprit: Culprit) -> bool {
        let (start, end) = self.lines(self.range(culprit));
        self.ranges.iter().any(|&(from, to)| start <= to + 1 && from <= end + 1)
    }

    /// Overwrites a part with blanks, except comments of templates and line breaks. Returns whether
    /// that changed anything.
    fn blank(&mut self, culprit: Culprit) -> bool {
        let (start, end) = self.range(culprit);
        let mut is_changed = false;
        let mut at = start;
        while at < end {
            let stop = line_end(&self.bytes, at).min(end);
            let line = &mut self.bytes[at..stop];
            let code = code_comment(line).unwrap_or(line.len());
            is_changed |= line[..code].iter().any(|byte| *byte != b' ');
            line[..code].fill(b' ');
            at = stop + 1;
        }
        self.ranges.push(self.lines((start, end)));
        is_changed
    }

    fn range(&self, culprit: Culprit) -> (usize, usize) {
        let text = &self.bytes;
        match culprit {
            Culprit::RestOfLine(at) => (at, line_end(text, at)),
            Culprit::Bytes(start, end) => (start, end),
            Culprit::Block(at) => (line_start(text, at), end_of_block(text, at)),
            Culprit::Rest(at) => (line_start(text, at), end_of_document(text, at)),
        }
    }

    fn lines(&self, (start, end): (usize, usize)) -> (usize, usize) {
        (line_start(&self.bytes, start), line_end(&self.bytes, end))
    }
}

/// Returns where the comment of a template begins in a line.
fn code_comment(line: &[u8]) -> Option<usize> {
    (0..line.len()).find(|&at| {
        let is_comment = line[at..].starts_with(b"#@") || line[at..].starts_with(b"#!");
        is_comment && (at == 0 || matches!(line[at - 1], b' ' | b'\t'))
    })
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at.min(text.len())].iter().rposition(|byte| *byte == b'\n').map_or(0, |it| it + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |it| at + it)
}

/// The end of the lines that are indented more than the line of `at`.
fn end_of_block(text: &[u8], at: usize) -> usize {
    let indent = |start: usize| text[start..].iter().take_while(|byte| **byte == b' ').count();
    let own = indent(line_start(text, at));
    let mut end = line_end(text, at);
    while end < text.len() {
        let start = end + 1;
        let line = &text[start..line_end(text, start)];
        if !line.trim_ascii().is_empty() && indent(start) <= own {
            break;
        }
        end = line_end(text, start);
    }
    end
}

/// The end of the document that contains `at`.
fn end_of_document(text: &[u8], at: usize) -> usize {
    let mut end = line_end(text, at);
    while end < text.len() && !text[end + 1..].starts_with(b"---") {
        end = line_end(text, end + 1);
    }
    end
}
