//! Sets of bytes that matter when a text is looked through.

/// A set of bytes. Asking whether a byte is in it is one look at a table.
#[derive(Clone, Copy)]
pub(super) struct Bytes(u8);

const BLANK: u8 = 1;
const BREAK: u8 = 2;
const COLON: u8 = 4;
const FLOW_INDICATOR: u8 = 8;
const QUOTE: u8 = 16;
const PLAIN_START: u8 = 32;

impl Bytes {
    /// What a line break begins with, though not everything that begins so is one.
    pub(super) const LINE_END: Self = Self(BREAK);
    /// What a plain scalar in a block may end with.
    pub(super) const BLOCK_PLAIN_END: Self = Self(BLANK | BREAK | COLON);
    /// What a plain scalar in a flow collection may end with.
    pub(super) const FLOW_PLAIN_END: Self = Self(BLANK | BREAK | COLON | FLOW_INDICATOR);
    /// What is more than text in quotes.
    pub(super) const QUOTED_LINE_END: Self = Self(BREAK | QUOTE);
    pub(super) const QUOTED_WORD_END: Self = Self(BLANK | BREAK | QUOTE);
    /// What begins a plain scalar wherever it stands; other bytes do so only in some places.
    pub(super) const PLAIN_START: Self = Self(PLAIN_START);

    pub(super) fn has(self, byte: u8) -> bool {
        CLASSES[usize::from(byte)] & self.0 != 0
    }
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes = with(classes, b" \t", BLANK);
    // The last two begin NEL, and the separators of lines and paragraphs.
    classes = with(classes, b"\n\r\xC2\xE2", BREAK);
    classes = with(classes, b":", COLON);
    classes = with(classes, b",?[]{}", FLOW_INDICATOR);
    classes = with(classes, b"'\"\\", QUOTE);
    classes = with(classes, b"0123456789_/$()+;=^~\\", PLAIN_START);
    classes = with(classes, b"abcdefghijklmnopqrstuvwxyz", PLAIN_START);
    with(classes, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", PLAIN_START)
};

const fn with(mut classes: [u8; 256], bytes: &[u8], class: u8) -> [u8; 256] {
    let mut at = 0;
    while at < bytes.len() {
        classes[bytes[at] as usize] |= class;
        at += 1;
    }
    classes
}
