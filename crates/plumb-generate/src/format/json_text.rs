//! JSON texts, which may be deeply nested and contain lone surrogates.

use serde::de::DeserializeSeed;

use crate::error::Error;

/// Parses a JSON text; the seed limits its depth. Lone surrogates, which are not valid in any text,
/// are replaced.
pub(crate) fn read<T>(
    text: &str,
    seed: impl for<'de> DeserializeSeed<'de, Value = T> + Copy,
) -> Result<T, Error> {
    let result = read_once(text, seed).or_else(|error| match without_lone_surrogates(text) {
        Some(mended) => read_once(&mended, seed),
        None => Err(error),
    });
    Ok(result?)
}

fn read_once<'de, S: DeserializeSeed<'de>>(
    text: &'de str,
    seed: S,
) -> serde_json::Result<S::Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = seed.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The text with every escaped lone surrogate replaced. Returns `None` if there are none.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut has_changed = false;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = match (surrogate(rest), surrogate(rest.get(6..).unwrap_or_default())) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                has_changed = true;
                mended.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    mended.push_str(rest);
    has_changed.then_some(mended)
}

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// The surrogate that an escape at the start of the text denotes.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}
