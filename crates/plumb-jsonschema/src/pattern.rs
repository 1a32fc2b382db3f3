//! Regular expressions of schemas: those of ECMA-262 in JSON Schema, those of RE2 in Kubernetes.
//!
//! An expression of ECMA-262 is matched by `fancy-regex`, which supports lookarounds and
//! backreferences. Syntax that both accept with different meanings is rewritten first.

use std::fmt::Write as _;

use plumb_regexp::Regexp;

/// The maximum size of the compiled form of an ECMA-262 expression, and the maximum product of its
/// size and its number of groups.
const SIZE_LIMIT: usize = 10 << 20;
const GROUPS_LIMIT: usize = 24 << 20;

/// A regular expression.
#[derive(Debug)]
pub struct Pattern(Engine);

#[derive(Debug)]
enum Engine {
    Re2(Box<Regexp>),
    Ecma { source: String, regex: Box<fancy_regex::Regex> },
}

/// What `\s` matches.
const SPACES: &str = r"\t\n\x0B\x0C\r\u{20}\u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

impl Pattern {
    /// Compiles an expression in the syntax of RE2. Returns `None` if it is not valid.
    pub fn re2(source: &str) -> Option<Self> {
        Regexp::new(source).ok().map(|it| Self(Engine::Re2(Box::new(it))))
    }

    /// Compiles an expression in the syntax of ECMA-262 with the `u` flag. Returns `None` if it is
    /// not valid.
    pub fn ecma(source: &str) -> Option<Self> {
        // Each group takes memory in proportion to the expression.
        let n_groups = source.bytes().filter(|&it| it == b'(').count();
        let regex = fancy_regex::RegexBuilder::new(&rewritten(source))
            .delegate_size_limit(SIZE_LIMIT.min(GROUPS_LIMIT / (n_groups + 1)))
            .build()
            .ok()?;
        Some(Self(Engine::Ecma { source: source.to_owned(), regex: Box::new(regex) }))
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Engine::Re2(regexp) => regexp.as_str(),
            Engine::Ecma { source, .. } => source,
        }
    }

    /// Returns whether the expression matches anywhere in the text; false if matching takes too
    /// long.
    pub fn is_match(&self, text: &[u8]) -> bool {
        match &self.0 {
            Engine::Re2(regexp) => regexp.is_match(text),
            Engine::Ecma { regex, .. } => {
                std::str::from_utf8(text).is_ok_and(|it| regex.is_match(it).unwrap_or(false))
            }
        }
    }
}

/// Translates an expression of ECMA-262 to the syntax of `fancy-regex`.
fn rewritten(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut characters = source.chars().peekable();
    let mut is_class = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped) => escape(escaped, &mut characters, is_class, &mut out),
                None => out.push('\\'),
            },
            '[' if is_class => out.push_str("\\["),
            '[' => {
                is_class = true;
                out.push('[');
                if characters.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                // An empty class matches nothing, or everything.
                if characters.next_if_eq(&']').is_some() {
                    is_class = false;
                    let is_negated = out.ends_with('^');
                    out.truncate(out.len() - if is_negated { 2 } else { 1 });
                    out.push_str(if is_negated { r"[\s\S]" } else { r"[^\s\S]" });
                }
            }
            ']' if is_class => {
                is_class = false;
                out.push(']');
            }
            '&' | '~' if is_class => {
                out.push('\\');
                out.push(character);
            }
            '-' if is_class && characters.peek() == Some(&'-') => out.push_str("\\-"),
            '.' if !is_class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            _ => out.push(character),
        }
    }
    out
}

fn escape(
    escaped: char,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
    is_class: bool,
    out: &mut String,
) {
    let class = match escaped {
        'd' => Some("0-9".to_owned()),
        'w' => Some("0-9A-Za-z_".to_owned()),
        's' => Some(SPACES.to_owned()),
        _ => None,
    };
    match (escaped, class) {
        (_, Some(class)) if is_class => out.push_str(&class),
        (_, Some(class)) => {
            out.push('[');
            out.push_str(&class);
            out.push(']');
        }
        ('D', _) => out.push_str("[^0-9]"),
        ('W', _) => out.push_str("[^0-9A-Za-z_]"),
        ('S', _) => {
            out.push_str("[^");
            out.push_str(SPACES);
            out.push(']');
        }
        ('0', _) => out.push_str(r"\x00"),
        ('c', _) => match rest.next() {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let _ = write!(out, r"\x{:02X}", u32::from(letter) % 32);
            }
            other => {
                out.push_str(r"\c");
                out.extend(other);
            }
        },
        // A word boundary for `\w`, which contains only ASCII characters.
        ('b', _) if is_class => out.push_str(r"\x08"),
        ('b', _) => {
            out.push_str(
                r"(?:(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?![0-9A-Za-z_]))",
            );
        }
        ('B', _) => {
            out.push_str(
                r"(?:(?<![0-9A-Za-z_])(?![0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_]))",
            );
        }
        _ => {
            out.push('\\');
            out.push(escaped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mean_what_ecma_says() {
        let cases = [
            (r"^\d+$", "12", true),
            (r"^\d+$", "\u{0967}", false),
            (r"^\w$", "é", false),
            (r"^[\w.]+$", "a.b", true),
            (r"^\s$", "\u{feff}", true),
            (r"^\S+$", "a b", false),
            (r"^(?!x)", "xy", false),
            (r"(a)\1", "aa", true),
            (r"^[[a]$", "[", true),
            (r"^[a&&b]+$", "a&b", true),
            (r"^a.c$", "a\rc", false),
            (r"^\p{Letter}+$", "né", true),
            (r"^a$", "a\n", false),
            (r"\bx\b", "a x b", true),
            (r"^[^]$", "\n", true),
            (r"^\cJ$", "\n", true),
            (r"^a\/b\-c$", "a/b-c", true),
            (r"^\u0061$", "a", true),
        ];
        for (pattern, text, expected) in cases {
            let pattern = Pattern::ecma(pattern).expect("the expression is one");
            assert_eq!(pattern.is_match(text.as_bytes()), expected, "{}", pattern.as_str());
        }
        assert!(Pattern::ecma("(").is_none());
    }
}
