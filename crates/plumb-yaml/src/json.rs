//! A pull reader for JSON: the caller asks for the value that it expects, and gets the value and
//! its position.
//!
//! It accepts the same texts as Go's decoder, and reports errors at the same places and with the
//! same words, because users of ytt and of KubeVirt's own validator know them. This is the only
//! such reader in the workspace.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message};

/// A position in a JSON text.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    max_depth: usize,
}

/// The kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A key of an object, and its byte range including the quotes.
pub struct Key<'a> {
    pub text: Cow<'a, str>,
    pub at: Range<usize>,
}

/// The text is not JSON, or not the JSON that the caller expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The character that is not allowed there; empty at the end of the text.
    pub at: Range<usize>,
    /// What is wrong there.
    pub kind: SyntaxErrorKind,
}

/// What is wrong with a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// A character that is not allowed here.
    Unexpected {
        /// The character. U+FFFD stands for bytes that are not UTF-8.
        found: char,
        /// The part of the text that was being read.
        context: Context,
    },
    /// The text ends before the value does. Contains the context if the end is inside of a word, a
    /// number or an escape.
    Ended(Option<Context>),
    /// Values are nested deeper than this.
    TooDeep(usize),
    /// There are more values than the caller accepts.
    TooManyValues,
    /// A number that is out of range for a float. Contains its text.
    NotAFloat(String),
    /// A value does not have the type that the caller expects.
    Mistyped {
        /// The name of the value.
        what: String,
        /// The expected type, with an article.
        expected: String,
    },
}

/// A number that does not fit in 64 bits. Contains its text.
#[derive(Clone, Debug)]
pub enum NumberError {
    /// A number in JSON.
    Json(String),
    /// An integer in strict YAML.
    Integer(String),
    /// A number with a fraction or an exponent in strict YAML.
    Float(String),
}

/// The part of a JSON text in which a character is not allowed. Its text is Go's, which KubeVirt
/// shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The beginning of a value.
    Value,
    /// The beginning of a key of an object.
    Key,
    /// The colon after a key.
    AfterKey,
    /// The comma or brace after a value of an object.
    AfterPair,
    /// The comma or bracket after a value of an array.
    AfterElement,
    /// The end of the text, after its only value.
    AfterValue,
    /// A word.
    Literal {
        /// `null`, `true` or `false`.
        word: &'static str,
        /// Its next letter.
        expected: char,
    },
    /// The digits before the decimal point.
    Number,
    /// The digits after the decimal point.
    Fraction,
    /// The digits of an exponent.
    Exponent,
    /// A string.
    String,
    /// The letter after a backslash.
    Escape,
    /// The digits after `\u`.
    UnicodeEscape,
}

impl SyntaxError {
    /// The message in our words. The wrong character is a value in it, so that it can be masked.
    pub fn words(&self) -> Message {
        match &self.kind {
            SyntaxErrorKind::Unexpected { found, context } => {
                message!("expected {}, found {}", context.words(), secret(quoted(*found)))
            }
            SyntaxErrorKind::Ended(None) => "expected more JSON, found the end of the text".into(),
            SyntaxErrorKind::Ended(Some(context)) => {
                message!("expected {}, found the end of the text", context.words())
            }
            SyntaxErrorKind::TooDeep(_)
            | SyntaxErrorKind::TooManyValues
            | SyntaxErrorKind::NotAFloat(_)
            | SyntaxErrorKind::Mistyped { .. } => self.message(),
        }
    }

    /// The message in Go's words.
    pub fn message(&self) -> Message {
        match &self.kind {
            SyntaxErrorKind::Unexpected { found, context } => {
                message!("invalid character {} {}", secret(quoted(*found)), plain(context))
            }
            SyntaxErrorKind::Ended(None) => "unexpected end of JSON input".into(),
            // Go reads a space after the end.
            SyntaxErrorKind::Ended(Some(context)) => {
                message!("invalid character ' ' {}", plain(context))
            }
            SyntaxErrorKind::TooDeep(limit) => message!("nested deeper than {limit} levels"),
            SyntaxErrorKind::TooManyValues => "too many values".into(),
            SyntaxErrorKind::NotAFloat(digits) => {
                let message =
                    message!("expected a number that fits in 64 bits, found {}", secret(digits));
                term(message, NumberError::Json(digits.clone())).into()
            }
            SyntaxErrorKind::Mistyped { what, expected } => {
                message!("{} must be {}", plain(what), plain(expected))
            }
        }
    }
}

