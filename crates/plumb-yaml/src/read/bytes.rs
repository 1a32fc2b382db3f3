//! Sets of bytes that matter when a text is scanned.

/// A set of bytes. A membership test is one table lookup.
#[derive(Clone, Copy)]
pub(super) struct Bytes(u8);

const BLANK: u8 = 1;
const BREAK: u8 = 2;
const COLON: u8 = 4;
const FLOW_INDICATOR: u8 = 8;
const QUOTE: u8 = 16;
const PLAIN_START: u8 = 32;

impl Bytes {
    /// The first bytes of line breaks. Other characters may also begin with them.
    pub(super) const LINE_END: Self = Self(BREAK);
    /// The bytes at which a plain scalar in a block may end.
    pub(super) const BLOCK_PLAIN_END: Self = Self(BLANK | BREAK | COLON);
    /// The bytes at which a plain scalar in a flow collection may end.
    pub(super) const FLOW_PLAIN_END: Self = Self(BLANK | BREAK | COLON | FLOW_INDICATOR);
    /// The bytes in quotes that are not plain text.
    pub(super) const QUOTED_LINE_END: Self = Self(BREAK | QUOTE);
    pub(super) const QUOTED_WORD_END: Self = Self(BLANK | BREAK | QUOTE);
    /// The bytes that begin a plain scalar in any context; other bytes do so only in some.
    pub(super) const PLAIN_START: Self = Self(PLAIN_START);

    pub(super) fn has(self, byte: u8) -> bool {
        CLASSES[usize::from(byte)] & self.0 != 0
    }
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes = with(classes, b" \t", BLANK);
    // The last two begin NEL, and the line and paragraph separators.
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
