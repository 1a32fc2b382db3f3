//! Perl-compatible regular expressions.
//!
//! They are matched by `fancy-regex`, whose syntax is a mixture of its own; [`translate`] rewrites
//! what it reads otherwise than PCRE does. A match that backtracks too long ends as an error.

mod class;
mod translate;

use std::sync::OnceLock;

use fancy_regex::{Regex, RegexBuilder};
use translate::translate;

/// How many times a match may go back: enough for any sensible pattern, a millisecond for others.
const BACKTRACK_LIMIT: usize = 20_000;

/// How much memory a compiled pattern may take.
const SIZE_LIMIT: usize = 4 << 20;

/// How many instructions a pattern may compile to.
const PROGRAM_LIMIT: usize = 100_000;

/// A pattern, compiled when it is first needed.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    compiled: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    pub(crate) fn new(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches somewhere in the text; an error if it is malformed or gives up.
    pub(crate) fn is_match(&self, text: &str) -> Result<bool, String> {
        self.compiled()?.is_match(text).map_err(|error| error.to_string())
    }

    pub(crate) fn compiled(&self) -> Result<&Regex, String> {
        let compiled = self.compiled.get_or_init(|| {
            RegexBuilder::new(&translate(&self.text)?)
                .backtrack_limit(BACKTRACK_LIMIT)
                .delegate_size_limit(SIZE_LIMIT)
                .delegate_dfa_size_limit(SIZE_LIMIT)
                .max_prog_size(PROGRAM_LIMIT)
                .build()
                .map_err(|error| match error {
                    // Its position is that in the translated pattern, which no one has written.
                    fancy_regex::Error::ParseError(_, error) => error.to_string(),
                    error => error.to_string(),
                })
        });
        compiled.as_ref().map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: bool) {
        let found = Pattern::new(pattern.to_owned()).is_match(text);
        assert_eq!(found, Ok(expected), "{pattern} on {text:?}");
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
            assert!(Pattern::new(pattern.to_owned()).is_match("a").is_err(), "{pattern}");
        }
    }

    #[test]
    fn no_pattern_costs_too_much() {
        let text = "a".repeat(40) + "!";
        assert!(Pattern::new(r"^(?:a|b|ab|aa)*(?!!)!{2}".to_owned()).is_match(&text).is_err());
        for pattern in [
            "(((a{1000}){1000}){1000})".to_owned(),
            "(".repeat(100_000),
            "[".repeat(100_000),
            "a|".repeat(100_000),
            "(?:".repeat(1000) + &")*".repeat(1000),
        ] {
            let _ = Pattern::new(pattern).is_match(&text);
        }
    }
}
