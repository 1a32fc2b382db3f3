//! Texts that occur often in a file, such as long keys: each is stored once.

use plumb_source::Text;

/// Shorter texts are stored inline.
const SHORTEST: usize = 17;
/// Longer texts are rarely repeated.
const LONGEST: usize = 64;
const N_SLOTS: usize = 128;

/// The texts that were read last, each in a slot that depends on its bytes.
#[derive(Default)]
pub(super) struct RecentTexts {
    /// The slots. Empty until a text is long enough.
    slots: Vec<Text>,
}

impl RecentTexts {
    /// Returns a text. If an earlier one is equal, its memory is shared.
    pub(super) fn text(&mut self, text: &str) -> Text {
        match (text.as_bytes().first_chunk(), text.as_bytes().last_chunk()) {
            (Some(first), Some(last)) if (SHORTEST..=LONGEST).contains(&text.len()) => {
                self.shared(text, slot(*first, *last))
            }
            _ => Text::from(text),
        }
    }

    fn shared(&mut self, text: &str, slot: usize) -> Text {
        if self.slots.is_empty() {
            self.slots.resize(N_SLOTS, Text::new());
        }
        let kept = &mut self.slots[slot];
        if *kept != *text {
            *kept = Text::from(text);
        }
        kept.clone()
    }
}

fn slot(first: [u8; 8], last: [u8; 8]) -> usize {
    let mixed = u64::from_le_bytes(first).rotate_left(29) ^ u64::from_le_bytes(last);
    let hash = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - N_SLOTS.ilog2());
    usize::try_from(hash).expect("a slot is a small number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_long_text_is_stored_once() {
        let mut texts = RecentTexts::default();
        for text in ["app.kubernetes.io/name", "app.kubernetes.io/part-of", "a", ""] {
            let (first, again) = (texts.text(text), texts.text(text));
            assert_eq!((&first, &again), (&text.into(), &text.into()));
            let is_shared = std::ptr::eq(first.as_bytes(), again.as_bytes());
            assert_eq!(is_shared, text.len() >= SHORTEST, "{text}");
        }
    }
}
