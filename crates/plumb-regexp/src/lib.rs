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
mod limits;
mod parser;

use std::ops::Range;
use std::sync::Mutex;

use parser::{Groups, Parsed};
use regex_automata::meta;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::iter::Searcher;
use regex_automata::util::syntax;
use regex_automata::{Input, meta::Cache};

pub use regex_automata::util::captures::Captures;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use limits::Limits;

/// Larger caches are not kept from one match to the next.
const KEPT_CACHE: usize = 16 << 10;

/// A compiled regular expression.
#[derive(Debug)]
pub struct Regexp {
    pattern: String,
    regex: meta::Regex,
    /// The cache of the last match.
    cache: Mutex<Option<Box<Cache>>>,
    /// The number of groups that are captured, including the whole.
    n_groups: usize,
    limits: Limits,
    /// The names of groups and their numbers, ascending. Several groups may have the same name.
    names: Vec<(Box<str>, usize)>,
}

impl Regexp {
    /// Compiles an expression. Fails if its syntax is not valid, or if its compiled form takes more
    /// than 5 MiB.
    pub fn new(pattern: &str) -> Result<Self, SyntaxError> {
        Self::within(pattern, Limits::default())
    }

    /// Like [`Self::new`], with other limits.
    pub fn within(pattern: &str, limits: Limits) -> Result<Self, SyntaxError> {
        Self::compile(pattern, limits, Groups::Ignored)
    }

    /// Like [`Self::within`], for [`Self::captures_iter`]. Groups take memory in proportion to
    /// their number and to the size of the expression.
    pub fn with_groups(pattern: &str, limits: Limits) -> Result<Self, SyntaxError> {
        Self::compile(pattern, limits, Groups::Captured)
    }

    fn compile(pattern: &str, limits: Limits, groups: Groups) -> Result<Self, SyntaxError> {
        let Parsed { hir, names } = parser::parse(pattern, groups, limits.room())?;
        let n_groups = hir.properties().explicit_captures_len() + 1;
        let captures = match groups {
            Groups::Captured => WhichCaptures::All,
            Groups::Ignored => WhichCaptures::Implicit,
        };
        let config = limits.config(n_groups).utf8_empty(false).which_captures(captures);
        let regex = meta::Builder::new()
            .configure(config)
            .syntax(syntax::Config::new().utf8(false))
            .build_from_hir(&hir)
            .map_err(|_| SyntaxError::new(SyntaxErrorKind::TooLarge, pattern))?;
        let (pattern, cache) = (pattern.to_owned(), Mutex::default());
        Ok(Self { pattern, regex, cache, n_groups, limits, names })
    }

    /// Returns the expression as it was written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// Returns the size of the compiled form in bytes.
    pub fn size(&self) -> usize {
        self.regex.memory_usage()
    }

    /// Returns how many bytes the expression takes between matches.
    pub fn kept_size(&self) -> usize {
        self.size() + self.pattern.len() + KEPT_CACHE
    }

    /// Returns the maximum number of bytes that the expression takes while it is matched.
    pub fn matching_size(&self) -> usize {
        self.kept_size() + self.limits.matching(self.size(), self.n_groups)
    }

    /// Returns the cost of matching a text of this length. The unit is the cost of reading one
    /// byte. In the worst case, each byte is compared with the whole expression.
    pub fn work(&self, length: usize) -> usize {
        let for_each = (1 + self.size() / 1024).saturating_mul(1 + self.n_groups / 4);
        length.saturating_mul(for_each)
    }

    /// Returns whether the expression matches anywhere in the text.
    pub fn is_match(&self, text: &[u8]) -> bool {
        let input = Input::new(text).earliest(true);
        self.with_cache(|cache| self.regex.search_half_with(cache, &input).is_some())
    }

    /// Returns the byte range of the first match. Returns `None` if there is no match.
    pub fn find(&self, text: &[u8]) -> Option<Range<usize>> {
        let found = self.with_cache(|cache| self.regex.search_with(cache, &Input::new(text)));
        found.map(|it| it.range())
    }

    /// Returns the byte ranges of all matches from left to right. An empty match is never inside a
    /// character.
    pub fn find_iter<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
        let mut cache = self.regex.create_cache();
        let search = move |input: &Input<'_>| Ok(self.regex.search_with(&mut cache, input));
        let found = Searcher::new(Input::new(text)).into_matches_iter(search).infallible();
        found.map(|it| it.range()).filter(|range| !splits_character(text, range))
    }

    /// Returns all matches from left to right, with their groups. An empty match is never inside a
    /// character.
    pub fn captures_iter<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Captures> + 't {
        let mut cache = self.regex.create_cache();
        let search = move |input: &Input<'_>, captures: &mut Captures| {
            self.regex.search_captures_with(&mut cache, input, captures);
            Ok(())
        };
        let captures = self.regex.create_captures();
        let found = Searcher::new(Input::new(text)).into_captures_iter(captures, search);
        found.infallible().filter(|captures| {
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
        let room = Limits::of_size(usize::MAX).room();
        let parsed = parser::parse(&self.pattern, Groups::Captured, room);
        ecma::print(&parsed.expect("it was parsed before").hir)
    }

    /// Calls a function with a cache, which is kept if it is small.
    fn with_cache<T>(&self, search: impl FnOnce(&mut Cache) -> T) -> T {
        let kept = self.cache.try_lock().ok().and_then(|mut it| it.take());
        let mut cache = kept.unwrap_or_else(|| Box::new(self.regex.create_cache()));
        let result = search(&mut cache);
        if cache.memory_usage() <= KEPT_CACHE
            && let Ok(mut kept) = self.cache.try_lock()
        {
            *kept = Some(cache);
        }
        result
    }
}

/// Returns whether a match is empty and inside a character. A byte that is not part of valid UTF-8
/// counts as one character.
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
