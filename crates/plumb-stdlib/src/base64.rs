//! `@ytt:base64`: bytes as text, and back.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use plumb_source::Text;
use plumb_starlark::{Args, Error, Result, Value};

use crate::arguments::{flag, function, one_text};

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("encode".into(), function("base64.encode", |_, args| encode(args))),
        ("decode".into(), function("base64.decode", |_, args| decode(args))),
    ]
}

fn encode(args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    Ok(engine(args)?.encode(text.as_bytes()).into())
}

/// Line breaks inside the text are skipped.
fn decode(args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    let engine = engine(args)?;
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let kept: Vec<u8> = text.as_bytes().iter().copied().filter(|byte| !is_break(byte)).collect();
    let decoded = engine.decode(&kept).map_err(|error| {
        let position = position_of(&error, kept.len());
        let skipped = offset_with_breaks(text.as_bytes(), position);
        Error::new(format!("illegal base64 data at input byte {skipped}"))
    })?;
    Ok(Text::from_bytes(&decoded).into())
}

fn position_of(error: &base64::DecodeError, length: usize) -> usize {
    match error {
        base64::DecodeError::InvalidByte(at, _)
        | base64::DecodeError::InvalidLastSymbol { offset: at, .. } => *at,
        base64::DecodeError::InvalidLength(_) | base64::DecodeError::InvalidPadding => length,
    }
}

/// The offset in the text of a byte that was counted without line breaks.
fn offset_with_breaks(text: &[u8], position: usize) -> usize {
    let kept = text.iter().enumerate().filter(|(_, byte)| !matches!(byte, b'\n' | b'\r'));
    kept.map(|(at, _)| at).nth(position).unwrap_or(text.len())
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
