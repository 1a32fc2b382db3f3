//! Formats a YAML text with consistent indentation, and keeps everything else.
//!
//! Only white space changes: two spaces for each level (also for a sequence below its key), one
//! space after `-`, `?` and `:`, at most one blank line in a row, none at the ends, no spaces at
//! the end of a line. Quotes, numbers, anchors, flow collections, block scalars and comments are
//! kept. Lines are derived from tokens, so each line is processed once.

use std::ops::Range;

use plumb_source::FileId;

use super::error::Result;
use super::scanner::Scanner;
use super::token::{Kind, TokenPlace};
use super::{ReadOptions, SyntaxError, begins_with_marker, input, parse};
use crate::print::{Flavour, format};

/// The number of columns that each level is indented.
const STEP: usize = 2;

/// Comments of templates that end or divide a block of code.
const CODE_ENDS: [&str; 3] = ["#@ end", "#@ else", "#@ elif"];

/// Returns the text with consistent indentation. The text is returned unchanged if formatting would
/// change its meaning, or if it has line breaks other than `\n` and `\r\n`.
pub fn reindent(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> std::result::Result<Vec<u8>, SyntaxError> {
    let meaning = meaning(file, bytes, options)?;
    let text = input::check(bytes);
    if text.as_ref().is_ok_and(|it| has_other_breaks(it)) {
        return Ok(bytes.to_vec());
    }
    let new = text.and_then(|text| Plan::of(text, options).map(|it| it.write(text)));
    Ok(match new {
        Ok(new) if self::meaning(file, &new, options).is_ok_and(|it| it == meaning) => new,
        _ => bytes.to_vec(),
    })
}

/// Returns whether a text has a lone carriage return, U+0085, U+2028 or U+2029. YAML reads them as
/// line breaks, but this module does not.
fn has_other_breaks(text: &str) -> bool {
    let followers = text.bytes().skip(1).map(Some).chain([None]);
    let mut pairs = text.bytes().zip(followers);
    pairs.any(|(byte, next)| byte == b'\r' && next != Some(b'\n'))
        || text.contains(['\u{85}', '\u{2028}', '\u{2029}'])
}

/// The content of a text, including comments, in a form that does not depend on its layout.
fn meaning(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> std::result::Result<Vec<u8>, SyntaxError> {
    let mut out = Vec::new();
    format(&parse(file, bytes, options)?, Flavour::Plumb, &mut out);
    let lines = out.split(|it| *it == b'\n');
    Ok(lines.map(<[u8]>::trim_ascii_end).collect::<Vec<_>>().join(&b'\n'))
}

/// A block collection that is open.
#[derive(Clone, Copy)]
struct Block {
    old: usize,
    new: usize,
    kind: BlockKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Mapping,
    Sequence,
    /// A sequence in the column of its key, which has no start and end tokens.
    LevelSequence,
}

/// What is known about a line.
#[derive(Clone, Copy)]
enum Line {
    /// Blank, or only a comment.
    Free,
    /// A comment in the column of an open block, which moves to this column.
    Comment(usize),
    /// The end of a block of code, which moves to this column: the column of the nodes in the
    /// block.
    CodeEnd(usize),
    /// The first token begins in this column.
    Token(usize),
    /// A part of a flow collection, which moves with its first line.
    Moved(isize),
    /// The continuation of a plain or quoted scalar, with this indentation.
    Continued(usize),
    /// A line of a block scalar with this indentation, which moves.
    Body { indent: usize, by: isize },
}

/// The lines of a text, and what to do with them.
struct Plan {
    /// Where each line begins.
    starts: Vec<usize>,
    lines: Vec<Line>,
    /// Gaps after `-` and `:`, in order: from and to.
    gaps: Vec<(usize, usize)>,
    /// Lines that end within a quoted scalar: spaces at their end may be escaped.
    are_open: Vec<bool>,
}

impl Plan {
    fn of(text: &str, options: &ReadOptions) -> Result<Self> {
        let breaks = text.bytes().enumerate().filter(|(_, it)| *it == b'\n');
        let starts: Vec<usize> = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let n = starts.len();
        let plan =
            Self { starts, lines: vec![Line::Free; n], gaps: Vec::new(), are_open: vec![false; n] };
        let mut reader =
            Reader { plan, text, blocks: Vec::new(), flow: Vec::new(), line: 0, mark: None };
        let mut scanner = Scanner::new(text, options);
        if !begins_with_marker(text.as_bytes()) {
            scanner.imply_document_start();
        }
        loop {
            let place = scanner.peek()?;
            scanner.take();
            if place.kind == Kind::StreamEnd {
                return Ok(reader.plan);
            }
            reader.token(place);
        }
    }

    fn write(&self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut gaps = self.gaps.iter().peekable();
        let mut is_blank_due = false;
        let next = self.next_tokens(text);
        for (at, &start) in self.starts.iter().enumerate() {
            let end = self.starts.get(at + 1).map_or(text.len(), |it| it - 1);
            let line = &text.as_bytes()[start..end];
            let n_spaces = line.iter().take_while(|it| **it == b' ').count();
            let is_blank = line.trim_ascii().is_empty();
            let indent = match self.lines[at] {
                Line::Body { indent, by } if !is_blank || n_spaces > indent => {
                    n_spaces.saturating_add_signed(by)
                }
                Line::Body { .. } => {
                    out.push(b'\n');
                    continue;
                }
                Line::Continued(_) if is_blank => {
                    out.push(b'\n');
                    continue;
                }
                Line::Free if is_blank => {
                    is_blank_due = !out.is_empty();
                    continue;
                }
                // A comment belongs to the next line if it is in the column of that line, or in the
                // column of no block.
                Line::Comment(column) => {
                    next[at].filter(|it| it.0 == n_spaces).map_or(column, |it| it.1)
                }
                Line::Free => next[at].map_or(n_spaces, |it| it.1),
                Line::Token(column) | Line::Continued(column) | Line::CodeEnd(column) => column,
                Line::Moved(by) => n_spaces.saturating_add_signed(by),
            };
            if std::mem::take(&mut is_blank_due) {
                out.push(b'\n');
            }
            out.resize(out.len() + indent, b' ');
            let mut from = start + n_spaces;
            while let Some((gap, to)) = gaps.next_if(|(gap, _)| *gap < end) {
                out.extend_from_slice(&text.as_bytes()[from..*gap]);
                out.push(b' ');
                from = *to;
            }
            let rest = &text.as_bytes()[from..end];
            let is_body = matches!(self.lines[at], Line::Body { .. });
            let rest = if is_body || self.are_open[at] { rest } else { rest.trim_ascii_end() };
            out.extend_from_slice(rest);
            out.push(b'\n');
        }
        out
    }

    /// For each line, the old and the new column of the first token below it.
    fn next_tokens(&self, text: &str) -> Vec<Option<(usize, usize)>> {
        let mut below = None;
        let mut next = vec![None; self.lines.len()];
        for (at, line) in self.lines.iter().enumerate().rev() {
            next[at] = below;
            if let Line::Token(new) = line {
                below = Some((spaces(text, self.starts[at]), *new));
            }
        }
        next
    }
}

/// The number of spaces at the beginning of a line.
fn spaces(text: &str, start: usize) -> usize {
    text.as_bytes()[start..].iter().take_while(|it| **it == b' ').count()
}

struct Reader<'a> {
    plan: Plan,
    text: &'a str,
    blocks: Vec<Block>,
    /// How far the lines of each open flow collection move.
    flow: Vec<isize>,
    /// The line of the last token.
    line: usize,
    /// The end of a `-`, `?` or `:` before the token.
    mark: Option<usize>,
}

impl Reader<'_> {
    fn token(&mut self, place: TokenPlace) {
        let (start, end) = (place.start as usize, place.end as usize);
        let last = self.line;
        while self.plan.starts.get(self.line + 1).is_some_and(|it| *it <= start) {
            self.line += 1;
        }
        let is_on_new_line = self.line != last;
        if is_on_new_line {
            self.mark = None;
        }
        // The last line may not end with a line break.
        let is_at_end = start == self.text.len();
        self.comments(last + 1..self.line + usize::from(is_at_end));
        let old = start - self.plan.starts[self.line];
        self.leave_level_sequence(place.kind, old);
        match place.kind {
            Kind::BlockEnd => {
                self.blocks.pop();
                return;
            }
            Kind::BlockMappingStart => self.open(old, BlockKind::Mapping),
            Kind::BlockSequenceStart => self.open(old, BlockKind::Sequence),
            Kind::BlockEntry if self.is_level_with_key(old) => {
                self.open(old, BlockKind::LevelSequence);
            }
            Kind::DocumentStart | Kind::DocumentEnd => {
                self.blocks.clear();
                self.mark = None;
            }
            _ => {}
        }
        if let Some(mark) = self.mark.take().filter(|it| *it < start) {
            self.plan.gaps.push((mark, start));
        }
        if start == end && place.kind != Kind::Key {
            return;
        }
        let is_first = self.text[self.plan.starts[self.line]..start].trim().is_empty();
        if is_first && matches!(self.plan.lines[self.line], Line::Free) {
            self.begin_line(place.kind, old);
        }
        match place.kind {
            Kind::FlowSequenceStart | Kind::FlowMappingStart => {
                self.flow.push(self.movement());
            }
            Kind::FlowSequenceEnd | Kind::FlowMappingEnd => _ = self.flow.pop(),
            Kind::BlockEntry => self.mark = Some(end),
            // This is a `?`; other keys have no mark.
            Kind::Key if start < end && self.flow.is_empty() => self.mark = Some(end),
            Kind::Value if self.flow.is_empty() => self.mark = Some(end),
            Kind::PlainScalar | Kind::QuotedScalar if !place.is_one_line => {
                self.lines_of_scalar(start, end);
            }
            _ => {}
        }
    }

    fn open(&mut self, old: usize, kind: BlockKind) {
        let new = self.blocks.last().map_or(0, |it| it.new + STEP);
        self.blocks.push(Block { old, new, kind });
    }

    /// Whether a `-` in this column begins a sequence in the column of its key.
    fn is_level_with_key(&self, old: usize) -> bool {
        self.blocks.last().is_some_and(|it| it.old == old && it.kind == BlockKind::Mapping)
    }

    /// Finds the blocks of the comments in these lines, while the blocks above are still open.
    fn comments(&mut self, lines: Range<usize>) {
        for line in lines {
            if !matches!(self.plan.lines[line], Line::Free) {
                continue;
            }
            let start = self.plan.starts[line];
            let column = spaces(self.text, start);
            let text = &self.text[start + column..];
            let is_end = CODE_ENDS.iter().any(|it| text.starts_with(it));
            let at = self.blocks.partition_point(|it| it.old < column);
            let mut blocks = self.blocks[at..].iter().take_while(|it| it.old == column);
            let block = if is_end { blocks.last() } else { blocks.next() };
            match block {
                Some(block) if is_end => self.plan.lines[line] = Line::CodeEnd(block.new),
                Some(block) if text.starts_with('#') => {
                    self.plan.lines[line] = Line::Comment(block.new);
                }
                _ => {}
            }
        }
    }

    /// A sequence in the column of its key ends with the next key, or with the block of the key.
    fn leave_level_sequence(&mut self, kind: Kind, old: usize) {
        let ends = match kind {
            Kind::BlockEnd => true,
            Kind::Key => self.blocks.last().is_some_and(|it| it.old == old),
            _ => false,
        };
        if ends && self.blocks.last().is_some_and(|it| it.kind == BlockKind::LevelSequence) {
            self.blocks.pop();
        }
    }

    fn begin_line(&mut self, kind: Kind, old: usize) {
        let top = self.blocks.last().map(|it| it.new);
        self.plan.lines[self.line] = match (kind, self.flow.last()) {
            (_, Some(by)) => Line::Moved(*by),
            (
                Kind::DocumentStart
                | Kind::DocumentEnd
                | Kind::VersionDirective
                | Kind::TagDirective,
                _,
            ) => Line::Token(0),
            (Kind::Key | Kind::BlockEntry | Kind::Value, _) => Line::Token(top.unwrap_or(old)),
            _ => Line::Token(top.map_or(0, |it| it + STEP)),
        };
    }

    /// How far the current line moves.
    fn movement(&self) -> isize {
        let old = spaces(self.text, self.plan.starts[self.line]);
        let signed = |it: usize| isize::try_from(it).unwrap_or(isize::MAX);
        match self.plan.lines[self.line] {
            Line::Token(new) => signed(new) - signed(old),
            Line::Moved(by) => by,
            Line::Free
            | Line::Comment(_)
            | Line::CodeEnd(_)
            | Line::Continued(_)
            | Line::Body { .. } => 0,
        }
    }

    fn lines_of_scalar(&mut self, start: usize, end: usize) {
        let first = self.line + 1;
        let n_lines = self.plan.starts[first..].iter().take_while(|it| **it < end).count();
        let lines = first..first + n_lines;
        let bytes = self.text.as_bytes();
        let starts = &self.plan.starts;
        let is_blank = |line: usize| {
            let at = starts[line] + spaces(self.text, starts[line]);
            bytes.get(at).is_none_or(|it| matches!(it, b'\n' | b'\r'))
        };
        if !matches!(bytes[start], b'|' | b'>') || !self.flow.is_empty() {
            let column = self.blocks.last().map_or(0, |it| it.new + STEP);
            let is_quoted = matches!(bytes[start], b'"' | b'\'');
            for line in lines.clone() {
                self.plan.lines[line] = match self.flow.last() {
                    Some(by) => Line::Moved(*by),
                    None => Line::Continued(column),
                };
            }
            if is_quoted {
                self.plan.are_open[first - 1..lines.end - usize::from(!lines.is_empty())]
                    .fill(true);
            }
            return;
        }
        let header = self.text[start..].lines().next().unwrap_or_default();
        let header = header.split(['#', ' ']).next().unwrap_or_default();
        let Some(written) = lines.clone().find(|it| !is_blank(*it)) else {
            return;
        };
        let indent = spaces(self.text, starts[written]);
        let signed = |it: usize| isize::try_from(it).unwrap_or(isize::MAX);
        let by = match self.blocks.last() {
            None => 0,
            Some(top) if header.bytes().any(|it| it.is_ascii_digit()) => {
                signed(top.new) - signed(top.old)
            }
            Some(top) => signed(top.new + STEP) - signed(indent),
        };
        let last = if header.contains('+') {
            lines.end
        } else {
            lines.clone().rev().find(|it| !is_blank(*it)).map_or(first, |it| it + 1)
        };
        self.plan.lines[first..last].fill(Line::Body { indent, by });
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;

    fn tidied(text: &str) -> String {
        let file = Sources::new().add("a.yml", SourceKind::File, [].into());
        let new = reindent(file, text.as_bytes(), &ReadOptions::default()).expect("YAML");
        let again = reindent(file, &new, &ReadOptions::default()).expect("YAML");
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&new), "a fixed point");
        String::from_utf8(new).expect("UTF-8")
    }

    #[test]
    fn a_comment_at_the_end_needs_no_line_break() {
        for end in ["", "\n"] {
            let tidied = |text: &str| tidied(&format!("{text}{end}"));
            assert_eq!(tidied("a:\n    b: 1\n    # c"), "a:\n  b: 1\n  # c\n");
            assert_eq!(tidied("?   k: 1\n    # c"), "? k: 1\n  # c\n");
            assert_eq!(tidied("?   k: 1\n    # c\n:   v"), "? k: 1\n  # c\n: v\n");
        }
    }

    #[test]
    fn texts_with_other_line_breaks_stay_as_they_are() {
        for text in ["a:\u{85}   b: 1\n", "a:\r   b: 1\n", "a:   \"\u{2028}\"\n"] {
            assert_eq!(tidied(text), text);
        }
    }

    #[test]
    fn only_white_space_changes() {
        let text = "\n\n\
# head
a:   &x
    b: \"quoted\"
    # about c
    c: 'single'    # beside


    # last of a
d:
- *x
# between
#@ if x:
-   e: 0x1F
    f: 1.0
#@ end
  #! odd
g: {p: 1,
    q: [1,
  2]}
";
        let expected = "\
# head
a: &x
  b: \"quoted\"
  # about c
  c: 'single'    # beside

  # last of a
d:
  - *x
  # between
  #@ if x:
  - e: 0x1F
    f: 1.0
  #@ end
#! odd
g: {p: 1,
    q: [1,
  2]}
";
        assert_eq!(tidied(text), expected);
    }

    #[test]
    fn scalars_of_several_lines_keep_their_text() {
        let text = "a:\n    b: |\n        one\n          two\n\n    c: >-\n        x\n\n\n        y\n\n\n\
                    d: \"q\n   r\\  \n  s\"\ne: plain\n      goes on\nf: |2\n    x\n   y\ng: |+\n z\n\n\n";
        let expected = "a:\n  b: |\n    one\n      two\n\n  c: >-\n    x\n\n\n    y\n\n\
                        d: \"q\n  r\\  \n  s\"\ne: plain\n  goes on\nf: |2\n    x\n   y\ng: |+\n  z\n\n\n";
        assert_eq!(tidied(text), expected);
    }

    #[test]
    fn documents_and_odd_texts_stay_what_they_are() {
        for text in ["", "# only\n", "---\na: 1\n---\n- 1\n...\n", "%YAML 1.1\n---\na: b\n", "x\n"]
        {
            assert_eq!(tidied(text), text);
        }
        for text in ["\r-:\n  \r-", "a:   1\r", "a:   1\rb: 2\n"] {
            assert_eq!(tidied(text), text);
        }
        assert_eq!(tidied("a:   1\r\nb: 2\r\n"), "a: 1\nb: 2\n");
        assert_eq!(tidied("? a\n  b\n:   c\n"), "? a\n  b\n: c\n");
        assert_eq!(tidied("- - a\n  -   b\n-\n  - c"), "- - a\n  - b\n-\n  - c\n");
    }

    #[test]
    fn an_empty_value_before_a_smaller_indentation_is_kept() {
        assert_eq!(tidied("a:\n    b:\nc:   1\n"), "a:\n  b:\nc: 1\n");
        assert_eq!(tidied("a:\n- b:\n-\nc:\n"), "a:\n  - b:\n  -\nc:\n");
    }
}
