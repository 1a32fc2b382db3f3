//! The text around an error: its line, the line before it, and what is there.

use std::ops::Range;

use plumb_source::message::plain;
use plumb_source::{Message, message};

/// The place of an error in its text.
#[derive(Clone)]
pub(super) struct Site<'a> {
    bytes: &'a [u8],
    /// The place of the error. Within the text.
    pub(super) place: Range<usize>,
}

impl<'a> Site<'a> {
    pub(super) fn new(bytes: &'a [u8], place: Range<usize>) -> Self {
        let end = place.end.min(bytes.len());
        Self { bytes, place: place.start.min(end)..end }
    }

    /// The site of another place in the same text.
    pub(super) fn at(&self, place: Range<usize>) -> Self {
        Self::new(self.bytes, place)
    }

    pub(super) fn text(&self, range: Range<usize>) -> &'a [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// The text from the place to the end of its line.
    pub(super) fn rest_of_line(&self) -> &'a [u8] {
        self.text(self.place.start..self.line().end)
    }

    /// The text of the line before the place.
    pub(super) fn start_of_line(&self) -> &'a [u8] {
        self.text(self.line().start..self.place.start)
    }

    pub(super) fn line(&self) -> Range<usize> {
        let start = self.place.start;
        let end = memchr::memchr(b'\n', &self.bytes[start..]);
        line_start(self.bytes, start)..end.map_or(self.bytes.len(), |it| start + it)
    }

    /// The last line before this one that is neither empty nor a comment. Empty if there is none.
    pub(super) fn line_before(&self) -> Range<usize> {
        let mut end = self.line().start;
        while end > 0 {
            let start = line_start(self.bytes, end - 1);
            let text = self.bytes[start..end - 1].trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return start..end - 1;
            }
            end = start;
        }
        0..0
    }

    /// The text of the line before, without the blanks around it.
    pub(super) fn trimmed_line_before(&self) -> Range<usize> {
        let line = self.line_before();
        let text = self.text(line.clone());
        let start = line.start + indentation(text);
        start..start + text.trim_ascii().len()
    }

    /// Returns whether only blanks and the dashes of items are before the place on its line.
    pub(super) fn is_first_on_line(&self) -> bool {
        self.start_of_line().iter().all(|it| matches!(it, b' ' | b'\t' | b'-'))
    }

    /// Returns the last byte before the place on its line that is not a blank.
    pub(super) fn byte_before(&self) -> Option<u8> {
        self.start_of_line().trim_ascii_end().last().copied()
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.bytes.get(self.place.start).copied()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes[self.place.start..].trim_ascii().is_empty()
    }

    /// Returns whether a line has fewer blanks at its start than the line of `other`, or the same
    /// number.
    pub(super) fn is_outside_of(&self, other: &Self) -> bool {
        let (own, outer) = (self.line(), other.line());
        own.start > outer.start && indentation(self.text(own)) <= indentation(self.text(outer))
    }

    /// Returns what is at the place. Shows only characters that have a meaning in YAML.
    pub(super) fn found(&self) -> Message {
        let rest = self.rest_of_line();
        let is_at_line_start = self.start_of_line().is_empty();
        match rest.first() {
            _ if self.is_at_end() => "the end of the text".into(),
            None | Some(b'\r') => "the end of the line".into(),
            Some(b'-') if is_at_line_start && rest.starts_with(b"---") => "`---`".into(),
            Some(b'-') if is_item(rest) && self.is_first_on_line() => "an item of a list".into(),
            Some(b'-') if is_item(rest) => "`-`".into(),
            Some(b'\t') => "a tab".into(),
            // Which one it is may be the first character of a secret.
            Some(b'`' | b'|' | b'>' | b'%' | b'@') => "a reserved character".into(),
            Some(b'"' | b'\'') => "a string in quotes".into(),
            Some(b'#') => "a comment".into(),
            Some(
                indicator @ (b'[' | b']' | b'{' | b'}' | b',' | b':' | b'?' | b'*' | b'&' | b'!'),
            ) => message!("`{}`", plain(char::from(*indicator))),
            Some(_) if has_key(rest) => "a key".into(),
            Some(_) => "text".into(),
        }
    }
}

/// Returns whether a text begins with an item of a list.
pub(super) fn is_item(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.starts_with(b"- ") || text == b"-"
}

/// Returns whether a text contains a key and the colon after it.
pub(super) fn has_key(text: &[u8]) -> bool {
    text.trim_ascii_end().ends_with(b":") || text.windows(2).any(|it| it == b": ")
}

pub(super) fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|it| matches!(it, b' ' | b'\t')).count()
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |it| it + 1)
}
