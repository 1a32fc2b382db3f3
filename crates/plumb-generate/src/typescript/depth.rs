//! Estimates the stack that the TypeScript parser needs. The parser recurses without checking its
//! stack, so this is computed before it is called.

/// An upper bound for the stack of one level of nesting.
const STACK_PER_LEVEL: usize = 16 << 10;
/// The stack that is always left on the thread that runs scripts.
const STACK_AT_HAND: usize = 32 << 20;
/// Texts that may be nested deeper are rejected. Modules that people write are far below this
/// limit, up to about a megabyte of text.
const MAX_LEVELS: usize = 1 << 18;

/// Texts that are probably nested deeper are rejected in a browser.
const MAX_LEVELS_IN_BROWSER: usize = 150;

/// The stack that parsing a text needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stack {
    /// The stack of this thread is enough.
    AtHand,
    /// A thread with a stack of this many bytes is needed.
    Bytes(usize),
    TooMuch,
}

impl Stack {
    pub(super) fn for_text(text: &str) -> Self {
        if cfg!(target_family = "wasm") {
            // There is only the stack of the browser, which is small, so the estimate is used
            // instead of the upper bound.
            let fits = likely_levels(text) <= MAX_LEVELS_IN_BROWSER;
            return if fits { Self::AtHand } else { Self::TooMuch };
        }
        let levels = max_levels(text);
        match levels * STACK_PER_LEVEL {
            _ if levels > MAX_LEVELS => Self::TooMuch,
            0..=STACK_AT_HAND => Self::AtHand,
            bytes => Self::Bytes(bytes),
        }
    }
}

/// An upper bound of the depth of a text: every level begins with a punctuation character, or with
/// a word that is followed by another word (`new new …`). Closing characters are not subtracted,
/// because they could be in strings. Lists and quotes do not add a level.
fn max_levels(text: &str) -> usize {
    let mut levels = 0;
    let (mut is_word, mut is_apart) = (false, false);
    for byte in text.bytes() {
        let begins_level = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                is_apart = true;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => {
                let follows = is_word && is_apart;
                is_word = true;
                follows
            }
            b',' | b';' | b'\'' | b'"' => {
                is_word = false;
                false
            }
            _ => {
                is_word = false;
                true
            }
        };
        is_apart = false;
        levels += usize::from(begins_level);
    }
    levels
}

/// An estimate of the depth of a text: text between brackets is nested, and so are consecutive
/// signs and words. Brackets in strings, comments and regular expressions count like others.
fn likely_levels(text: &str) -> usize {
    let mut deepest = 0;
    let mut levels = 0;
    // The levels before each open bracket.
    let mut open: Vec<usize> = Vec::new();
    let mut last = b';';
    let mut is_new_line = false;
    for byte in text.bytes() {
        let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'$' || it >= 128;
        match byte {
            b'\n' => {
                is_new_line = true;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                // The next word is another one.
                if is_word(last) {
                    last = b' ';
                }
                continue;
            }
            b'(' | b'[' | b'{' => {
                open.push(levels);
                levels += 1;
            }
            b')' | b']' | b'}' => levels = open.pop().unwrap_or(0),
            b',' | b';' => levels = open.last().map_or(0, |it| it + 1),
            byte if is_word(byte) => {
                let ends_statement = is_word(last) || matches!(last, b' ' | b')' | b']' | b'}');
                if is_new_line && ends_statement {
                    levels = open.last().map_or(0, |it| it + 1);
                } else if !is_word(last) {
                    levels += 1;
                }
            }
            _ => levels += 1,
        }
        is_new_line = false;
        last = byte;
        deepest = deepest.max(levels);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_words_in_a_row_may_nest() {
        for (text, expected) in [
            ("", 0),
            ("new new x", 2),
            ("f(a, b, 'c')", 2),
            ("[1, 2,\n3]", 2),
            ("a ? b : c", 2),
            ("x = 'a b'", 2),
        ] {
            assert_eq!(max_levels(text), expected, "{text}");
        }
    }

    #[test]
    fn the_likely_depth_of_code_is_that_of_its_longest_row() {
        let lines = "const a = f(1, [2, 3])\nconst b = g({ c: 'd' }) // e\n".repeat(1_000);
        assert!(likely_levels(&lines) < 20, "{}", likely_levels(&lines));
        let statements = "if (a) { b(c => d(`${e}`)); }\n".repeat(1_000);
        assert!(likely_levels(&statements) < 30, "{}", likely_levels(&statements));
        for deep in ["(", "!", "new ", "a=>", "a?b:", "[[1],", "a.", "{a:", "<T>", "a as "] {
            let levels = likely_levels(&deep.repeat(1_000));
            assert!(levels >= 1_000, "{deep}: {levels}");
        }
    }

    #[test]
    fn long_texts_get_a_stack_of_their_own_up_to_a_limit() {
        assert_eq!(Stack::for_text("const x = 1;"), Stack::AtHand);
        assert!(matches!(Stack::for_text(&"(".repeat(10_000)), Stack::Bytes(_)));
        assert_eq!(Stack::for_text(&"(".repeat(1_000_000)), Stack::TooMuch);
    }
}
