//! `@ytt:base64`: bytes as text, and back.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use lean_string::LeanString;
use plumb_source::message::secret;
use plumb_source::{Text, message};
use plumb_starlark::{Args, Result, Value};

use crate::arguments::{flag, one_text, one_text_or_bytes};
use crate::decode_error::DecodeError;
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "base64",
    summary: "bytes as text, and back",
    members: &[
        Member::function(
            "base64.encode(text, url=False, raw=False)",
            "Encodes a text or bytes.",
            |_, args| encode(args),
        ),
        Member::function(
            "base64.decode(text, url=False, raw=False, strict=False)",
            "Decodes a text.",
            |_, args| decode(args),
        ),
    ],
};

/// How many bytes are encoded at a time: a multiple of three, so that only the last piece has padding.
const PIECE: usize = 3 << 12;

fn encode(args: &Args<'_>) -> Result<Value> {
    let bytes = one_text_or_bytes(args)?;
    let engine = engine(args)?;
    // The result of a large input is not built twice: a text is not made of a `String` without a copy.
    let mut text = LeanString::with_capacity(bytes.len().div_ceil(3) * 4);
    let mut encoded = String::new();
    for piece in bytes.chunks(PIECE) {
        engine.encode_string(piece, &mut encoded);
        text.push_str(&encoded);
        encoded.clear();
    }
    Ok(Text::from(text).into())
}

/// Line breaks inside the text are skipped.
fn decode(args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    let engine = engine(args)?;
    let reading = Reading { is_url: flag(args, "url", false)?, is_raw: flag(args, "raw", false)? };
    let bytes = text.as_bytes();
    let kept: Vec<u8> = bytes.iter().copied().filter(|it| !is_break(*it)).collect();
    let decoded = engine.decode(&kept).map_err(|_| {
        let at = reading.fault(bytes);
        let words = message!("expected base64, found another character at position {}", secret(at));
        DecodeError::Base64 { at }.in_words(words)
    })?;
    Ok(Text::from_bytes(&decoded).into())
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The options with which an invalid text was read.
#[derive(Clone, Copy)]
struct Reading {
    is_url: bool,
    is_raw: bool,
}

impl Reading {
    /// Returns the position at which Go reports the error: it reads groups of four characters, and
    /// reports the first character that does not fit.
    fn fault(self, text: &[u8]) -> usize {
        let mut kept = text.iter().copied().enumerate().filter(|(_, byte)| !is_break(*byte));
        let mut in_group = 0;
        while let Some((at, byte)) = kept.next() {
            if byte == b'=' && !self.is_raw {
                return after_padding(text, at, in_group, &mut kept);
            }
            if !self.has(byte) {
                return at;
            }
            in_group = (in_group + 1) % 4;
        }
        match (self.is_raw, in_group) {
            (true, 2 | 3) => loose_bits(text.len(), in_group),
            _ => text.len() - in_group,
        }
    }

    fn has(self, byte: u8) -> bool {
        let others = if self.is_url { b"-_" } else { b"+/" };
        byte.is_ascii_alphanumeric() || others.contains(&byte)
    }
}

/// Returns the position of a mistake in or after the padding. Padding must complete the last group.
fn after_padding(
    text: &[u8],
    at: usize,
    in_group: usize,
    rest: &mut impl Iterator<Item = (usize, u8)>,
) -> usize {
    let mut end = at + 1;
    match in_group {
        0 | 1 => return at,
        2 => match rest.next() {
            Some((next, b'=')) => end = next + 1,
            Some((next, _)) => return next - 1,
            None => return text.len(),
        },
        _ => {}
    }
    rest.next().map_or(loose_bits(end, in_group), |(next, _)| next)
}

/// Returns the position of a last character with unused bits that are not zero, in a group that
/// ends at `end`.
fn loose_bits(end: usize, in_group: usize) -> usize {
    if in_group == 2 { end - 2 } else { end - 1 }
}

fn engine(args: &Args<'_>) -> Result<GeneralPurpose> {
    let alphabet = if flag(args, "url", false)? { &URL_SAFE } else { &STANDARD };
    let is_raw = flag(args, "raw", false)?;
    let padding =
        if is_raw { DecodePaddingMode::RequireNone } else { DecodePaddingMode::RequireCanonical };
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(!is_raw)
        .with_decode_padding_mode(padding)
        .with_decode_allow_trailing_bits(!flag(args, "strict", false)?);
    Ok(GeneralPurpose::new(alphabet, config))
}
