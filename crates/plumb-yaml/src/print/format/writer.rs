//! Lines, and the blank lines between them.

use super::super::Flavour;
use super::super::{STEP, indentation};

/// Writes lines one after the other.
pub(super) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Where this writer's part of the output starts.
    start: usize,
    flavour: Flavour,
    last: Last,
    /// Whether the last thing written was a block scalar that keeps all following line ends.
    is_block_kept: bool,
    /// The line being composed.
    pub(super) line: Vec<u8>,
}

/// What was written last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A whole line, or nothing yet.
    Line,
    /// A line that must be followed by a blank one.
    Spaced,
    /// A `-` or a key; the next text may follow on the same line.
    Open,
}

/// How a text is joined to the text before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// After an open `-` or key, if there is one.
    Inline,
    /// On a separate line.
    OwnLine,
}

impl<'o> Writer<'o> {
    pub(super) fn new(flavour: Flavour, out: &'o mut Vec<u8>) -> Self {
        let (start, last) = (out.len(), Last::Line);
        Self { out, start, flavour, last, is_block_kept: false, line: Vec::new() }
    }

    /// Requests a blank line before the next line.
    pub(super) fn space(&mut self, is_spaced: bool) {
        if is_spaced {
            self.last = Last::Spaced;
        }
    }

    /// Appends a comment to the line.
    pub(super) fn inline_comment(&mut self, comment: Option<&[u8]>) {
        if let Some(text) = comment {
            self.line.extend_from_slice(b" #");
            self.line.extend_from_slice(text);
        }
    }

    /// Writes the line. `last` determines whether text may follow on it.
    pub(super) fn end_line(&mut self, indent: usize, join: Join, last: Last) {
        self.begin(indent, join);
        self.is_block_kept = false;
        match self.flavour {
            Flavour::Plumb => self.out.extend_from_slice(&self.line),
            Flavour::Ytt => indent_further(&self.line, indent.saturating_sub(STEP), self.out),
        }
        self.line.clear();
        if last != Last::Open {
            self.out.push(b'\n');
        }
        self.last = last;
    }

    /// Writes the scalar in `line`, after an open key or `-`.
    pub(super) fn end_leaf(&mut self, indent: usize, is_fed: bool) {
        let header = self.line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_block_kept = header.starts_with(b"|") && header.ends_with(b"+");
        self.end_line(indent, Join::Inline, Last::Line);
        self.is_block_kept = is_block_kept;
        if !is_fed {
            self.out.pop();
        }
    }

    /// Writes the `?` and the key, which end with a line feed. A comment goes to the end of their
    /// first line.
    pub(super) fn explicit_key(&mut self, indent: usize, comment: Option<&[u8]>) {
        self.begin(indent, Join::Inline);
        let end = self.line.iter().position(|&byte| byte == b'\n').unwrap_or(self.line.len());
        let rest = self.line.split_off(end);
        self.inline_comment(comment);
        self.out.extend_from_slice(&self.line);
        self.out.extend_from_slice(&rest);
        self.line.clear();
        self.last = Last::Line;
    }

    fn begin(&mut self, indent: usize, join: Join) {
        match (self.last, join) {
            (Last::Open, Join::Inline) => return self.out.push(b' '),
            (Last::Open, Join::OwnLine) => self.out.push(b'\n'),
            (Last::Spaced, _) if self.is_blank_due() => self.out.push(b'\n'),
            (Last::Spaced | Last::Line, _) => {}
        }
        indentation(indent, self.out);
    }

    /// Returns whether a blank line is missing. No blank line is written at the start, or after a
    /// block scalar that keeps its last lines, because it would become part of the scalar.
    fn is_blank_due(&self) -> bool {
        let is_harmful = self.is_block_kept || self.start == self.out.len();
        self.flavour == Flavour::Ytt || !is_harmful
    }
}

/// Appends lines and indents all but the first, including blank ones, as ytt does.
fn indent_further(lines: &[u8], indent: usize, out: &mut Vec<u8>) {
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        out.extend_from_slice(line);
        if line.ends_with(b"\n") {
            indentation(indent, out);
        }
    }
}
