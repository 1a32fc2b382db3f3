//! The results of `elems()`, `codepoints()` and their `_ords`: a string seen as a sequence.

use plumb_source::Text;

use super::Value;
use crate::text;

/// A string whose parts can be iterated over.
#[derive(Clone, Debug)]
pub struct StringIterable {
    pub(crate) string: Text,
    pub(crate) parts: Parts,
    pub(crate) ordinals: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    Bytes,
    Characters,
}

impl StringIterable {
    pub(crate) fn type_name(&self) -> &'static str {
        match self.parts {
            Parts::Bytes => "elems",
            Parts::Characters => "codepoints",
        }
    }

    /// The name of the method that returns it, for `repr`.
    pub(crate) fn method(&self) -> &'static str {
        match (self.parts, self.ordinals) {
            (Parts::Bytes, false) => "elems",
            (Parts::Bytes, true) => "elem_ords",
            (Parts::Characters, false) => "codepoints",
            (Parts::Characters, true) => "codepoint_ords",
        }
    }

    /// Returns the part at a byte offset, and the offset of the next.
    pub(crate) fn part(&self, at: usize) -> Option<(Value, usize)> {
        let rest = self.string.as_bytes().get(at..).filter(|rest| !rest.is_empty())?;
        let (ordinal, size) = match self.parts {
            Parts::Bytes => (u32::from(rest[0]), 1),
            Parts::Characters => {
                let (c, size) = text::decode(rest);
                (u32::from(c.unwrap_or(text::REPLACEMENT)), size)
            }
        };
        let part = if self.ordinals {
            Value::Int(i64::from(ordinal))
        } else {
            Value::String(Text::from_bytes(&rest[..size]))
        };
        Some((part, at + size))
    }
}
