//! Decodes JSON with the results and the messages of Go's decoder: numbers are floats, the last value
//! of a duplicate key is used, keys are sorted.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumb_source::message::{plain, secret};
use plumb_source::{MAX_DEPTH, Text, message};
use plumb_starlark::{Dict, Error, Result, Value};
use plumb_yaml::json::{Reader, Shape, SyntaxError, SyntaxErrorKind};

/// Parses exactly one value.
pub(crate) fn decode(text: &[u8]) -> Result<Value> {
    let mut reader = Reader::new(text, MAX_DEPTH);
    let value = value(&mut reader).and_then(|it| reader.end().map(|()| it));
    value.map_err(|error| in_words(&error, text))
}

fn value(reader: &mut Reader<'_>) -> std::result::Result<Value, SyntaxError> {
    Ok(match reader.shape()? {
        Shape::Null => reader.null().map(|()| Value::None)?,
        Shape::Bool => Value::Bool(reader.bool()?),
        Shape::Number => Value::Float(reader.float()?),
        Shape::String => Value::String(Text::from(&*reader.string()?)),
        Shape::Array => {
            let mut elements = Vec::new();
            reader.array(|reader| value(reader).map(|it| elements.push(it)))?;
            Value::list(elements)
        }
        Shape::Object => {
            let mut entries: BTreeMap<Text, Value> = BTreeMap::new();
            reader.object(|reader, key| {
                entries.insert(Text::from(&*key.text), value(reader)?);
                Ok(())
            })?;
            let items = entries.into_iter().map(|(key, value)| (Value::String(key), value));
            Value::Dict(Arc::new(Dict::from_items(items).expect("strings can be keys")))
        }
    })
}

/// The error in Go's words. Go shows the first byte of a wrong character.
fn in_words(error: &SyntaxError, text: &[u8]) -> Error {
    Error::new(match &error.kind {
        SyntaxErrorKind::Unexpected { context, .. } => {
            let byte = text.get(error.at.start).copied().unwrap_or_default();
            message!("invalid character {} {}", secret(quoted(byte)), plain(context))
        }
        SyntaxErrorKind::TooDeep(_) => "exceeded max depth".into(),
        SyntaxErrorKind::Ended
        | SyntaxErrorKind::TooManyValues
        | SyntaxErrorKind::NotAFloat(_)
        | SyntaxErrorKind::Mistyped { .. } => error.message(),
    })
}

fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x20..=0x7E => format!("'{}'", char::from(byte)),
        0xA1..=0xFF if byte != 0xAD => format!("'{}'", char::from(byte)),
        other => format!("'\\x{other:02x}'"),
    }
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
        check("--1", "invalid character '-' in numeric literal");
        check("é", "invalid character 'Ã' looking for beginning of value");
        check("1e999", "expected a number that fits in 64 bits, found 1e999");
    }
}
