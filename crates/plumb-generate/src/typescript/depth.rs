//! How much stack the parser of TypeScript may need. It recurses without looking at its stack, so
//! that is worked out before it is called.

/// A level of nesting needs less than this, whatever it is made of.
const STACK_PER_LEVEL: usize = 16 << 10;
/// What is left of the stack that scripts run on, whatever they are doing.
const STACK_AT_HAND: usize = 32 << 20;
/// Texts that could nest deeper are refused. Modules that people write stay far below it up to a
/// megabyte or so.
const MAX_LEVELS: usize = 1 << 18;

/// What it takes to parse a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stack {
    /// The stack of this thread is enough.
    AtHand,
    /// A thread with a stack of so many bytes is enough.
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

/// A bound for how deep a text can nest: every level begins with a sign, or with a word that
/// another word follows (`new new …`). Signs that close are not made up for: they could stand in
/// strings. Lists and quotes nest nothing.
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
