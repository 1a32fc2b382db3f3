//! The grammar: alternatives, sequences, repetitions and groups.
//!
//! Groups nest on an explicit stack, so that no expression can overflow the call stack. The depth
//! of the result is limited, because later steps walk it recursively.

use regex_syntax::hir::{Capture, Class, ClassUnicode, Dot, Hir, Look, Repetition};

use crate::class;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::escape;
use crate::limits::Room;

/// How deeply groups and repetitions may nest.
const DEPTH_LIMIT: usize = 1_000;
/// The maximum number of repetitions. The counts of nested repetitions are multiplied.
const REPEAT_LIMIT: u32 = 1_000;

/// An expression, and the names of its groups with their numbers.
pub(crate) struct Parsed {
    pub(crate) hir: Hir,
    pub(crate) names: Vec<(Box<str>, usize)>,
}

/// Whether the groups of an expression are part of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Groups {
    Captured,
    Ignored,
}

pub(crate) fn parse(pattern: &str, kept: Groups, room: Room) -> Result<Parsed, SyntaxError> {
    let mut parser = Parser {
        pattern,
        rest: pattern,
        kept,
        room,
        flags: Flags::default(),
        groups: Vec::new(),
        level: Level::default(),
        n_captures: 0,
        names: Vec::new(),
    };
    while !parser.rest.is_empty() {
        parser.step()?;
    }
    if !parser.groups.is_empty() {
        return Err(SyntaxError::new(SyntaxErrorKind::MissingParenthesis, pattern));
    }
    let level = std::mem::take(&mut parser.level);
    Ok(Parsed { hir: parser.finish(level)?.hir, names: parser.names })
}

struct Parser<'a> {
    pattern: &'a str,
    rest: &'a str,
    kept: Groups,
    room: Room,
    flags: Flags,
    /// The groups that are open, outermost first.
    groups: Vec<Group>,
    level: Level,
    n_captures: u32,
    names: Vec<(Box<str>, usize)>,
}

#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the syntax has these four switches")]
struct Flags {
    folds_case: bool,
    is_multi_line: bool,
    dot_is_newline: bool,
    is_ungreedy: bool,
}

/// An open group: the enclosing level, and the kind of the group.
struct Group {
    outer: Level,
    flags: Flags,
    capture: Option<u32>,
}

/// The alternatives read so far, and the sequence being read.
#[derive(Default)]
struct Level {
    alternatives: Vec<Piece>,
    sequence: Vec<Piece>,
    /// Characters at the end of the sequence that are not a piece of it yet.
    text: String,
    /// Where the text of the last repetition operator begins: two in a row are an error.
    last_repeat: Option<usize>,
}

/// A part of the expression, with the numbers that are compared with the limits.
struct Piece {
    hir: Hir,
    depth: usize,
    /// How often its innermost part is repeated.
    repeats: u32,
}

impl<'a> Parser<'a> {
    fn step(&mut self) -> Result<(), SyntaxError> {
        let last_repeat = self.level.last_repeat.take();
        match self.rest.as_bytes()[0] {
            b'(' if self.rest.starts_with("(?") => return self.perl_group(),
            b'(' => {
                self.n_captures += 1;
                self.rest = &self.rest[1..];
                return self.open(Some(self.n_captures), self.flags);
            }
            b'|' => {
                self.rest = &self.rest[1..];
                self.flush()?;
                self.take(0)?;
                self.level.next_alternative();
            }
            b')' => return self.close(),
            b'^' => {
                self.rest = &self.rest[1..];
                let is_multi_line = self.flags.is_multi_line;
                self.look(if is_multi_line { Look::StartLF } else { Look::Start })?;
            }
            b'$' => {
                self.rest = &self.rest[1..];
                self.look(if self.flags.is_multi_line { Look::EndLF } else { Look::End })?;
            }
            b'.' => {
                self.rest = &self.rest[1..];
                let dot =
                    if self.flags.dot_is_newline { Dot::AnyChar } else { Dot::AnyCharExceptLF };
                self.push(Hir::dot(dot))?;
            }
            b'[' => {
                let class = class::bracketed(&mut self.rest, self.flags.folds_case)?;
                self.class(class)?;
            }
            operator @ (b'*' | b'+' | b'?') => {
                let bounds = match operator {
                    b'*' => (0, None),
                    b'+' => (1, None),
                    _ => (0, Some(1)),
                };
                return self.repeat(&self.rest[1..], bounds, last_repeat);
            }
            b'{' => match counts(self.rest) {
                Some((after, bounds)) => return self.repeat(after, bounds, last_repeat),
                None => self.literal('{', 1)?,
            },
            b'\\' => return self.escape(),
            _ => {
                let character = self.rest.chars().next().expect("the text is not at its end");
                self.literal(character, character.len_utf8())?;
            }
        }
        Ok(())
    }

