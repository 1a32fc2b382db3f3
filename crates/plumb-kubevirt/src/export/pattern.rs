//! Translates Perl-compatible patterns to the syntax of RE2, which CEL's `matches` uses.
//!
//! Only constructs with the same meaning in both are translated. A construct that RE2 lacks, such
//! as look-around, is named in the error. **Invariant:** a translated pattern matches exactly the
//! texts that the pattern matches.

use std::fmt::Write as _;

use plumb_regexp::Regexp;

/// The part of a pattern that RE2 cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UntranslatableError(pub &'static str);

type Result<T> = std::result::Result<T, UntranslatableError>;

const OTHER: UntranslatableError = UntranslatableError("a construct that CEL's `matches` lacks");

/// The characters of `\s`: unlike RE2's, it includes the vertical tab.
const SPACE: &str = r"\t\n\v\f\r ";

/// Names of classes that are the same set of characters in both dialects.
const CLASSES: [&str; 7] = ["alnum", "alpha", "digit", "lower", "punct", "upper", "xdigit"];

/// Translates a pattern.
pub(super) fn to_re2(pattern: &str) -> Result<String> {
    let mut translation = Translation { rest: pattern, out: String::new(), depth: 0 };
    translation.pattern()?;
    match Regexp::new(&translation.out) {
        Ok(_) => Ok(translation.out),
        Err(_) => Err(OTHER),
    }
}

struct Translation<'a> {
    rest: &'a str,
    out: String,
    /// The number of open groups.
    depth: usize,
}

