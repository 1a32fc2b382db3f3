//! Converts between positions of the protocol (line and character) and byte offsets.

use lsp_types::{Position, Range};

/// The unit in which the characters of a position are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// UTF-16 code units: two for characters outside the basic plane. This is the default of the
    /// protocol.
    #[default]
    Utf16,
}

/// A text and where its lines begin.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    text: String,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// A text whose positions are counted in this encoding.
    pub fn new(text: String, encoding: Encoding) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, it)| *it == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { text, starts, encoding }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte offset of a position. A position after the end of a line means the end of the line.
    /// A position after the last line means the end of the text.
    pub fn offset(&self, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return offset(self.text.len());
        };
        let end = self.starts.get(position.line as usize + 1).map_or(self.text.len(), |it| it - 1);
        let line = &self.text[start..end];
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = position.character as usize;
        for (at, letter) in line.char_indices() {
            let size = self.size(letter);
            if left < size {
                return offset(start + at);
            }
            left -= size;
        }
        offset(start + line.len())
    }

    /// The position of a byte offset.
    pub fn position(&self, at: u32) -> Position {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|it| *it <= at) - 1;
        let before = &self.text[self.starts[line]..at];
        let character = before.chars().map(|it| self.size(it)).sum();
        Position { line: offset(line), character: offset(character) }
    }

    /// The range of the protocol for a range of bytes.
    pub fn range(&self, range: &std::ops::Range<u32>) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// The text with a range replaced. Without a range, the whole text is replaced.
    pub fn replaced(&self, range: Option<Range>, new: &str) -> String {
        let Some(range) = range else { return new.to_owned() };
        let (start, end) = (self.offset(range.start) as usize, self.offset(range.end) as usize);
        let (start, end) = (start.min(end), start.max(end));
        [&self.text[..start], new, &self.text[end..]].concat()
    }

    fn size(&self, letter: char) -> usize {
        match self.encoding {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
        }
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_in_both_encodings() {
        let text = "aé\r\n😀b\n";
        for (encoding, characters) in [(Encoding::Utf8, [1, 3, 4]), (Encoding::Utf16, [1, 2, 2])] {
            let lines = Lines::new(text.to_owned(), encoding);
            let check = |line, character, at| {
                let position = Position { line, character };
                assert_eq!(lines.offset(position), at, "{encoding:?} {line}:{character}");
                assert_eq!(lines.position(at), position, "{encoding:?} {at}");
            };
            check(0, characters[0], 1);
            check(0, characters[1], 3);
            check(1, 0, 5);
            check(1, characters[2], 9);
            check(2, 0, 11);
        }
    }

    #[test]
    fn positions_outside_of_the_text_are_at_its_ends() {
        let lines = Lines::new("ab\ncd".to_owned(), Encoding::Utf16);
        assert_eq!(lines.offset(Position { line: 0, character: 99 }), 2);
        assert_eq!(lines.offset(Position { line: 99, character: 0 }), 5);
        let range = Range { start: Position::new(9, 9), end: Position::new(0, 1) };
        assert_eq!(lines.replaced(Some(range), "x"), "ax");
    }
}
