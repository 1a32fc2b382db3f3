//! Base64 of `!!binary` scalars: the standard alphabet, padded, broken into lines.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Decodes base64, ignoring line breaks. Returns `None` if the text is not base64.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let joined: Vec<u8> =
        text.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    ENGINE.decode(joined).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_are_skipped_and_padding_is_needed() {
        assert_eq!(decode(b"aGVs\nbG8=\n").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decode(b"aGVsbG9=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decode(b"aGVsbG8"), None);
        assert_eq!(decode(b"aGV sbG8="), None);
        assert_eq!(decode(b"").as_deref(), Some(&b""[..]));
    }
}
