//! Decodes JSON with the results of Go's decoder: numbers are floats, the last value of a duplicate
//! key is used, keys are sorted.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumb_source::message::term;
use plumb_source::{MAX_DEPTH, Text};
use plumb_starlark::{Dict, Error, Result, Value};
use plumb_yaml::json::{Reader, Shape, SyntaxError, SyntaxErrorKind};

use crate::decode_error::DecodeError;

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

fn in_words(error: &SyntaxError, text: &[u8]) -> Error {
    let words = error.words();
    Error::new(match &error.kind {
        SyntaxErrorKind::Unexpected { context, .. } => {
            let byte = text.get(error.at.start).copied().unwrap_or_default();
            term(words, DecodeError::Json { byte, context: *context }).into()
        }
        SyntaxErrorKind::TooDeep(_) => term(words, DecodeError::JsonTooDeep).into(),
        SyntaxErrorKind::Ended(inside) => term(words, DecodeError::JsonEnded(*inside)).into(),
        SyntaxErrorKind::TooManyValues
        | SyntaxErrorKind::NotAFloat(_)
        | SyntaxErrorKind::Mistyped { .. } => words,
    })
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
    fn a_message_says_what_is_expected() {
        check("", "expected more JSON, found the end of the text");
        check("{", "expected more JSON, found the end of the text");
        check("{a}", "expected a key in double quotes, found 'a'");
        check("[1,]", "expected a value, found ']'");
        check("[1 2]", "expected `,` or `]` after an element, found '2'");
        check(r#"{"a" 1}"#, "expected `:` after a key, found '1'");
        check("1 2", "expected the end of the text, found '2'");
        check("trux", "expected `true`, found 'x'");
        check("01", "expected the end of the text, found '1'");
        check("--1", "expected a digit, found '-'");
        check("é", "expected a value, found 'é'");
        check("1e999", "expected a number that fits in 64 bits, found 1e999");
    }
}
