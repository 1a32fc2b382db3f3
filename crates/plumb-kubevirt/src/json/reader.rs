//! A pull reader of JSON: the caller asks for the value that it expects, and gets its position.
//!
//! Error messages are those of Go's decoder, which users of KubeVirt's own validator know. They
//! point at the character.

use std::borrow::Cow;
use std::ops::Range;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};

/// Deeper nesting is refused: it is not needed here, and could overflow the stack.
const MAX_DEPTH: usize = 256;

pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// The kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A key of an object, and its byte range including the quotes.
pub(crate) struct Key<'a> {
    pub text: Cow<'a, str>,
    pub at: Range<usize>,
}

/// The text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The character that is not allowed there; empty at the end of the text.
    pub at: Range<usize>,
    /// The message. The wrong character is a value in it, so that it can be hidden.
    pub message: Message,
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// Where the next value starts, if [`shape`](Self::shape) was called, or else where the last
    /// one ended.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn shape(&mut self) -> Result<Shape> {
        self.skip_blanks();
        match self.byte() {
            Some(b'n') => Ok(Shape::Null),
            Some(b't' | b'f') => Ok(Shape::Bool),
            Some(b'-' | b'0'..=b'9') => Ok(Shape::Number),
            Some(b'"') => Ok(Shape::String),
            Some(b'[') => Ok(Shape::Array),
            Some(b'{') => Ok(Shape::Object),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    pub(crate) fn null(&mut self) -> Result<()> {
        self.literal("null")
    }

    pub(crate) fn bool(&mut self) -> Result<bool> {
        let value = self.byte() == Some(b't');
        self.literal(if value { "true" } else { "false" }).map(|()| value)
    }

    /// The text of a number.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.digits("in numeric literal")?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        Ok(&self.text[start..self.at])
    }

    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        let mut unescaped = String::new();
        let mut copied = start;
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => {
                    unescaped.push_str(&self.text[copied..self.at]);
                    unescaped.push(self.escape()?);
                    copied = self.at;
                }
                Some(0x20..) => self.at += 1,
                Some(_) => return Err(self.unexpected("in string literal")),
                None => return Err(self.ended()),
            }
        }
        let rest = &self.text[copied..self.at];
        self.at += 1;
        if copied == start {
            return Ok(Cow::Borrowed(rest));
        }
        unescaped.push_str(rest);
        Ok(Cow::Owned(unescaped))
    }

    /// Reads an array. Calls `element` at the start of each element; it must read the element.
    pub(crate) fn array(&mut self, mut element: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.enter()?;
        let mut is_closed = self.next_is(b']');
        while !is_closed {
            self.shape()?;
            element(self)?;
            is_closed = self.next_is(b']');
            if !is_closed {
                self.expect(b',', "after array element")?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads an object. Calls `member` with each key; it must read the value.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Key<'a>) -> Result<()>,
    ) -> Result<()> {
        self.enter()?;
        let mut is_closed = self.next_is(b'}');
        while !is_closed {
            self.skip_blanks();
            if self.byte() != Some(b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let start = self.at;
            let text = self.string()?;
            let key = Key { text, at: start..self.at };
            self.expect(b':', "after object key")?;
            self.shape()?;
            member(self, key)?;
            is_closed = self.next_is(b'}');
            if !is_closed {
                self.expect(b',', "after object key:value pair")?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads a value of any kind and discards it.
    pub(crate) fn skip(&mut self) -> Result<()> {
        match self.shape()? {
            Shape::Null => self.null(),
            Shape::Bool => self.bool().map(|_| ()),
            Shape::Number => self.number().map(|_| ()),
            Shape::String => self.string().map(|_| ()),
            Shape::Array => self.array(Self::skip),
            Shape::Object => self.object(|reader, _| reader.skip()),
        }
    }

    /// Fails unless only blanks follow the value.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.skip_blanks();
        match self.byte() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("after top-level value")),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Consumes the byte if it comes next, after any blanks.
    fn next_is(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_next = self.byte() == Some(byte);
        if is_next {
            self.at += 1;
        }
        is_next
    }

    fn expect(&mut self, byte: u8, context: &str) -> Result<()> {
        if self.next_is(byte) { Ok(()) } else { Err(self.unexpected(context)) }
    }

    fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            let message = message!("nested deeper than {MAX_DEPTH} levels");
            return Err(SyntaxError { at: self.at..self.at + 1, message });
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn literal(&mut self, word: &str) -> Result<()> {
        for expected in word.chars() {
            if self.text[self.at..].starts_with(expected) {
                self.at += 1;
            } else {
                let context = format!("in literal {word} (expecting {})", quoted(expected));
                return Err(self.unexpected(&context));
            }
        }
        Ok(())
    }

    /// Reads at least one digit.
    fn digits(&mut self, context: &str) -> Result<()> {
        let start = self.at;
        while self.byte().is_some_and(|it| it.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected(context)) } else { Ok(()) }
    }

    /// Reads the character that an escape denotes. Half a surrogate pair becomes U+FFFD.
    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let char = match self.byte() {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.unexpected("in string escape code")),
        };
        self.at += 1;
        Ok(char)
    }

    fn unicode_escape(&mut self) -> Result<char> {
        let first = self.code_unit()?;
        if !(0xD800..0xDC00).contains(&first) || !self.text[self.at..].starts_with("\\u") {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.at;
        self.at += 1;
        let second = self.code_unit()?;
        if (0xDC00..0xE000).contains(&second) {
            let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = before;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// Reads the four digits after `\u`. The reader is at the `u`.
    fn code_unit(&mut self) -> Result<u32> {
        self.at += 1;
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.byte().and_then(|it| char::from(it).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("in \\u hexadecimal character escape"));
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// The error that the next value does not have the expected type.
    pub(crate) fn mistyped(&self, what: &str, expected: &str) -> SyntaxError {
        SyntaxError {
            at: self.at..self.at + 1,
            message: message!("{} must be {}", plain(what), plain(expected)),
        }
    }

    pub(crate) fn too_many_values(&self) -> SyntaxError {
        SyntaxError { at: self.at..self.at + 1, message: "too many values".into() }
    }

    fn unexpected(&self, context: &str) -> SyntaxError {
        let Some(found) = self.text[self.at..].chars().next() else {
            return self.ended();
        };
        let message = message!("invalid character {} {}", secret(quoted(found)), plain(context));
        SyntaxError { at: self.at..self.at + found.len_utf8(), message }
    }

    fn ended(&self) -> SyntaxError {
        let end = self.text.len();
        SyntaxError { at: end..end, message: "unexpected end of JSON input".into() }
    }
}

/// The character in single quotes, escaped if it is not visible.
fn quoted(char: char) -> String {
    match char {
        '\'' => r"'\''".to_owned(),
        '"' => "'\"'".to_owned(),
        '\\' => r"'\\'".to_owned(),
        '\u{feff}' => r"'\ufeff'".to_owned(),
        _ if char.is_control() => format!("'{}'", char.escape_default()),
        _ => format!("'{char}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: Range<usize>, message: &str) {
        let mut reader = Reader::new(text);
        let error = reader.skip().and_then(|()| reader.end()).expect_err("the text is not JSON");
        assert_eq!((error.message.shown(), error.at), (message, at), "{text}");
    }

    #[test]
    fn an_error_points_at_the_character() {
        check("x", 0..1, "invalid character 'x' looking for beginning of value");
        check(" [1,]", 4..5, "invalid character ']' looking for beginning of value");
        check(r#"{"a" "b"}"#, 5..6, "invalid character '\"' after object key");
        check(r#"{"a": 1 "b"}"#, 8..9, "invalid character '\"' after object key:value pair");
        check("{“a”: 1}", 1..4, "invalid character '“' looking for beginning of object key string");
        check(
            "{'a': 1}",
            1..2,
            r"invalid character '\'' looking for beginning of object key string",
        );
        check("[1 2]", 3..4, "invalid character '2' after array element");
        check("[] []", 3..4, "invalid character '[' after top-level value");
        check("tru", 3..3, "unexpected end of JSON input");
        check("trux", 3..4, "invalid character 'x' in literal true (expecting 'e')");
        check("- 1", 1..2, "invalid character ' ' in numeric literal");
        check("1.x", 2..3, "invalid character 'x' after decimal point in numeric literal");
        check("1e", 2..2, "unexpected end of JSON input");
        check("\"a\nb\"", 2..3, r"invalid character '\n' in string literal");
        check(r#""\x""#, 2..3, "invalid character 'x' in string escape code");
        check(r#""\u12g4""#, 5..6, r"invalid character 'g' in \u hexadecimal character escape");
        check("\u{feff}[]", 0..3, r"invalid character '\ufeff' looking for beginning of value");
        check("", 0..0, "unexpected end of JSON input");
        check("[{", 2..2, "unexpected end of JSON input");
    }

    #[test]
    fn nesting_is_limited() {
        let deep = "[".repeat(100_000);
        check(&deep, 256..257, "nested deeper than 256 levels");
    }

    #[test]
    fn escapes_are_resolved() {
        let mut reader = Reader::new(r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx""#);
        let text = reader.string().expect("the text is JSON");
        assert_eq!(text, "a\"\\/\u{8}\u{c}\n\r\té😀\u{fffd}x");
    }
}