    fn literal(&mut self, character: char, length: usize) -> Result<(), SyntaxError> {
        self.rest = &self.rest[length..];
        if !self.flags.folds_case {
            self.level.text.push(character);
            return Ok(());
        }
        let mut class = ClassUnicode::empty();
        class.push(regex_syntax::hir::ClassUnicodeRange::new(character, character));
        class.case_fold_simple();
        // A class of one character becomes a literal automatically.
        self.class(class)
    }

    fn class(&mut self, class: ClassUnicode) -> Result<(), SyntaxError> {
        self.take(class.ranges().len())?;
        self.push(Hir::class(Class::Unicode(class)))
    }

    fn push(&mut self, hir: Hir) -> Result<(), SyntaxError> {
        self.flush()?;
        self.push_piece(Piece { hir, depth: 1, repeats: 1 })
    }

    fn push_piece(&mut self, piece: Piece) -> Result<(), SyntaxError> {
        self.take(0)?;
        self.level.sequence.push(piece);
        Ok(())
    }

    /// Turns the characters that were read into one piece.
    fn flush(&mut self) -> Result<(), SyntaxError> {
        let text = std::mem::take(&mut self.level.text);
        if text.is_empty() {
            return Ok(());
        }
        let hir = Hir::literal(text.into_bytes());
        self.push_piece(Piece { hir, depth: 1, repeats: 1 })
    }

    /// Takes memory for a part of the expression with this many ranges.
    fn take(&mut self, n_ranges: usize) -> Result<(), SyntaxError> {
        let has_room = self.room.take(n_ranges);
        has_room
            .then_some(())
            .ok_or_else(|| SyntaxError::new(SyntaxErrorKind::TooLarge, self.pattern))
    }

    fn look(&mut self, look: Look) -> Result<(), SyntaxError> {
        self.push(Hir::look(look))
    }

    /// Ends a level, which becomes one piece.
    fn finish(&mut self, level: Level) -> Result<Piece, SyntaxError> {
        let outer = std::mem::replace(&mut self.level, level);
        self.flush()?;
        Ok(std::mem::replace(&mut self.level, outer).finish())
    }

    fn open(&mut self, capture: Option<u32>, inner: Flags) -> Result<(), SyntaxError> {
        if self.groups.len() >= DEPTH_LIMIT {
            return Err(SyntaxError::new(SyntaxErrorKind::TooDeep, self.pattern));
        }
        let outer = std::mem::take(&mut self.level);
        self.groups.push(Group { outer, flags: self.flags, capture });
        self.flags = inner;
        Ok(())
    }

    fn close(&mut self) -> Result<(), SyntaxError> {
        self.rest = &self.rest[1..];
        let Some(group) = self.groups.pop() else {
            return Err(SyntaxError::new(SyntaxErrorKind::UnexpectedParenthesis, self.pattern));
        };
        let level = std::mem::replace(&mut self.level, group.outer);
        let mut piece = self.finish(level)?;
        if let Some(index) = group.capture.filter(|_| self.kept == Groups::Captured) {
            // The matcher requires unique names, so it gets no names at all.
            piece.hir = Hir::capture(Capture { index, name: None, sub: Box::new(piece.hir) });
        }
        piece.depth += 1;
        self.flags = group.flags;
        self.flush()?;
        self.push_piece(piece)
    }

    /// `(?P<name>`, `(?<name>`, `(?i)` and `(?i-s:`.
    fn perl_group(&mut self) -> Result<(), SyntaxError> {
        let whole = self.rest;
        for opening in ["(?P<", "(?<"] {
            let Some(after) = whole.strip_prefix(opening).filter(|it| !it.is_empty()) else {
                continue;
            };
            let end = after.find('>');
            let end = end.ok_or_else(|| SyntaxError::new(SyntaxErrorKind::NamedCapture, whole))?;
            let name = &after[..end];
            let is_word = |it: char| it == '_' || it.is_ascii_alphanumeric();
            if name.is_empty() || !name.chars().all(is_word) {
                let part = &whole[..=opening.len() + end];
                return Err(SyntaxError::new(SyntaxErrorKind::NamedCapture, part));
            }
            self.n_captures += 1;
            self.rest = &after[end + 1..];
            self.names.push((name.into(), self.n_captures as usize));
            return self.open(Some(self.n_captures), self.flags);
        }
        self.flag_group(whole)
    }