impl Translation<'_> {
    fn pattern(&mut self) -> Result<()> {
        for flags in ["(?i)", "(?s)", "(?is)", "(?si)"] {
            if let Some(rest) = self.rest.strip_prefix(flags) {
                self.out.push_str(flags);
                self.rest = rest;
            }
        }
        while let Some(char) = self.next() {
            match char {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                ')' => {
                    self.depth = self.depth.checked_sub(1).ok_or(OTHER)?;
                    self.out.push(')');
                }
                '$' => self.end()?,
                '{' => self.brace(),
                '}' | ']' => {
                    self.out.push('\\');
                    self.out.push(char);
                }
                '*' | '+' | '?' => {
                    self.out.push(char);
                    self.quantified()?;
                }
                _ => self.out.push(char),
            }
        }
        if self.depth == 0 { Ok(()) } else { Err(OTHER) }
    }

    fn next(&mut self) -> Option<char> {
        let char = self.rest.chars().next()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    /// `$` also matches before the last line break. RE2 has no such assertion, but nothing follows
    /// this one, so the line break can be matched instead.
    fn end(&mut self) -> Result<()> {
        let is_last = self.rest.is_empty() || self.rest.starts_with('|');
        if self.depth > 0 || !is_last {
            return Err(UntranslatableError("`$` before the end of the pattern"));
        }
        self.out.push_str(r"\n?$");
        Ok(())
    }

    /// After a quantifier: `?` makes it lazy, which does not change whether a text matches.
    fn quantified(&mut self) -> Result<()> {
        if self.rest.starts_with('+') {
            return Err(UntranslatableError("a possessive quantifier"));
        }
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.out.push('?');
            self.rest = rest;
        }
        Ok(())
    }

    fn brace(&mut self) {
        let counts = self.rest.split_once('}').map_or("", |(counts, _)| counts);
        let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
        let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        if !is_number(least) || !is_number(most) || least.len() + most.len() == 0 {
            self.out.push_str(r"\{");
            return;
        }
        let least = if least.is_empty() { "0" } else { least };
        let most = if counts.contains(',') { format!(",{most}") } else { String::new() };
        let _ = write!(self.out, "{{{least}{most}}}");
        self.rest = &self.rest[counts.len() + 1..];
        // A `+` is not consumed: it is a second quantifier, which RE2 rejects.
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.out.push('?');
            self.rest = rest;
        }
    }

    fn group(&mut self) -> Result<()> {
        if self.rest.starts_with('*') {
            return Err(UntranslatableError("a verb such as `(*FAIL)`"));
        }
        if let Some(kind) = self.rest.strip_prefix('?') {
            let named = kind.strip_prefix("P<").or_else(|| kind.strip_prefix('<'));
            if ["=", "!", "<=", "<!"].iter().any(|it| kind.starts_with(it)) {
                return Err(UntranslatableError("look-around"));
            } else if kind.starts_with('>') {
                return Err(UntranslatableError("an atomic group"));
            } else if let Some(rest) = kind.strip_prefix(':') {
                self.out.push_str("(?:");
                self.rest = rest;
            } else if let Some((_, rest)) = named.and_then(|it| it.split_once('>')) {
                self.out.push('(');
                self.rest = rest;
            } else {
                return Err(UntranslatableError("a special group, `(?…)`"));
            }
        } else {
            self.out.push('(');
        }
        self.depth += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<()> {
        match self.next().ok_or(OTHER)? {
            's' => {
                let _ = write!(self.out, "[{SPACE}]");
            }
            'S' => {
                let _ = write!(self.out, "[^{SPACE}]");
            }
            it @ ('d' | 'D' | 'w' | 'W' | 'b' | 'B' | 'A' | 'z') => self.escaped(it),
            'Z' => self.end()?,
            '1'..='9' | 'g' | 'k' => return Err(UntranslatableError("a back reference")),
            it => self.character(it)?,
        }
        Ok(())
    }

    fn escaped(&mut self, char: char) {
        self.out.push('\\');
        self.out.push(char);
    }

    /// An escape that stands for one character, inside or outside a class.
    fn character(&mut self, char: char) -> Result<()> {
        match char {
            'n' | 'r' | 't' | 'f' => self.escaped(char),
            it if it.is_ascii_punctuation() || it == ' ' => {
                if it == ' ' {
                    self.out.push(it);
                } else {
                    self.escaped(it);
                }
            }
            'x' => {
                let digits = self.rest.get(..2).ok_or(OTHER)?;
                let code = u8::from_str_radix(digits, 16).map_err(|_| OTHER)?;
                if !code.is_ascii() || !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
                    return Err(OTHER);
                }
                let _ = write!(self.out, r"\x{digits}");
                self.rest = &self.rest[2..];
            }
            _ => return Err(OTHER),
        }
        Ok(())
    }

    fn class(&mut self) -> Result<()> {
        self.out.push('[');
        if let Some(rest) = self.rest.strip_prefix('^') {
            self.out.push('^');
            self.rest = rest;
        }
        if let Some(rest) = self.rest.strip_prefix(']') {
            self.out.push_str(r"\]");
            self.rest = rest;
        }
        loop {
            match self.next().ok_or(OTHER)? {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '[' => self.named_class()?,
                '\\' => match self.next().ok_or(OTHER)? {
                    's' => self.out.push_str(SPACE),
                    it @ ('d' | 'D' | 'w' | 'W') => self.escaped(it),
                    it => self.character(it)?,
                },
                it => self.out.push(it),
            }
        }
    }

    /// `[:alpha:]`, or a bracket that is a member of the class.
    fn named_class(&mut self) -> Result<()> {
        if self.rest.starts_with(['.', '=']) {
            return Err(OTHER);
        }
        let Some(named) = self.rest.strip_prefix(':') else {
            self.out.push_str(r"\[");
            return Ok(());
        };
        let (name, rest) = named.split_once(":]").ok_or(OTHER)?;
        if !CLASSES.contains(&name) {
            return Err(OTHER);
        }
        let _ = write!(self.out, "[:{name}:]");
        self.rest = rest;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;

    const TEXTS: [&str; 24] = [
        "", "a", "b", "ab", "aab", "abc", "a\n", "ab\n", "\n", "a\nb", "rhel9", "rhel9.4", "RHEL9",
        "1", "12", "123", "a-b", "a_b", "a b", "\u{b}", "\u{e9}", "[", "]", "{2}",
    ];

    /// Every translated pattern matches the same texts as the pattern itself.
    #[test]
    fn translated_patterns_match_the_same_texts() {
        let atoms = [
            "a",
            "b",
            ".",
            "[a-b]",
            "[^a]",
            r"\d",
            r"\w",
            r"\s",
            r"\S",
            "(a|b)",
            "(?:ab)",
            "[]]",
            "[[:alpha:]]",
            r"\.",
            "{",
            "}",
            r"\x61",
            r"[\s\d-]",
            r"\-",
            r"\bab\b",
            "(?<n>a)",
            "",
            "[[]",
            "]",
        ];
        let quantifiers = ["", "*", "+?", "{2}", "{,2}", "{2}?"];
        let starts = ["", "^", "(?i)", "(?s)"];
        let ends = ["", "$", r"\Z", "|b$", "$|^1"];
        let mut n_compared = 0;
        for (start, end) in starts.iter().flat_map(|it| ends.iter().map(move |end| (it, end))) {
            for atom in atoms {
                for (quantifier, more) in
                    quantifiers.iter().flat_map(|it| ["", "."].map(move |more| (it, more)))
                {
                    let pattern = format!("{start}{atom}{quantifier}{more}{end}");
                    let Ok(original) = Pattern::new(pattern.clone(), false).compiled() else {
                        continue;
                    };
                    let Ok(translated) = to_re2(&pattern) else { continue };
                    let translated = Regexp::new(&translated).expect("it was compiled before");
                    for text in TEXTS {
                        let expected = original.is_match(text).expect("the pattern is small");
                        let found = translated.is_match(text.as_bytes());
                        assert_eq!(found, expected, "{pattern} on {text:?}");
                    }
                    n_compared += 1;
                }
            }
        }
        assert!(n_compared > 4_000, "{n_compared} patterns were compared");
    }

    #[test]
    fn what_re2_lacks_is_named() {
        let check = |pattern: &str, what: &str| {
            let error = to_re2(pattern).expect_err("the pattern cannot be translated");
            assert_eq!(error.0, what, "{pattern}");
        };
        check("a(?=b)", "look-around");
        check("(?<!a)b", "look-around");
        check("(?>a)b", "an atomic group");
        check(r"(a)\1", "a back reference");
        check("a++", "a possessive quantifier");
        check("(a$)b", "`$` before the end of the pattern");
        check("(*FAIL)", "a verb such as `(*FAIL)`");
        check(r"\p{L}", "a construct that CEL's `matches` lacks");
    }
}
