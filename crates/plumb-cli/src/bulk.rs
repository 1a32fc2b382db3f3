//! Files as one JSON text, for programs that call this one: `{"files":[{"name":…,"data":…}]}`.
//!
//! Keys are read as in Go: case is ignored, and the last of two equal keys is used.

use std::fmt;

use plumb::GivenFile;
use plumb_source::message::plain;
use plumb_source::{Message, message};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Reads the argument of `--bulk-in`.
pub(crate) fn read(text: &str) -> Result<Vec<GivenFile>, Message> {
    let value: Json = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => Message::from("unexpected end of JSON input"),
        // The error contains a position, and never the text there.
        _ => plain(error).into(),
    })?;
    let wrong = || Message::from("expected JSON like {\"files\":[{\"name\":…,\"data\":…}]}");
    let files = match value {
        Json::Object(fields) => last(&fields, "files").cloned().unwrap_or(Json::Null),
        Json::Null => Json::Null,
        Json::Text(_) | Json::Array(_) | Json::Other => return Err(wrong()),
    };
    match files {
        Json::Null => Ok(Vec::new()),
        Json::Array(files) => files.iter().map(|it| read_file(it, wrong)).collect(),
        Json::Object(_) | Json::Text(_) | Json::Other => Err(wrong()),
    }
}

fn read_file(file: &Json, wrong: impl Fn() -> Message) -> Result<GivenFile, Message> {
    let fields = match file {
        Json::Object(fields) => fields.as_slice(),
        Json::Null => &[],
        Json::Text(_) | Json::Array(_) | Json::Other => return Err(wrong()),
    };
    let text = |key: &'static str| match last(fields, key) {
        Some(Json::Text(text)) => Ok(text.as_str()),
        None | Some(Json::Null) => Ok(""),
        Some(Json::Object(_) | Json::Array(_) | Json::Other) => {
            Err(message!("expected \"{key}\" of a file to be a string"))
        }
    };
    Ok(GivenFile { path: text("name")?.to_owned(), bytes: text("data")?.as_bytes().into() })
}

/// The last field of this name, ignoring case.
fn last<'a>(fields: &'a [(String, Json)], name: &str) -> Option<&'a Json> {
    fields.iter().rfind(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// A JSON value whose fields are in the order of the text.
#[derive(Clone, Debug)]
enum Json {
    Null,
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// A number or a boolean, which a valid text does not contain.
    Other,
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, Message> {
        read(text).map(|files| files.into_iter().map(|file| file.path).collect())
    }

    #[test]
    fn capital_letters_do_not_count_and_the_last_key_wins() {
        assert_eq!(names(r#"{"Files":[{"NAME":"a","dAta":""}]}"#), Ok(vec!["a".to_owned()]));
        let twice = r#"{"files":[{"name":"a"}],"Files":[{"Name":"b","name":"c"}]}"#;
        assert_eq!(names(twice), Ok(vec!["c".to_owned()]));
    }

    #[test]
    fn what_is_not_there_is_empty() {
        assert_eq!(names("null"), Ok(vec![]));
        assert_eq!(names(r#"{"files":null}"#), Ok(vec![]));
        assert_eq!(names(r#"{"files":[null,{"name":null}]}"#), Ok(vec![String::new(); 2]));
    }

    #[test]
    fn other_values_are_refused() {
        for text in ["1", "[]", r#"{"files":{}}"#, r#"{"files":[1]}"#] {
            let message = names(text).expect_err("it is wrong");
            assert!(message.shown().starts_with("expected JSON like"), "{text}: {message:?}");
        }
        let message = names(r#"{"files":[{"name":1}]}"#).expect_err("it is wrong");
        assert_eq!(message.shown(), "expected \"name\" of a file to be a string");
    }
}