    fn flag_group(&mut self, whole: &'a str) -> Result<(), SyntaxError> {
        let mut flags = self.flags;
        let (mut is_set, mut saw_flag) = (true, false);
        let mut characters = whole[2..].chars();
        while let Some(character) = characters.next() {
            match character {
                'i' => flags.folds_case = is_set,
                'm' => flags.is_multi_line = is_set,
                's' => flags.dot_is_newline = is_set,
                'U' => flags.is_ungreedy = is_set,
                '-' if is_set => {
                    (is_set, saw_flag) = (false, false);
                    continue;
                }
                ':' | ')' if is_set || saw_flag => {
                    self.rest = &whole[whole.len() - characters.as_str().len()..];
                    if character == ':' {
                        return self.open(None, flags);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => {
                    let part = &whole[..whole.len() - characters.as_str().len()];
                    return Err(SyntaxError::new(SyntaxErrorKind::PerlSyntax, part));
                }
            }
            saw_flag = true;
        }
        Err(SyntaxError::new(SyntaxErrorKind::PerlSyntax, whole))
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        let look = match self.rest.as_bytes() {
            [_, b'A', ..] => Some(Look::Start),
            [_, b'z', ..] => Some(Look::End),
            [_, b'b', ..] => Some(Look::WordAscii),
            [_, b'B', ..] => Some(Look::WordAsciiNegate),
            _ => None,
        };
        if let Some(look) = look {
            self.rest = &self.rest[2..];
            return self.look(look);
        }
        if let Some(quoted) = self.rest.strip_prefix("\\Q") {
            let (quoted, after) = quoted.split_once("\\E").unwrap_or((quoted, ""));
            for character in quoted.chars() {
                self.literal(character, 0)?;
            }
            self.rest = after;
            return Ok(());
        }
        let folds_case = self.flags.folds_case;
        let class = match escape::unicode_class(&mut self.rest, folds_case)? {
            Some(class) => Some(class),
            None => escape::perl_class(&mut self.rest, folds_case),
        };
        if let Some(class) = class {
            return self.class(class);
        }
        let character = escape::character(&mut self.rest)?;
        self.literal(character, 0)
    }

    /// Repeats the last piece; `after` is the text after the operator.
    fn repeat(
        &mut self,
        after: &str,
        (min, max): (u32, Option<u32>),
        last_repeat: Option<usize>,
    ) -> Result<(), SyntaxError> {
        let start = self.pattern.len() - self.rest.len();
        let is_lazy = after.starts_with('?');
        let end = self.pattern.len() - after.len() + usize::from(is_lazy);
        let operator = &self.pattern[start..end];
        let is_count = operator.starts_with('{');
        let is_in_order = max.is_none_or(|max| min <= max);
        if is_count && (min.max(max.unwrap_or(0)) > REPEAT_LIMIT || !is_in_order) {
            let part = operator.strip_suffix('?').unwrap_or(operator);
            return Err(SyntaxError::new(SyntaxErrorKind::RepeatCount, part));
        }
        if let Some(last) = last_repeat {
            let part = &self.pattern[last..end];
            return Err(SyntaxError::new(SyntaxErrorKind::NestedRepetition, part));
        }
        // Only the last character is repeated.
        if let Some(last) = self.level.text.pop() {
            self.flush()?;
            self.level.text.push(last);
        }
        self.flush()?;
        let Some(mut piece) = self.level.sequence.pop() else {
            return Err(SyntaxError::new(SyntaxErrorKind::MissingRepeatArgument, operator));
        };
        if is_count {
            piece.repeats = piece.repeats.saturating_mul(max.unwrap_or(min).max(1));
            if piece.repeats > REPEAT_LIMIT {
                return Err(SyntaxError::new(SyntaxErrorKind::RepeatCount, operator));
            }
        }
        piece.depth += 1;
        if piece.depth > DEPTH_LIMIT {
            return Err(SyntaxError::new(SyntaxErrorKind::TooDeep, self.pattern));
        }
        let greedy = is_lazy == self.flags.is_ungreedy;
        piece.hir = Hir::repetition(Repetition { min, max, greedy, sub: Box::new(piece.hir) });
        self.push_piece(piece)?;
        self.level.last_repeat = Some(start);
        self.rest = &self.pattern[end..];
        Ok(())
    }
}

impl Level {
    fn next_alternative(&mut self) {
        let sequence = std::mem::take(&mut self.sequence);
        self.alternatives.push(Piece::all(sequence, Hir::concat));
    }

    fn finish(mut self) -> Piece {
        self.next_alternative();
        Piece::all(self.alternatives, Hir::alternation)
    }
}

impl Piece {
    fn all(pieces: Vec<Self>, join: fn(Vec<Hir>) -> Hir) -> Self {
        let depth = pieces.iter().map(|piece| piece.depth).max().unwrap_or(1);
        let repeats = pieces.iter().map(|piece| piece.repeats).max().unwrap_or(1);
        let hirs = pieces.into_iter().map(|piece| piece.hir).collect();
        Self { hir: join(hirs), depth, repeats }
    }
}

/// Reads `{2}`, `{2,}` or `{2,5}` and returns it with the text after it. Returns `None` if the
/// brace is a literal.
fn counts(text: &str) -> Option<(&str, (u32, Option<u32>))> {
    let end = text[1..].find(|it: char| it != ',' && !it.is_ascii_digit())? + 1;
    let (inside, after) = (&text[1..end], text[end..].strip_prefix('}')?);
    let number = |digits: &str| {
        let is_plain = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        let is_short = digits == "0" || !digits.starts_with('0');
        (is_plain && is_short).then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let bounds = match inside.split_once(',') {
        None => {
            let count = number(inside)?;
            (count, Some(count))
        }
        Some((min, "")) => (number(min)?, None),
        Some((min, max)) => (number(min)?, Some(number(max)?)),
    };
    Some((after, bounds))
}
