//! Strings of the template language: bytes that are almost always UTF-8.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lean_string::LeanString;

/// An immutable, cheaply cloned string of bytes. Up to 16 bytes of UTF-8 are stored inline.
///
/// The representation is canonical (valid UTF-8 is always stored as such), so equality and hashing
/// never need to compare the two forms.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(Repr);

#[derive(Clone, PartialEq, Eq)]
enum Repr {
    Utf8(LeanString),
    /// Bytes that are not valid UTF-8 as a whole. It is one word, so that a text has two words.
    Raw(Arc<Vec<u8>>),
}

impl Text {
    /// An empty text.
    pub const fn new() -> Self {
        Self(Repr::Utf8(LeanString::new()))
    }

    /// Copies bytes, which do not have to be UTF-8.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self(Repr::Utf8(LeanString::from(text))),
            Err(_) => Self(Repr::Raw(Arc::new(bytes.to_vec()))),
        }
    }

    /// Returns the bytes of the text.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Utf8(text) => text.as_bytes(),
            Repr::Raw(bytes) => bytes,
        }
    }

    /// Returns the text as a `str`. Returns `None` if it is not UTF-8.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Utf8(text) => Some(text),
            Repr::Raw(_) => None,
        }
    }

    /// Returns the text for people to read, with U+FFFD in place of everything that is not UTF-8.
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Utf8(text) => Cow::Borrowed(text),
            Repr::Raw(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// Returns the length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Returns whether the text has no bytes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    /// Appends a text, in place if the text is not shared. So building a string from pieces takes
    /// time proportional to its length.
    #[inline]
    pub fn push(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Repr::Utf8(text), Repr::Utf8(more)) => text.push_str(more),
            (Repr::Raw(_), _) | (_, Repr::Raw(_)) => {
                let joined = [self.as_bytes(), other.as_bytes()].concat();
                *self = Self::from_bytes(&joined);
            }
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(Repr::Utf8(LeanString::from(text)))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(Repr::Utf8(LeanString::from(text)))
    }
}

impl From<LeanString> for Text {
    fn from(text: LeanString) -> Self {
        Self(Repr::Utf8(text))
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares bytes. For UTF-8, this is the order of code points.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str_lossy(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_str_lossy(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_of_a_character_join_to_utf8() {
        let (first, second) = "é".as_bytes().split_at(1);
        let mut text = Text::from_bytes(first);
        assert_eq!(text.as_str(), None);
        text.push(&Text::from_bytes(second));
        assert_eq!(text.as_str(), Some("é"));
        assert_eq!(text, Text::from("é"));
    }

    #[test]
    fn it_is_no_larger_than_two_words() {
        assert_eq!(size_of::<Text>(), 2 * size_of::<usize>());
    }
}
