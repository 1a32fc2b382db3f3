//! Perl-compatible regular expressions.
//!
//! They are matched by `fancy-regex`, whose syntax is a mixture of its own; [`translate`] rewrites
//! what it reads otherwise than PCRE does. A match that backtracks too long ends as an error.

mod class;
mod translate;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use fancy_regex::{Regex, RegexBuilder};
use translate::translate;

/// How many times a match may go back: enough for any sensible pattern, a millisecond for others.
const BACKTRACK_LIMIT: usize = 20_000;

/// How much memory a compiled pattern may take, and one that is kept.
const SIZE_LIMIT: usize = 4 << 20;
const KEPT_SIZE_LIMIT: usize = 64 << 10;

/// How many compiled patterns are kept in the whole process.
const MAX_KEPT: usize = 128;

/// How many instructions a pattern may compile to.
const PROGRAM_LIMIT: usize = 100_000;

/// A pattern, compiled when it is needed.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    /// Whether it may be kept once it is compiled.
    keeps: bool,
    kept: OnceLock<(Arc<Regex>, Place)>,
}

/// One of the places for compiled patterns that are kept. Dropping it frees it.
#[derive(Debug)]
struct Place;

static N_KEPT: AtomicUsize = AtomicUsize::new(0);

impl Pattern {
    /// A pattern that may be kept once it is compiled, if it is small, or must not.
    pub(crate) fn new(text: String, keeps: bool) -> Self {
        Self { text, keeps, kept: OnceLock::new() }
    }

    /// Whether it would have to be compiled now.
    pub(crate) fn needs_compiling(&self) -> bool {
        self.kept.get().is_none()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The compiled pattern, or why it is malformed.
    pub(crate) fn compiled(&self) -> Result<Arc<Regex>, String> {
        if let Some((regex, _)) = self.kept.get() {
            return Ok(Arc::clone(regex));
        }
        let translated = translate(&self.text)?;
        if self.keeps
            && let Ok(regex) = build(&translated, KEPT_SIZE_LIMIT)
        {
            let regex = Arc::new(regex);
            if let Some(place) = Place::take() {
                // Another thread may have been faster, which is as good.
                let _ = self.kept.set((Arc::clone(&regex), place));
            }
            return Ok(regex);
        }
        build(&translated, SIZE_LIMIT).map(Arc::new).map_err(|error| match error {
            // Its position is that in the translated pattern, which no one has written.
            fancy_regex::Error::ParseError(_, error) => error.to_string(),
            error => error.to_string(),
        })
    }
}

impl Place {
    fn take() -> Option<Self> {
        let free = |kept: usize| (kept < MAX_KEPT).then_some(kept + 1);
        N_KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).ok().map(|_| Self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        N_KEPT.fetch_sub(1, Ordering::Relaxed);
    }
}

fn build(pattern: &str, size: usize) -> Result<Regex, fancy_regex::Error> {
    RegexBuilder::new(pattern)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(size)
        .delegate_dfa_size_limit(size)
        .max_prog_size(PROGRAM_LIMIT)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, text: &str) -> Result<bool, String> {
        let compiled = Pattern::new(pattern.to_owned(), false).compiled()?;
        compiled.is_match(text).map_err(|error| error.to_string())
    }

    fn check(pattern: &str, text: &str, expected: bool) {
        assert_eq!(is_match(pattern, text), Ok(expected), "{pattern} on {text:?}");
    }

    #[test]
    fn words_digits_and_blanks_are_ascii() {
        check(r"^\w+$", "é", false);
        check(r"^\w+$", "a_1", true);
        check(r"^\W$", "é", true);
        check(r"^[\w-]+$", "a-b", true);
        check(r"^[^\W]$", "é", false);
        check(r"\d", "٣", false);
        check(r"\bfoo\b", "a foo b", true);
        check(r"\bfoo\b", "xfoo", false);
        check(r"\Boo\b", "foo", true);
        check(r"^\s$", "\u{b}", true);
        check(r"^\s$", "\u{a0}", false);
        check(r"^\p{L}+$", "é", true);
        check(r"^\p{^L}+$", "12", true);
    }

