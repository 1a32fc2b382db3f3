//! Perl-compatible regular expressions.
//!
//! They are matched by `fancy-regex`, whose syntax differs from PCRE. [`translate`] rewrites the
//! constructs that have a different meaning there, and rejects those that are not supported. A
//! match that backtracks too often fails with an error.

mod class;
mod error;
mod translate;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use fancy_regex::{Regex, RegexBuilder};
use translate::{LastLine, Translated, translate};

pub(crate) use error::PatternError;

/// The maximum number of backtracking steps: enough for any sensible pattern, and about a
/// millisecond.
const BACKTRACK_LIMIT: usize = 20_000;

/// The memory limits of a compiled pattern, and of one that is kept.
const SIZE_LIMIT: usize = 4 << 20;
const KEPT_SIZE_LIMIT: usize = 64 << 10;

/// Longer patterns are rejected. Parsing takes several hundred bytes of memory for each byte of a
/// pattern.
const MAX_LENGTH: usize = 32 << 10;

/// While a pattern is matched, each of its groups takes memory in proportion to its size. This is
/// the maximum product of the number of groups and the size.
const GROUPS_LIMIT: usize = 12 << 20;

/// The cost of compiling a pattern: about a tenth of a millisecond, and more for a long one.
const COMPILE_COST: usize = 2000;
const COMPILE_COST_OF_BYTE: usize = 100;

/// The minimum cost of a match in units of [`crate::check::BUDGET`]: for small patterns that do not
/// backtrack, and for all others.
const MATCH_COST: usize = 100;
const MATCH_COST_IF_SLOW: usize = 5000;

/// The cost of matching one byte in units of [`crate::check::BUDGET`], for patterns that are small
/// enough to be kept, and for all others. In the worst case, each byte is compared with the whole
/// pattern.
const COST_OF_BYTE: usize = 50;
const COST_OF_BYTE_IF_LARGE: usize = 2000;

/// A pattern that backtracks may read the rest of the text again at each position, for example with
/// `(?!.*b)`. One unit covers this many bytes that are read again.
const BYTES_OF_UNIT: usize = 64;

/// The maximum number of compiled patterns that the process keeps.
const MAX_KEPT: usize = 128;

/// The maximum number of instructions of a compiled pattern.
const PROGRAM_LIMIT: usize = 100_000;

/// A pattern, compiled when it is needed.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    /// Whether the compiled pattern may be kept.
    keeps: bool,
    kept: OnceLock<(Compiled, CacheSlot)>,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    regex: Arc<Regex>,
    is_large: bool,
    /// Whether a part of the pattern calls itself.
    is_recursive: bool,
    /// Whether matching may backtrack. Otherwise, its time is proportional to the length of the
    /// text.
    backtracks: bool,
    /// The pattern, if it must be compiled differently for a text that ends with a line break.
    for_ended_line: Option<Arc<str>>,
}

/// The maximum depth of recursive calls of a group in the engine; a deeper call does not match.
/// Every call consumes at least one byte, so a shorter text never reaches the limit.
const MAX_RECURSION: usize = 19;

/// One of the slots for compiled patterns that are kept. Dropping it frees the slot.
#[derive(Debug)]
struct CacheSlot;

static N_KEPT: AtomicUsize = AtomicUsize::new(0);

impl Pattern {
    /// A pattern. `keeps` allows keeping it once it is compiled, if it is small.
    pub(crate) fn new(text: String, keeps: bool) -> Self {
        Self { text, keeps, kept: OnceLock::new() }
    }

    /// Whether using the pattern now would compile it.
    pub(crate) fn needs_compiling(&self) -> bool {
        self.kept.get().is_none()
    }

    /// The cost of compiling the pattern, in units of the budget.
    pub(crate) fn compile_cost(&self) -> usize {
        compile_cost(&self.text)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The compiled pattern, or why it is malformed.
    pub(crate) fn compiled(&self) -> Result<Compiled, PatternError> {
        if let Some((compiled, _)) = self.kept.get() {
            return Ok(compiled.clone());
        }
        if self.text.len() > MAX_LENGTH {
            return Err(PatternError::malformed(format!("longer than {MAX_LENGTH} bytes")));
        }
        let translated = translate(&self.text, LastLine::Open)?;
        let compiled = |regex, is_large| Compiled {
            regex: Arc::new(regex),
            is_large,
            is_recursive: translated.is_recursive,
            backtracks: backtracks(&translated),
            for_ended_line: translated.has_end.then(|| self.text.as_str().into()),
        };
        let Ok(small) = build(&translated, KEPT_SIZE_LIMIT) else {
            return Ok(compiled(build(&translated, SIZE_LIMIT)?, true));
        };
        let compiled = compiled(small, false);
        if self.keeps
            && let Some(place) = CacheSlot::take()
        {
            // Another thread may have stored its result first, which is just as good.
            let _ = self.kept.set((compiled.clone(), place));
        }
        Ok(compiled)
    }
}

impl Compiled {
    /// The cost of matching a text, in units of the budget.
    pub(crate) fn cost(&self, text: &str) -> usize {
        let differs = self.for_ended_line(text);
        let backtracks = self.backtracks || differs.is_some();
        let of_match = if self.is_large || backtracks { MATCH_COST_IF_SLOW } else { MATCH_COST };
        let of_byte = if self.is_large { COST_OF_BYTE_IF_LARGE } else { COST_OF_BYTE };
        let read = text.len().saturating_mul(of_byte).saturating_add(of_match);
        if !backtracks {
            return read;
        }
        let n_times = text.len().min(BACKTRACK_LIMIT);
        read.saturating_add(n_times.saturating_mul(text.len()) / BYTES_OF_UNIT)
            .saturating_add(differs.map_or(0, compile_cost))
    }

