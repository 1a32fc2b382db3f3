//! How much stack the parser of TypeScript may need. It recurses without checking its stack, so the
//! need is computed before it is called.

/// Every level of nesting needs less stack than this.
const STACK_PER_LEVEL: usize = 16 << 10;
/// The stack that is always left on the thread that runs scripts.
const STACK_AT_HAND: usize = 32 << 20;
/// Texts that could be nested deeper are refused. Modules written by people stay far below it up to
/// about a megabyte.
const MAX_LEVELS: usize = 1 << 18;

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
/// because they could be in strings. Lists and quotes add no level.
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
    fn long_texts_get_a_stack_of_their_own_up_to_a_limit() {
        assert_eq!(Stack::for_text("const x = 1;"), Stack::AtHand);
        assert!(matches!(Stack::for_text(&"(".repeat(10_000)), Stack::Bytes(_)));
        assert_eq!(Stack::for_text(&"(".repeat(1_000_000)), Stack::TooMuch);
    }
}