impl Context {
    /// Returns our words for what is expected.
    fn words(self) -> Message {
        match self {
            Self::Value => "a value",
            Self::Key => "a key in double quotes",
            Self::AfterKey => "`:` after a key",
            Self::AfterPair => "`,` or `}` after a value",
            Self::AfterElement => "`,` or `]` after an element",
            Self::AfterValue => "the end of the text",
            Self::Literal { word, .. } => return message!("`{word}`"),
            Self::Number => "a digit",
            Self::Fraction => "a digit after the decimal point",
            Self::Exponent => "a digit in the exponent",
            Self::String => "a string without control characters",
            Self::Escape => "an escape such as `\\n`",
            Self::UnicodeEscape => "four hexadecimal digits after `\\u`",
        }
        .into()
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "looking for beginning of value",
            Self::Key => "looking for beginning of object key string",
            Self::AfterKey => "after object key",
            Self::AfterPair => "after object key:value pair",
            Self::AfterElement => "after array element",
            Self::AfterValue => "after top-level value",
            Self::Literal { word, expected } => {
                return write!(f, "in literal {word} (expecting {})", quoted(*expected));
            }
            Self::Number => "in numeric literal",
            Self::Fraction => "after decimal point in numeric literal",
            Self::Exponent => "in exponent of numeric literal",
            Self::String => "in string literal",
            Self::Escape => "in string escape code",
            Self::UnicodeEscape => "in \\u hexadecimal character escape",
        })
    }
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl<'a> Reader<'a> {
    /// A reader at the start of a text. Deeper nesting than `max_depth` is an error: callers
    /// recurse.
    pub fn new(text: &'a [u8], max_depth: usize) -> Self {
        Self { text, at: 0, depth: 0, max_depth }
    }

    /// The start of the next value, if [`shape`](Self::shape) was called, and otherwise the end of
    /// the last one.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The kind of the next value. Does not consume the value.
    pub fn shape(&mut self) -> Result<Shape> {
        self.skip_blanks();
        match self.byte() {
            Some(b'n') => Ok(Shape::Null),
            Some(b't' | b'f') => Ok(Shape::Bool),
            Some(b'-' | b'0'..=b'9') => Ok(Shape::Number),
            Some(b'"') => Ok(Shape::String),
            Some(b'[') => Ok(Shape::Array),
            Some(b'{') => Ok(Shape::Object),
            _ => Err(self.unexpected(Context::Value)),
        }
    }

    /// Reads `null`.
    pub fn null(&mut self) -> Result<()> {
        self.literal("null")
    }

    /// Reads `true` or `false`.
    pub fn bool(&mut self) -> Result<bool> {
        let value = self.byte() == Some(b't');
        self.literal(if value { "true" } else { "false" }).map(|()| value)
    }

    /// Reads a number and returns its text.
    pub fn number(&mut self) -> Result<&'a str> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.digits(Context::Number)?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits(Context::Fraction)?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits(Context::Exponent)?;
        }
        Ok(std::str::from_utf8(&self.text[start..self.at]).expect("only ASCII was read"))
    }

    /// Reads a number as a float.
    pub fn float(&mut self) -> Result<f64> {
        let start = self.at;
        let digits = self.number()?;
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                let kind = SyntaxErrorKind::NotAFloat(digits.to_owned());
                Err(SyntaxError { at: start..self.at, kind })
            }
        }
    }

    /// Reads a string. Bytes that are not UTF-8 become U+FFFD.
    pub fn string(&mut self) -> Result<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        let mut unescaped = Vec::new();
        let mut copied = start;
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => {
                    unescaped.extend_from_slice(&self.text[copied..self.at]);
                    let char = self.escape()?;
                    unescaped.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    copied = self.at;
                }
                Some(0x20..) => self.at += 1,
                Some(_) => return Err(self.unexpected(Context::String)),
                None => return Err(self.ended(None)),
            }
        }
        let rest = &self.text[copied..self.at];
        self.at += 1;
        if copied == start {
            return Ok(String::from_utf8_lossy(rest));
        }
        unescaped.extend_from_slice(rest);
        Ok(Cow::Owned(match String::from_utf8(unescaped) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }))
    }

    /// Reads an array. Calls `element` at the start of each element; it must read the element.
    pub fn array(&mut self, mut element: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.enter()?;
        let mut is_closed = self.next_is(b']');
        while !is_closed {
            self.shape()?;
            element(self)?;
            is_closed = self.next_is(b']');
            if !is_closed {
                self.expect(b',', Context::AfterElement)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads an object. Calls `member` with each key; it must read the value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Key<'a>) -> Result<()>,
    ) -> Result<()> {
        self.enter()?;
        let mut is_closed = self.next_is(b'}');
        while !is_closed {
            self.skip_blanks();
            if self.byte() != Some(b'"') {
                return Err(self.unexpected(Context::Key));
            }
            let start = self.at;
            let text = self.string()?;
            let key = Key { text, at: start..self.at };
            self.expect(b':', Context::AfterKey)?;
            self.shape()?;
            member(self, key)?;
            is_closed = self.next_is(b'}');
            if !is_closed {
                self.expect(b',', Context::AfterPair)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads a value of any kind and discards it.
    pub fn skip(&mut self) -> Result<()> {
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
    pub fn end(&mut self) -> Result<()> {
        self.skip_blanks();
        match self.byte() {
            None => Ok(()),
            Some(_) => Err(self.unexpected(Context::AfterValue)),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
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

    fn expect(&mut self, byte: u8, context: Context) -> Result<()> {
        if self.next_is(byte) { Ok(()) } else { Err(self.unexpected(context)) }
    }

    fn enter(&mut self) -> Result<()> {
        if self.depth == self.max_depth {
            return Err(self.error_here(SyntaxErrorKind::TooDeep(self.max_depth)));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn literal(&mut self, word: &'static str) -> Result<()> {
        for expected in word.chars() {
            if self.byte().map(char::from) != Some(expected) {
                return Err(self.unexpected(Context::Literal { word, expected }));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads at least one digit.
    fn digits(&mut self, context: Context) -> Result<()> {
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
            _ => return Err(self.unexpected(Context::Escape)),
        };
        self.at += 1;
        Ok(char)
    }

    fn unicode_escape(&mut self) -> Result<char> {
        let first = self.code_unit()?;
        if !(0xD800..0xDC00).contains(&first) || !self.text[self.at..].starts_with(b"\\u") {
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
                return Err(self.unexpected(Context::UnicodeEscape));
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// The error that the next value does not have the expected type.
    pub fn mistyped(&self, what: &str, expected: &str) -> SyntaxError {
        let (what, expected) = (what.to_owned(), expected.to_owned());
        self.error_here(SyntaxErrorKind::Mistyped { what, expected })
    }

    /// The error that there are more values than the caller accepts.
    pub fn too_many_values(&self) -> SyntaxError {
        self.error_here(SyntaxErrorKind::TooManyValues)
    }

    fn error_here(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { at: self.at..self.at + 1, kind }
    }

    fn unexpected(&self, context: Context) -> SyntaxError {
        let next = &self.text[self.at..self.text.len().min(self.at + 4)];
        let Some(chunk) = next.utf8_chunks().next() else {
            let is_inside = matches!(
                context,
                Context::Literal { .. }
                    | Context::Number
                    | Context::Fraction
                    | Context::Exponent
                    | Context::Escape
                    | Context::UnicodeEscape
            );
            return self.ended(is_inside.then_some(context));
        };
        let found = chunk.valid().chars().next();
        let length = found.map_or(1, char::len_utf8);
        let found = found.unwrap_or(char::REPLACEMENT_CHARACTER);
        let kind = SyntaxErrorKind::Unexpected { found, context };
        SyntaxError { at: self.at..self.at + length, kind }
    }

    fn ended(&self, inside: Option<Context>) -> SyntaxError {
        let end = self.text.len();
        SyntaxError { at: end..end, kind: SyntaxErrorKind::Ended(inside) }
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
        let mut reader = Reader::new(text.as_bytes(), 256);
        let error = reader.skip().and_then(|()| reader.end()).expect_err("the text is not JSON");
        assert_eq!((error.message().shown(), error.at), (message, at), "{text}");
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
        check("tru", 3..3, "invalid character ' ' in literal true (expecting 'e')");
        check("trux", 3..4, "invalid character 'x' in literal true (expecting 'e')");
        check("- 1", 1..2, "invalid character ' ' in numeric literal");
        check("1.x", 2..3, "invalid character 'x' after decimal point in numeric literal");
        check("1e", 2..2, "invalid character ' ' in exponent of numeric literal");
        check("\"a\nb\"", 2..3, r"invalid character '\n' in string literal");
        check(r#""\x""#, 2..3, "invalid character 'x' in string escape code");
        check(r#""\u12g4""#, 5..6, r"invalid character 'g' in \u hexadecimal character escape");
        check("\u{feff}[]", 0..3, r"invalid character '\ufeff' looking for beginning of value");
        check("", 0..0, "unexpected end of JSON input");
        check("[{", 2..2, "unexpected end of JSON input");
        check("\"a", 2..2, "unexpected end of JSON input");
        check(r#""\"#, 2..2, "invalid character ' ' in string escape code");
        check(r#""\u12"#, 5..5, r"invalid character ' ' in \u hexadecimal character escape");
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_replaced() {
        let mut reader = Reader::new(b"\"a\xffb\"", 1);
        assert_eq!(reader.string().expect("a string"), "a\u{fffd}b");
        let error = Reader::new(b"\xff", 1).shape().expect_err("not a value");
        assert_eq!(error.at, 0..1);
    }

    #[test]
    fn nesting_is_limited() {
        let deep = "[".repeat(100_000);
        check(&deep, 256..257, "nested deeper than 256 levels");
    }

    #[test]
    fn escapes_are_resolved() {
        let text = r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx""#;
        let mut reader = Reader::new(text.as_bytes(), 1);
        let text = reader.string().expect("the text is JSON");
        assert_eq!(text, "a\"\\/\u{8}\u{c}\n\r\té😀\u{fffd}x");
    }
}
