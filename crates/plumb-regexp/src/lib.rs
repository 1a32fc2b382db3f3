//! Regular expressions in the syntax of RE2, as Go's `regexp` has it.
//!
//! The syntax and its errors are read here; matching is `regex-automata`'s, which like RE2 takes
//! time in proportion to the text. `\d`, `\w`, `\s` and `\b` are about ASCII, `^` and `$` about the
//! whole text unless `(?m)` is set, and a brace that begins no repetition stands for itself.

mod class;
mod ecma;
mod error;
mod escape;
mod parser;

use regex_automata::meta;
use regex_automata::util::syntax;
use regex_syntax::hir::Hir;

pub use error::{Problem, SyntaxError};

/// The most bytes that the compiled form of one expression may take, if nothing else is said.
const SIZE_LIMIT: usize = 10 << 20;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Regexp {
    pattern: String,
    hir: Hir,
    regex: meta::Regex,
}

impl Regexp {
    pub fn new(pattern: &str) -> Result<Self, SyntaxError> {
        Self::within(pattern, SIZE_LIMIT)
    }

    /// As [`Self::new`], for an expression whose compiled form may take so many bytes.
    pub fn within(pattern: &str, size_limit: usize) -> Result<Self, SyntaxError> {
        let hir = parser::parse(pattern)?;
        let config = meta::Config::new().nfa_size_limit(Some(size_limit)).utf8_empty(false);
        let regex = meta::Builder::new()
            .configure(config)
            .syntax(syntax::Config::new().utf8(false))
            .build_from_hir(&hir)
            .map_err(|_| SyntaxError::new(Problem::TooLarge, pattern))?;
        Ok(Self { pattern: pattern.to_owned(), hir, regex })
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// How many bytes its compiled form takes.
    pub fn size(&self) -> usize {
        self.regex.memory_usage()
    }

    /// Whether the expression matches somewhere in the text.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    /// The machine that matches, for those who need more than a yes or no.
    pub fn matcher(&self) -> &meta::Regex {
        &self.regex
    }

    /// The same expression in the syntax of ECMA-262 with its `u` flag, as JSON Schema uses it.
    pub fn to_ecma(&self) -> String {
        ecma::print(&self.hir)
    }
}

#[cfg(test)]
mod tests;
