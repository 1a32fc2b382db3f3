//! Lines, and what stands between them.

use super::super::Flavour;
use super::super::layout::{STEP, indentation};

/// Writes lines one after the other.
pub(super) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Where our part of the output starts.
    start: usize,
    flavour: Flavour,
    last: Last,
    /// Whether a block was written last that keeps all line ends behind it.
    is_block_kept: bool,
    /// The line being put together.
    pub(super) line: Vec<u8>,
}

/// What was written last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A whole line, or nothing at all.
    Line,
    /// A line, and there is to be a blank one before the next.
    Spaced,
    /// A `-` or a key, behind which the next text may stand.
    Open,
}

/// How a text joins what stands before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// Behind an open `-` or key, if there is one.
    Inline,
    /// On a line of its own.
    OwnLine,
}

impl<'o> Writer<'o> {
    pub(super) fn new(flavour: Flavour, out: &'o mut Vec<u8>) -> Self {
        let (start, last) = (out.len(), Last::Line);
        Self { out, start, flavour, last, is_block_kept: false, line: Vec::new() }
    }

    /// Asks for a blank line before the next.
    pub(super) fn space(&mut self, is_spaced: bool) {
        if is_spaced {
            self.last = Last::Spaced;
        }
    }

    /// Puts a comment behind what stands on the line.
    pub(super) fn inline_comment(&mut self, comment: Option<&[u8]>) {
        if let Some(text) = comment {
            self.line.extend_from_slice(b" #");
            self.line.extend_from_slice(text);
        }
    }

    /// Writes the line. `last` says whether something may follow behind it.
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

    /// Writes the scalar on the line, behind an open key or `-`.
    pub(super) fn end_leaf(&mut self, indent: usize, is_fed: bool) {
        let header = self.line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_block_kept = header.starts_with(b"|") && header.ends_with(b"+");
        self.end_line(indent, Join::Inline, Last::Line);
        self.is_block_kept = is_block_kept;
        if !is_fed {
            self.out.pop();
        }
    }

    /// Writes the `?` and key on the line, which end with a line feed, with a comment at the end
    /// of the first line of them.
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

    /// Whether a blank line is missing: not at the start, and not behind a block that keeps its
    /// last lines, which would grow by it.
    fn is_blank_due(&self) -> bool {
        let is_harmful = self.is_block_kept || self.start == self.out.len();
        self.flavour == Flavour::Ytt || !is_harmful
    }
}

/// Appends lines with all but the first indented, blank ones too, as ytt does.
fn indent_further(lines: &[u8], indent: usize, out: &mut Vec<u8>) {
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        out.extend_from_slice(line);
        if line.ends_with(b"\n") {
            indentation(indent, out);
        }
    }
}
