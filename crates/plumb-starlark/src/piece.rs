//! The input of the compiler: pieces of code from many places, and instructions of the host between
//! them, joined into the one text that the lexer reads.
//!
//! Joining copies the code once. [`Script::span`] finds the source of every byte.

use std::cell::Cell;
use std::fmt;

use plumb_source::Span;

use crate::builtins::Environment;
use crate::error::{Gap, Spot};
use crate::language::Language;

/// One part of a program, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// One or more whole lines of code. White space at the start of each line has no meaning,
    /// and is dropped even inside triple-quoted strings, except after a line that ends in `\`.
    Code(Fragment<'a>),
    /// A statement that the host executes.
    Host(Instruction<'a>),
}

/// A piece of code and its place.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    pub text: &'a [u8],
    /// If this span is exactly as long as the text, errors point to the exact byte. Otherwise (for
    /// example, if the text was unescaped), they point to the whole span.
    pub span: Option<Span>,
}

/// A statement that [`Host::instruction`](crate::Host::instruction) executes.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// A number that is passed to the host. Only the host knows its meaning.
    pub op: u32,
    /// The place of errors in the instruction.
    pub span: Option<Span>,
    pub operands: Operands<'a>,
    pub effect: Effect,
}

/// The code whose values an instruction receives.
#[derive(Clone, Copy, Debug)]
pub enum Operands<'a> {
    None,
    /// One expression, read as if it were in parentheses: `a, b` is a tuple, and an empty text is
    /// the empty tuple.
    Value(Fragment<'a>),
    /// An argument list: `a, by="x", *c, **d`.
    Arguments(Fragment<'a>),
}

/// Whether a function with this instruction in its body builds something that it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Adds to the result of the innermost function. The function gets its own context (see
    /// [`Host::start_context`](crate::Host::start_context)).
    Builds,
    /// Like `Builds`, but it is never part of an expression. After an open bracket, it is reported
    /// as the unexpected word.
    BuildsAlone,
    None,
}

/// The pieces of a program, joined. The pieces themselves are not needed any more.
pub struct Joined(pub(crate) Option<Script>);

impl Joined {
    /// Joins the pieces of a program in the language of the environment.
    pub fn new<'a>(
        pieces: impl Iterator<Item = Piece<'a>> + Clone,
        environment: &Environment,
    ) -> Self {
        Self(Script::new(pieces, environment.language()))
    }
}

impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Joined").finish_non_exhaustive()
    }
}

/// The joined text of a program.
pub(crate) struct Script {
    pub(crate) text: Vec<u8>,
    /// Instructions by the offset of their mark in the text, ascending.
    pub(crate) instructions: Vec<Placed>,
    pub(crate) language: Language,
    segments: Vec<Segment>,
    /// The last segment that was found: the next lookup is usually nearby.
    recent: Cell<usize>,
}

/// An instruction without its code, which is in the text after its mark.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) offset: u32,
    /// Where the text of its operands ends.
    pub(crate) operands_end: u32,
    pub(crate) op: u32,
    pub(crate) effect: Effect,
    pub(crate) takes: Takes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    Value,
    Arguments,
}

/// From `start` up to the next segment, the text came from `source`.
struct Segment {
    start: u32,
    source: Source,
}

enum Source {
    /// The bytes of this span.
    Bytes(Span),
    Whole(Span),
    Unknown,
}

/// The number of nearby segments that are checked before all segments are searched.
const N_NEAR: usize = 3;

/// The longest program that spans can address.
const MAX_TEXT: usize = u32::MAX as usize / 2;