    /// Whether the pattern matches somewhere in the text, or why that is unknown.
    pub(crate) fn is_match(&self, text: &str) -> Result<bool, PatternError> {
        if self.is_recursive && text.len() > MAX_RECURSION {
            return Err(PatternError::LongValue);
        }
        let Some(pattern) = self.for_ended_line(text) else {
            return Ok(self.regex.is_match(text)?);
        };
        // Such texts are rare: this regular expression is not kept.
        let regex = build(&translate(pattern, LastLine::Ended)?, SIZE_LIMIT)?;
        Ok(regex.is_match(text)?)
    }

    /// The pattern, if it must be compiled differently for this text.
    fn for_ended_line(&self, text: &str) -> Option<&str> {
        self.for_ended_line.as_deref().filter(|_| text.ends_with('\n'))
    }
}

fn compile_cost(pattern: &str) -> usize {
    COMPILE_COST + COMPILE_COST_OF_BYTE * pattern.len()
}

impl CacheSlot {
    fn take() -> Option<Self> {
        let free = |kept: usize| (kept < MAX_KEPT).then_some(kept + 1);
        N_KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).ok().map(|_| Self)
    }
}

impl Drop for CacheSlot {
    fn drop(&mut self) {
        N_KEPT.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns whether a pattern looks around, refers to a group, or has a possessive or atomic part.
fn backtracks(pattern: &Translated) -> bool {
    const GROUPS: [&str; 5] = ["(?=", "(?!", "(?<=", "(?<!", "(?>"];
    const AFTER: [&str; 4] = ["?+", "*+", "++", "}+"];
    pattern.n_groups > 0
        || pattern.is_recursive
        || GROUPS.iter().chain(&AFTER).any(|it| pattern.text.contains(it))
        || [r"\K", r"\G"].iter().any(|it| pattern.text.contains(it))
}

fn build(pattern: &Translated, size: usize) -> Result<Regex, fancy_regex::Error> {
    RegexBuilder::new(&pattern.text)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(size.min(GROUPS_LIMIT / (pattern.n_groups + 1)))
        .delegate_dfa_size_limit(size)
        .max_prog_size(PROGRAM_LIMIT)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, text: &str) -> Result<bool, PatternError> {
        let compiled = Pattern::new(pattern.to_owned(), false).compiled()?;
        compiled.is_match(text)
    }

    fn check(pattern: &str, text: &str, expected: bool) {
        assert_eq!(is_match(pattern, text).ok(), Some(expected), "{pattern} on {text:?}");
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
        check("(?m)^$", "a\n", false);
        check("(?m)^$", "a\n\n", true);
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
    fn flags_end_with_their_group() {
        check("^(a(?i)b)c$", "aBc", true);
        check("^(a(?i)b)c$", "aBC", false);
        check("^(?:a(?i)b)c$", "abC", false);
        check("^((?i)a|b)c$", "Bc", true);
        check("^((?i)a|b)c$", "bC", false);
        check("^(?<n>(?s).)x$", "\nx", true);
        check("^(?=(?i)A)a$", "A", false);
        check("^a(?i)b(?-i)c$", "aBc", true);
        check("^a(?i)b(?-i)c$", "aBC", false);
        check("^(?i:a(?-i)b)c$", "Abc", true);
        check("^(?i:a(?-i)b)c$", "aBc", false);
        check("((?m)^b)|^c$", "a\nc", false);
        check("^a(?i)|b$", "B", true);
        check("(?i)", "x", true);
    }

    #[test]
    fn conditions_and_calls() {
        check("^(?<q>\")?a(?(q)\")$", "\"a\"", true);
        check("^(?<q>\")?a(?(q)\")$", "\"a", false);
        check("^(?<q>\")?a(?(<q>)\"|b)$", "ab", true);
        check("^(?<q>\")?a(?('q')\"|b)$", "a", false);
        check("^(\")?a(?(1)\"|b)$", "ab", true);
        check("^(\")?a(?(-1)\"|b)$", "\"a\"", true);
        check("^(?(?=a)ab|cd)$", "cd", true);
        check("^(?(?!a)ab|cd)$", "ab", false);
        check("^(?(DEFINE)(?<d>[0-9]))(?&d)-(?&d)$", "1-2", true);
        check("^(a|b)(?-1)$", "ab", true);
        check("^(?+1)(a|b)$", "ab", true);
        check(r"^(a|b)\g<-1>$", "ab", true);
        check(r"^(?<x>a)(b)\2\1$", "abba", true);
        check("^(?<x>a|b)(?P>x)$", "ba", true);
        check(r#"^(?(DEFINE)(?<d>[0-9]))(["'])(?&d)\2$"#, "'1'", true);
        check("a(*F)|b", "b", true);
        check("^(*atomic:a+)b$", "aab", true);
        check("^(*nla:b)a$", "a", true);
    }

    #[test]
    fn a_group_that_calls_itself_never_gives_a_wrong_answer() {
        let nested = |depth: usize| "a".repeat(depth) + &"b".repeat(depth);
        check("^(a(?1)?b)$", &nested(9), true);
        assert!(is_match("^(a(?1)?b)$", &nested(10)).is_err());
        assert!(is_match("^a(?R)?b$", &nested(10)).is_err());
        assert!(is_match("^(?<x>a(?&y)?)(?<y>b(?&x)?)$", &"ab".repeat(10)).is_err());
        check("^(a+)(?1)$", &"a".repeat(100), true);
    }

    #[test]
    fn what_is_not_supported_is_named() {
        let check = |pattern: &str, what: &str| {
            let words = is_match(pattern, "a").expect_err(pattern).to_string();
            assert!(words.contains(what) && words.contains("not supported"), "{pattern}: {words}");
        };
        check("(?|(a)|(b))", "(?|");
        check("a(*SKIP)b", "(*SKIP)");
        check("(*UTF)a", "(*UTF)");
        check("(?~a)", "(?~");
        check("(?C1)a", "(?C)");
        check("(?xx)[a b]", "`xx`");
        check("(?J)a", "`J`");
        check("(?n)(a)", "`n`");
        check("(?^)a", "`^`");
        check("(a)(?(R)b)", "(?(R)");
        check(r"^(a|b)(?1)\1$", "also called");
        check(r"^(?<x>(a|b))(?&x)(?(2)a)$", "also called");
        check("(?<=(?(?=a)b|c))", "a condition in a look-behind");
        check("(?<n>(?(n)a|b))", "a condition on the group that it is in");
        check(r"\Xa", r"`\X`");
        check(r"\Ca", r"`\C`");
        check(r"\N{U+41}", r"`\N{");
        check("[[.a.]]", "[.");
        check("[[=a=]]", "[=");
        check("[[:<:]]a", "[:<:]");
        check(r"\ha", r"`\h`");
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
    fn groups_capture_only_if_something_refers_to_them() {
        let n_groups =
            |pattern: &str| translate(pattern, LastLine::Open).map(|it| it.n_groups).ok();
        assert_eq!(n_groups("(a)(?<b>c)(?:d)"), Some(0));
        assert_eq!(n_groups(r"(a)(?<b>c)\1"), Some(2));
        assert_eq!(n_groups("(?<b>c)(?&b)"), Some(1));
        assert_eq!(n_groups("(a)?(?(1)b|c)"), Some(1));
        check("^(a(?i)b)(?<c>d)e$", "aBde", true);
    }

    #[test]
    fn no_pattern_costs_too_much() {
        let text = "a".repeat(40) + "!";
        assert!(is_match(r"^(?:a|b|ab|aa)*(?!!)!{2}", &text).is_err());
        assert!(is_match(&"a".repeat(MAX_LENGTH + 1), &text).is_err());
        let large = Pattern::new(r"^\p{L}{63}$".to_owned(), true);
        assert!(large.compiled().is_ok_and(|it| it.cost(&text) > 50_000));
        let cost = |pattern: &str, length: usize| {
            let compiled = Pattern::new(pattern.to_owned(), false).compiled();
            compiled.map(|it| it.cost(&"a".repeat(length))).ok()
        };
        assert!(cost("(?:a(?!.*b))+z", 100_000) > Some(crate::check::BUDGET));
        assert!(cost("(?:a(?!.*b))+z", 1_000) < Some(100_000));
        assert!(cost("(?:a.*b)+z", 100_000) < Some(crate::check::BUDGET));
        assert!(cost("^(pc-)?q35(-|$)", 10) < Some(1_000));
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
