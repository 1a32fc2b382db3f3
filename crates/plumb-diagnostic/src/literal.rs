//! Literals and names in code, which its author wrote: messages may show them.
//!
//! A function that fails does not know whether its argument was a literal or a value that may be
//! secret. Therefore the code is read again when an error is reported. This costs nothing if
//! nothing fails.

use std::collections::HashSet;

use plumb_source::{SourceKind, Sources, Span};

/// How many lines of a call are read.
const MAX_LINES: u32 = 50;

/// The minimum length of a substring that is recognized as part of a literal. A shorter one may
/// come from another string.
const MIN_PART: usize = 3;

/// The words of the code near a place. Messages may show them.
#[derive(Default)]
pub struct Literals {
    /// Strings, numbers and names.
    words: HashSet<String>,
    strings: Vec<String>,
}

impl Literals {
    /// Collects the words on the line of a place, and on the following lines up to the end of the
    /// call that begins there.
    pub fn near(span: Span, sources: &Sources) -> Self {
        let source = sources.get(span.file);
        let first = source.line(span.start);
        let mut found = Self::default();
        let mut depth = 0;
        for line in first..first + MAX_LINES {
            let text = source.line_text(line);
            let code = match source.kind() {
                SourceKind::File => text.find("#@").map(|at| &text[at + 2..]),
                SourceKind::Text if line == first => text.find("(@").map(|at| &text[at + 2..]),
                SourceKind::Module | SourceKind::Text => Some(&*text),
                SourceKind::Flag | SourceKind::Environment | SourceKind::Memory => None,
            };
            depth += code.map_or(0, |code| found.scan(code));
            if depth <= 0 {
                break;
            }
        }
        found
    }

    /// Returns whether a value, as a message shows it, is one of the words or a part of a string.
    pub fn has(&self, value: &str) -> bool {
        let unquoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(value);
        let is_part = |it: &String| unquoted.len() >= MIN_PART && it.contains(unquoted);
        self.words.contains(value)
            || self.words.contains(unquoted)
            || self.strings.iter().any(is_part)
    }

    /// Collects the words of a line, and returns how many brackets it opens and does not close.
    fn scan(&mut self, code: &str) -> i32 {
        let words = &mut self.words;
        let mut depth = 0;
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => {
                    let end = string_end(rest, first);
                    let inside = rest[1..end].trim_end_matches(first);
                    words.insert(inside.to_owned());
                    self.strings.push(inside.to_owned());
                    words.insert(inside.replace("\\\"", "\"").replace("\\'", "'"));
                    end
                }
                '#' => break,
                it if it.is_alphanumeric() || it == '_' => {
                    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
                    let whole = rest.find(|it: char| !is_word(it)).unwrap_or(rest.len());
                    words.extend(rest[..whole].split('.').map(str::to_owned));
                    words.insert(rest[..whole].to_owned());
                    whole
                }
                it => {
                    depth += i32::from(matches!(it, '(' | '[' | '{'));
                    depth -= i32::from(matches!(it, ')' | ']' | '}'));
                    it.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        words.remove("");
        depth
    }
}

/// Returns the end of the string at the beginning of a text: after its closing quote, or at the end
/// of the text.
fn string_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, it) in text.char_indices().skip(1) {
        if it == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = it == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_call_are_found_over_several_lines() {
        let sources = Sources::new();
        let text = "hunter2: #@ f(\"a b cd\", 'it\\'s', 17,\n#@   x.name) #! other\nlast: #@ 3\n";
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        let literals = Literals::near(Span::new(file, 14, 14), &sources);
        for word in ["a b cd", "\"a b cd\"", "b cd", "it's", "17", "x", "name", "f"] {
            assert!(literals.has(word), "{word}");
        }
        for word in ["hunter2", "other", "last", "3", "cd", ""] {
            assert!(!literals.has(word), "{word}");
        }
    }
}