impl Script {
    /// Joins the pieces, each on a separate line. Returns `None` if they are too long to address.
    pub(crate) fn new<'a>(
        pieces: impl Iterator<Item = Piece<'a>> + Clone,
        language: Language,
    ) -> Option<Self> {
        let (mut n_pieces, mut n_bytes, mut n_segments) = (0, 0, 0);
        for piece in pieces.clone() {
            n_pieces += 1;
            n_bytes += piece.len();
            n_segments += piece.n_segments();
        }
        let mut script = Self {
            text: Vec::with_capacity(n_bytes),
            instructions: Vec::with_capacity(n_pieces),
            language,
            segments: Vec::with_capacity(n_segments),
            recent: Cell::new(0),
        };
        let mut continued = false;
        for (index, piece) in pieces.enumerate() {
            if index > 0 {
                script.text.push(b'\n');
            }
            match piece {
                Piece::Code(fragment) => continued = script.add_code(fragment, continued),
                Piece::Host(instruction) => {
                    script.add_instruction(&instruction);
                    continued = false;
                }
            }
            if script.text.len() > MAX_TEXT {
                return None;
            }
        }
        Some(script)
    }

    /// Adds lines without their indentation. Returns whether the last one ends in `\`.
    fn add_code(&mut self, fragment: Fragment<'_>, mut continued: bool) -> bool {
        let mut at = 0;
        for (index, line) in fragment.text.split(|&byte| byte == b'\n').enumerate() {
            if index > 0 {
                self.text.push(b'\n');
            }
            let indent = if continued { 0 } else { leading_space(line) };
            self.begin(fragment.source(at + indent));
            self.text.extend_from_slice(&line[indent..]);
            continued = line.len() > indent && line.ends_with(b"\\");
            at += line.len() + 1;
        }
        continued
    }

    /// Adds a mark, which the lexer recognizes by its offset, and the operands as the arguments of
    /// a call, so that mistakes in them are reported as in any other call.
    fn add_instruction(&mut self, instruction: &Instruction<'_>) {
        let source = instruction.span.map_or(Source::Unknown, Source::Whole);
        self.begin(source);
        let offset = u32::try_from(self.text.len()).expect("checked against MAX_TEXT");
        let (open, fragment, close, takes): (&[u8], _, &[u8], _) = match instruction.operands {
            Operands::None => (b"@(", None, b")", Takes::Nothing),
            Operands::Value(fragment) => (b"@((", Some(fragment), b"))", Takes::Value),
            Operands::Arguments(fragment) => (b"@(", Some(fragment), b")", Takes::Arguments),
        };
        let Instruction { op, effect, .. } = *instruction;
        self.text.extend_from_slice(open);
        if let Some(fragment) = fragment {
            self.begin(fragment.source(0));
            self.text.extend_from_slice(fragment.text);
            self.begin(instruction.span.map_or(Source::Unknown, Source::Whole));
        }
        let operands_end = u32::try_from(self.text.len()).expect("checked against MAX_TEXT");
        self.instructions.push(Placed { offset, operands_end, op, effect, takes });
        self.text.extend_from_slice(close);
    }

    fn begin(&mut self, source: Source) {
        let start = u32::try_from(self.text.len()).expect("checked against MAX_TEXT");
        self.segments.push(Segment { start, source });
    }

    /// Returns the source of a byte of the text.
    pub(crate) fn span(&self, offset: u32) -> Option<Span> {
        self.segments[self.segment(offset)?].span(offset)
    }

    /// Returns the source of a range of the text on one line. Returns `None` if the text does not
    /// come byte for byte from a source.
    pub(crate) fn range(&self, start: u32, end: u32) -> Option<Span> {
        let segment = &self.segments[self.segment(start)?];
        match segment.source {
            Source::Bytes(span) => {
                let from = (span.start + (start - segment.start)).min(span.end);
                Some(Span::new(span.file, from, (from + (end - start)).min(span.end)))
            }
            Source::Whole(_) | Source::Unknown => None,
        }
    }

    /// Returns where a byte of the text is, even if it has no source.
    pub(crate) fn spot(&self, offset: u32) -> Spot {
        let Some(at) = self.segment(offset) else { return Spot::Unknown };
        let segment = &self.segments[at];
        if let Some(span) = segment.span(offset) {
            return Spot::At(span);
        }
        let n_begun = self.instructions.partition_point(|it| it.offset <= segment.start);
        let Some(instruction) = n_begun.checked_sub(1).map(|it| self.instructions[it]) else {
            return Spot::Unknown;
        };
        let begins = |it: &Segment| it.span(it.start);
        let before = self.segments[..at].iter().rev().find_map(begins);
        let is_in_the_same = |it: &Span| before.is_none_or(|before| before.file == it.file);
        let mut following = self.segments[at..].iter().filter_map(begins);
        let after = following.find(is_in_the_same);
        Spot::In(Gap { op: instruction.op, before, after })
    }

    /// Returns the source of the piece of code before a byte of the text.
    pub(crate) fn code_before(&self, offset: u32) -> Option<Span> {
        let n_before = self.segments.partition_point(|it| it.start < offset);
        let sources = self.segments[..n_before].iter().rev().filter_map(|it| match it.source {
            Source::Bytes(span) => Some(span),
            Source::Whole(_) | Source::Unknown => None,
        });
        let mut lines = sources.skip_while(|it| it.start == it.end);
        let last = lines.next()?;
        // All lines of a piece have the same end.
        let first = lines.take_while(|it| (it.file, it.end) == (last.file, last.end)).last();
        Some(first.unwrap_or(last))
    }

    /// Returns the segment that contains a byte of the text.
    fn segment(&self, offset: u32) -> Option<usize> {
        let begins_behind = |at: usize| self.segments.get(at).is_none_or(|it| it.start > offset);
        let recent = self.recent.get();
        for at in recent..recent + N_NEAR {
            if !begins_behind(at) && begins_behind(at + 1) {
                self.recent.set(at);
                return Some(at);
            }
        }
        let found = self.segments.partition_point(|it| it.start <= offset).checked_sub(1)?;
        self.recent.set(found);
        Some(found)
    }
}

