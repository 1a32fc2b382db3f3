//! A JSON parser with the results and the messages of Go's: numbers are floats, the last value of a
//! duplicate key is used, keys are sorted.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumb_source::message::{plain, secret};
use plumb_source::{Text, message};
use plumb_starlark::{Dict, Error, Result, Value};

/// How deep values may nest.
const MAX_DEPTH: usize = 10_000;

/// Parses exactly one value.
pub(crate) fn decode(text: &[u8]) -> Result<Value> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = reader.value()?;
    match reader.peek() {
        None => Ok(value),
        Some(byte) => Err(unexpected(byte, "after top-level value")),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value> {
        match self.peek() {
            None => Err(cut_off()),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::None),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(byte) => Err(unexpected(byte, "looking for beginning of value")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value>) -> Result<Value> {
        if self.depth == MAX_DEPTH {
            return Err(Error::new("exceeded max depth"));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value> {
        let mut entries: BTreeMap<Text, Value> = BTreeMap::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Dict(Arc::new(Dict::new())));
        }
        loop {
            match self.peek() {
                None => return Err(cut_off()),
                Some(b'"') => {}
                Some(byte) => {
                    return Err(unexpected(byte, "looking for beginning of object key string"));
                }
            }
            let key = self.string()?;
            self.expect(b':', "after object key")?;
            let value = self.value()?;
            entries.insert(key, value);
            match self.peek() {
                None => return Err(cut_off()),
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(byte) => return Err(unexpected(byte, "after object key:value pair")),
            }
        }
        self.at += 1;
        let items = entries.into_iter().map(|(key, value)| (Value::String(key), value));
        Ok(Value::Dict(Arc::new(Dict::from_items(items)?)))
    }

    fn array(&mut self) -> Result<Value> {
        let mut elements = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::list(elements));
        }
        loop {
            elements.push(self.value()?);
            match self.peek() {
                None => return Err(cut_off()),
                Some(b',') => self.at += 1,
                Some(b']') => break,
                Some(byte) => return Err(unexpected(byte, "after array element")),
            }
        }
        self.at += 1;
        Ok(Value::list(elements))
    }

    fn expect(&mut self, wanted: u8, place: &str) -> Result<()> {
        match self.peek() {
            Some(byte) if byte == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(byte) => Err(unexpected(byte, place)),
            None => Err(cut_off()),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        for (index, wanted) in word.bytes().enumerate() {
            match self.text.get(self.at + index) {
                Some(&byte) if byte == wanted => {}
                Some(&byte) => {
                    let wanted = char::from(wanted);
                    let place = format!("in literal {word} (expecting '{wanted}')");
                    return Err(unexpected(byte, &place));
                }
                None => return Err(cut_off()),
            }
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        self.skip(|byte| byte == b'-');
        match self.text.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.skip(|byte| byte.is_ascii_digit()),
            Some(&byte) => return Err(unexpected(byte, "in numeric literal")),
            None => return Err(cut_off()),
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.text.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).expect("ASCII was skipped");
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            _ => Err(Error::new(message!(
                "json: cannot unmarshal number {} into Go value of type float64",
                secret(digits)
            ))),
        }
    }

    fn digits(&mut self, place: &str) -> Result<()> {
        match self.text.get(self.at) {
            Some(byte) if byte.is_ascii_digit() => {
                self.skip(|byte| byte.is_ascii_digit());
                Ok(())
            }
            Some(&byte) => Err(unexpected(byte, place)),
            None => Err(cut_off()),
        }
    }

    /// Parses a string, beginning with its opening quote. Bytes that are not UTF-8 become U+FFFD.
    fn string(&mut self) -> Result<Text> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let start = self.at;
            self.skip(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F));
            out.extend_from_slice(&self.text[start..self.at]);
            match self.text.get(self.at) {
                None => return Err(cut_off()),
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut out)?,
                Some(&byte) => return Err(unexpected(byte, "in string literal")),
            }
        }
        self.at += 1;
        Ok(Text::from(String::from_utf8_lossy(&out).into_owned()))
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.at += 1;
        let Some(&byte) = self.text.get(self.at) else {
            return Err(cut_off());
        };
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                let character = self.code_point()?;
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            other => return Err(unexpected(other, "in string escape code")),
        };
        out.push(plain);
        self.at += 1;
        Ok(())
    }

    /// Parses four hexadecimal digits, or two groups of four that form a surrogate pair.
    fn code_point(&mut self) -> Result<char> {
        let first = self.hex()?;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                let joined = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Result<u32> {
        let mut value = 0;
        for _ in 0..4 {
            let Some(&byte) = self.text.get(self.at) else {
                return Err(cut_off());
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(unexpected(byte, "in \\u hexadecimal character escape"));
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.text.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|&byte| is_skipped(byte)) {
            self.at += 1;
        }
    }
}

fn cut_off() -> Error {
    Error::new("unexpected end of JSON input")
}

fn unexpected(byte: u8, place: &str) -> Error {
    let shown = match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x20..=0x7E => format!("'{}'", char::from(byte)),
        0x80..=0xFF if byte >= 0xA1 && byte != 0xAD => format!("'{}'", char::from(byte)),
        other => format!("'\\x{other:02x}'"),
    };
    Error::new(message!("invalid character {} {}", secret(shown), plain(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match decode(text.as_bytes()) {
            Ok(value) => value.repr().expect("finite").to_string(),
            Err(error) => error.message().shown().to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn values_are_read_with_sorted_keys_and_float_numbers() {
        check(
            r#" {"b": [1, 2.5, true, null], "a": "x\n\u00e9"} "#,
            "{\"a\": \"x\\né\", \"b\": [1, 2.5, True, None]}",
        );
        check("1e3", "1000");
        check(r#""\ud83d\ude00""#, "\"😀\"");
        check("[]", "[]");
    }

    #[test]
    fn what_is_wrong_is_said_in_the_words_of_go() {
        check("", "unexpected end of JSON input");
        check("{", "unexpected end of JSON input");
        check("{a}", "invalid character 'a' looking for beginning of object key string");
        check("[1,]", "invalid character ']' looking for beginning of value");
        check("[1 2]", "invalid character '2' after array element");
        check(r#"{"a" 1}"#, "invalid character '1' after object key");
        check("1 2", "invalid character '2' after top-level value");
        check("trux", "invalid character 'x' in literal true (expecting 'e')");
        check("01", "invalid character '1' after top-level value");
    }
}