    #[test]
    fn the_end_is_also_before_a_last_line_break() {
        check("^a$", "a\n", true);
        check("^a$", "a\nb", false);
        check("(?m)^a$", "a\nb", true);
        check("(?m:^a$)|x$", "b\nx\n", true);
        check(r"^a\z", "a\n", false);
        check(r"^a\Z", "a\n", true);
        check("(?-m)^a$", "a\nb", false);
    }

    #[test]
    fn constructs_of_pcre() {
        check("^(?!pc)", "q35", true);
        check("(?>q)35", "q35", true);
        check(r"(e)dg\1", "edge", true);
        check(r"(e)dg\g{1}", "edge", true);
        check(r"(?P<x>e)dg(?P=x)", "edge", true);
        check(r"(?'x'e)dg\k{x}", "edge", true);
        check(r"(e)dg\g{-1}", "edge", true);
        check("q35++", "q35", true);
        check("(?x) q 3 # the chipset\n 5 ", "q35", true);
        check(r"(?x)a\ b", "a b", true);
        check("(?U)a+", "aaa", true);
        check(r"a\Rb", "a\r\nb", true);
        check(r"^\Qa.b\E$", "a.b", true);
        check(r"^\Qa.b\E$", "axb", false);
        check("(?#a comment)q", "q", true);
        check("^(?i:Q)35$", "q35", true);
        check("^(?i)Q35$", "q35", true);
        check("(?s)a.b", "a\nb", true);
        check(r"^\x{e9}\x41\101\e?$", "éAA", true);
        check("^(a(?1)?b)$", "aabb", true);
        check("^((?:a|b)*)$", "abab", true);
        check("^q{1000}$", "q35", false);
    }

    #[test]
    fn what_the_engine_reads_otherwise_is_literal() {
        check("^a{x}$", "a{x}", true);
        check("^a{,2}$", "aa", true);
        check("^}]$", "}]", true);
        check("^[[a]$", "[", true);
        check("^[]a]$", "]", true);
        check("^[^]a]$", "b", true);
        check("^[a&&b]+$", "&b", true);
        check("^[+--]+$", ",-", true);
        check(r"^\<a\>$", "<a>", true);
        check("^[[:alnum:]_]+$", "a_1", true);
        check("^[[:^digit:]]$", "a", true);
        check(r"^[\d\-z]+$", "1-z", true);
        check(r"^[\Qa-z\E]+$", "a-z", true);
        check(r"^[\b]$", "\u{8}", true);
        check("^a b#c$", "a b#c", true);
    }

    #[test]
    fn malformed_patterns_are_errors() {
        for pattern in [
            "(",
            ")",
            "[a",
            "a**",
            "(?z)",
            r"\i",
            r"\h",
            "q{1001}",
            "a\\",
            "[z-a]",
            r"\x{110000}",
            "(?<a",
        ] {
            assert!(is_match(pattern, "a").is_err(), "{pattern}");
        }
    }

    #[test]
    fn small_patterns_are_kept_and_large_ones_are_not() {
        let is_kept = |text: &str, keeps: bool| {
            let pattern = Pattern::new(text.to_owned(), keeps);
            pattern.compiled().expect("the pattern is well-formed");
            !pattern.needs_compiling()
        };
        assert!(is_kept("^[a-z]+$", true));
        assert!(!is_kept("^[a-z]+$", false));
        assert!(!is_kept(r"\p{L}{10}", true));
        let all: Vec<Pattern> =
            (0..2 * MAX_KEPT).map(|it| Pattern::new(format!("^a{it}$"), true)).collect();
        assert!(all.iter().all(|it| it.compiled().is_ok()));
        assert!(all.iter().filter(|it| !it.needs_compiling()).count() <= MAX_KEPT);
        drop(all);
        assert!(is_kept("^[a-z]+$", true), "places become free again");
    }

    #[test]
    fn no_pattern_costs_too_much() {
        let text = "a".repeat(40) + "!";
        assert!(is_match(r"^(?:a|b|ab|aa)*(?!!)!{2}", &text).is_err());
        for pattern in [
            "(((a{1000}){1000}){1000})".to_owned(),
            "(".repeat(100_000),
            "[".repeat(100_000),
            "a|".repeat(100_000),
            "(?:".repeat(1000) + &")*".repeat(1000),
        ] {
            let _ = is_match(&pattern, &text);
        }
    }
}