impl Segment {
    fn span(&self, offset: u32) -> Option<Span> {
        match self.source {
            Source::Unknown => None,
            Source::Whole(span) => Some(span),
            Source::Bytes(span) => {
                let at = (span.start + (offset - self.start)).min(span.end);
                Some(Span::new(span.file, at, at))
            }
        }
    }
}

impl Piece<'_> {
    /// Its approximate length in the joined text, in which operands are in brackets.
    fn len(&self) -> usize {
        match self {
            Self::Code(fragment) => fragment.text.len() + 1,
            Self::Host(instruction) => match instruction.operands {
                Operands::None => 4,
                Operands::Value(fragment) | Operands::Arguments(fragment) => {
                    fragment.text.len() + 6
                }
            },
        }
    }

    /// The number of its segments, if its code is on one line.
    fn n_segments(&self) -> usize {
        match self {
            Self::Code(_) | Self::Host(Instruction { operands: Operands::None, .. }) => 1,
            Self::Host(_) => 3,
        }
    }
}

impl Fragment<'_> {
    /// Where the text from this byte on came from.
    fn source(&self, from: usize) -> Source {
        match self.span {
            None => Source::Unknown,
            Some(span) if (span.end - span.start) as usize == self.text.len() => {
                let from = u32::try_from(from).expect("no longer than its span");
                Source::Bytes(Span::new(span.file, span.start + from, span.end))
            }
            Some(span) => Source::Whole(span),
        }
    }
}

/// Returns how many bytes of white space (as Unicode defines it) a line starts with.
fn leading_space(line: &[u8]) -> usize {
    let mut at = 0;
    while at < line.len() {
        match crate::text::decode(&line[at..]) {
            (Some(c), size) if crate::text::is_space(c) => at += size,
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;

    #[test]
    fn every_byte_is_found_again_after_its_indentation_was_dropped() {
        let text = b"a\n  b \\\n  c";
        let sources = Sources::new();
        let file = sources.add("a.star", SourceKind::File, text[..].into());
        let span = Some(Span::new(file, 0, 11));
        let script =
            Script::new([Piece::Code(Fragment { text, span })].into_iter(), Language::Modern)
                .expect("short");
        assert_eq!(script.text, b"a\nb \\\n  c");
        let start = |offset| script.span(offset).map(|span| span.start);
        assert_eq!(start(0), Some(0));
        assert_eq!(start(2), Some(4));
        assert_eq!(start(8), Some(10));
    }
}
