//! Regular expressions in the syntax of RE2, as in Go's `regexp`.
//!
//! This crate parses the syntax and reports its errors. Matching is done by `regex-automata`, which
//! like RE2 takes time in proportion to the text. `\d`, `\w`, `\s` and `\b` match ASCII only, `^`
//! and `$` match at the ends of the whole text unless `(?m)` is set, and a brace that does not
//! begin a repetition is a literal.

mod class;
mod ecma;
mod error;
mod escape;
mod parser;

use std::ops::Range;

use parser::Parsed;
use regex_automata::meta;
use regex_automata::util::syntax;
use regex_syntax::hir::Hir;

pub use regex_automata::util::captures::Captures;

pub use error::{SyntaxError, SyntaxErrorKind};

/// The default limit for the compiled form of one expression, in bytes.
const SIZE_LIMIT: usize = 10 << 20;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Regexp {
    pattern: String,
    hir: Hir,
    regex: meta::Regex,
    /// The names of groups and their numbers, ascending. Several groups may have the same name.
    names: Vec<(Box<str>, usize)>,
}

impl Regexp {
    /// Compiles an expression. Fails if its syntax is not valid, or if its compiled form takes more
    /// than 10 MiB.
    pub fn new(pattern: &str) -> Result<Self, SyntaxError> {
        Self::within(pattern, SIZE_LIMIT)
    }

    /// Like [`Self::new`], but the compiled form may take up to `size_limit` bytes.
    pub fn within(pattern: &str, size_limit: usize) -> Result<Self, SyntaxError> {
        let Parsed { hir, names } = parser::parse(pattern)?;
        let config = meta::Config::new().nfa_size_limit(Some(size_limit)).utf8_empty(false);
        let regex = meta::Builder::new()
            .configure(config)
            .syntax(syntax::Config::new().utf8(false))
            .build_from_hir(&hir)
            .map_err(|_| SyntaxError::new(SyntaxErrorKind::TooLarge, pattern))?;
        Ok(Self { pattern: pattern.to_owned(), hir, regex, names })
    }

    /// Returns the expression as it was written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// Returns the size of the compiled form in bytes.
    pub fn size(&self) -> usize {
        self.regex.memory_usage()
    }

    /// Returns whether the expression matches anywhere in the text.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the byte range of the first match. Returns `None` if there is no match.
    pub fn find(&self, text: &[u8]) -> Option<Range<usize>> {
        self.regex.find(text).map(|it| it.range())
    }

    /// Returns the byte ranges of all matches from left to right. An empty match is never inside a
    /// character.
    pub fn find_iter<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
        let found = self.regex.find_iter(text).map(|it| it.range());
        found.filter(|range| !splits_character(text, range))
    }

    /// Returns all matches from left to right, with their groups. An empty match is never inside a
    /// character.
    pub fn captures_iter<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Captures> + 't {
        self.regex.captures_iter(text).filter(|captures| {
            captures.get_match().is_some_and(|it| !splits_character(text, &it.range()))
        })
    }

    /// Returns the numbers of the groups with this name.
    pub fn groups_named(&self, name: &str) -> impl Iterator<Item = usize> {
        let named = self.names.iter().filter(move |(it, _)| **it == *name);
        named.map(|(_, number)| *number)
    }

    /// Returns the same expression in the syntax of ECMA-262 with the `u` flag, as JSON Schema uses
    /// it.
    pub fn to_ecma(&self) -> String {
        ecma::print(&self.hir)
    }
}

/// Returns whether a match is empty and inside a character. Each byte that is not part of UTF-8 is
/// a character of its own.
fn splits_character(text: &[u8], range: &Range<usize>) -> bool {
    const LONGEST_CHARACTER: usize = 4;
    let at = range.start;
    if !range.is_empty() || at >= text.len() || !is_continuation(text[at]) {
        return false;
    }
    let earliest = at.saturating_sub(LONGEST_CHARACTER - 1);
    let Some(start) = (earliest..at).rev().find(|&it| !is_continuation(text[it])) else {
        return false;
    };
    let end = text.len().min(start + LONGEST_CHARACTER);
    let first = text[start..end].utf8_chunks().next().and_then(|it| it.valid().chars().next());
    first.is_some_and(|it| start + it.len_utf8() > at)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests;
