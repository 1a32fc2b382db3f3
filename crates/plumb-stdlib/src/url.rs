//! `@ytt:url`: URLs and percent-escapes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use plumb_source::{Origin, Text, message};
use plumb_starlark::{Args, Dict, Error, Result, Tally, Thread, Value};
use plumb_template::{DataStruct, convert};

use crate::arguments::{function, one, one_text};
use crate::definition::{Member, ModuleDefinition};
use crate::object::{method, object};
use crate::url_escape::{Part, escape, unescape};
use crate::url_text::{Url, User};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "url",
    summary: "parts of URLs",
    members: &[
        Member::created(
            "url.path_segment_encode(text)",
            "Encodes a text for the path of a URL.",
            |doc, ()| encoder(doc.full_name(), Part::PathSegment),
        ),
        Member::created("url.path_segment_decode(text)", "Decodes a part of a path.", |doc, ()| {
            decoder(doc.full_name(), Part::PathSegment)
        }),
        Member::created(
            "url.query_param_value_encode(text)",
            "Encodes a value for the query of a URL.",
            |doc, ()| encoder(doc.full_name(), Part::Query),
        ),
        Member::created(
            "url.query_param_value_decode(text)",
            "Decodes a value of a query.",
            |doc, ()| decoder(doc.full_name(), Part::Query),
        ),
        Member::function(
            "url.query_params_encode(parameters)",
            "Writes parameters as a query.",
            encode_params,
        ),
        Member::function(
            "url.query_params_decode(text)",
            "Reads the parameters of a query.",
            |_, args| decode_query(one_text(args)?.as_bytes()),
        ),
        Member::function(
            "url.parse(text)",
            "Reads a URL. It has `user`, `hostname()`, `without_user()` and `string()`.",
            |_, args| parse(args),
        ),
    ],
};

fn encoder(name: &'static str, part: Part) -> Value {
    function(name, move |_, args| {
        Ok(Text::from_bytes(&escape(one_text(args)?.as_bytes(), part)).into())
    })
}

fn decoder(name: &'static str, part: Part) -> Value {
    function(name, move |_, args| {
        Ok(Text::from_bytes(&unescape(one_text(args)?.as_bytes(), part)?).into())
    })
}

fn encode_params(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = one(args)?;
    let mut tally = Tally::borrowed(thread.budget());
    convert::to_data(value, Origin::Unknown, &mut tally)?;
    Ok(Text::from_bytes(&encode_query(value)?).into())
}

/// Creates a query from lists of strings by name, sorted by name.
fn encode_query(params: &Value) -> Result<Vec<u8>> {
    let mut sorted: BTreeMap<Text, Vec<Text>> = BTreeMap::new();
    for (key, values) in entries(params)? {
        let key = text(&key, "map key")?;
        sorted.insert(key, strings(&values)?);
    }
    let mut out = Vec::new();
    for (key, values) in &sorted {
        let key = escape(key.as_bytes(), Part::Query);
        for value in values {
            if !out.is_empty() {
                out.push(b'&');
            }
            out.extend_from_slice(&key);
            out.push(b'=');
            out.extend(escape(value.as_bytes(), Part::Query));
        }
    }
    Ok(out)
}

fn entries(value: &Value) -> Result<Vec<(Value, Value)>> {
    match &*plain(value) {
        Value::Dict(dict) => Ok(dict.items()),
        Value::Struct(fields) => {
            let fields = fields.fields();
            Ok(fields.map(|(key, value)| (Value::String(key.clone()), value.clone())).collect())
        }
        other => Err(unexpected("argument", "a map", other)),
    }
}

fn strings(values: &Value) -> Result<Vec<Text>> {
    match &*plain(values) {
        Value::List(list) => list.elements().iter().map(|it| text(it, "array value")).collect(),
        Value::Tuple(tuple) => tuple.iter().map(|it| text(it, "array value")).collect(),
        Value::Set(set) => set.elements().iter().map(|it| text(it, "array value")).collect(),
        other => Err(unexpected("map value", "array", other)),
    }
}

fn text(value: &Value, what: &'static str) -> Result<Text> {
    value.as_text().cloned().ok_or_else(|| unexpected(what, "string", value))
}

/// Converts data values to dictionaries and lists.
fn plain(value: &Value) -> Cow<'_, Value> {
    match value.downcast::<DataStruct>() {
        Some(values) => Cow::Owned(convert::to_plain_value(&values.node())),
        None => Cow::Borrowed(value),
    }
}

fn unexpected(what: &'static str, expected: &'static str, value: &Value) -> Error {
    let found = message::found(convert::type_words(value));
    Error::new(message!("expected {what} to be {expected}, {found}"))
}

/// Parses a query to lists of strings by name, sorted by name. Parameters are separated by `&` or
/// `;`.
fn decode_query(query: &[u8]) -> Result<Value> {
    let mut sorted: BTreeMap<Text, Vec<Value>> = BTreeMap::new();
    let params = query.split(|byte| matches!(byte, b'&' | b';'));
    for param in params.filter(|param| !param.is_empty()) {
        let mut halves = param.splitn(2, |&byte| byte == b'=');
        let mut half = || unescape(halves.next().unwrap_or_default(), Part::Query);
        let key = Text::from_bytes(&half()?);
        let value = Text::from_bytes(&half()?);
        sorted.entry(key).or_default().push(value.into());
    }
    let items = sorted.into_iter().map(|(key, values)| (Value::String(key), Value::list(values)));
    Ok(Value::Dict(Arc::new(Dict::from_items(items)?)))
}

fn parse(args: &Args<'_>) -> Result<Value> {
    Ok(url_value(Url::parse(one_text(args)?.as_bytes())?))
}

fn url_value(url: Url) -> Value {
    let url = Arc::new(url);
    let (for_host, for_string, for_bare) = (Arc::clone(&url), Arc::clone(&url), Arc::clone(&url));
    let members = vec![
        ("user".into(), url.user().map_or(Value::None, user_value)),
        (
            "without_user".into(),
            method("url.value.without_user", move || url_value(for_bare.without_user())),
        ),
        (
            "string".into(),
            method("url.value.string", move || Text::from_bytes(&for_string.to_bytes()).into()),
        ),
        (
            "hostname".into(),
            method("url.value.hostname", move || Text::from_bytes(for_host.hostname()).into()),
        ),
    ];
    object("@ytt:url.value", members)
}

fn user_value(user: &User) -> Value {
    let string: Value = Text::from_bytes(&user.to_bytes()).into();
    let password = user.password.as_deref();
    let members = vec![
        ("name".into(), Text::from_bytes(&user.name).into()),
        ("password".into(), password.map_or(Value::None, |it| Text::from_bytes(it).into())),
        ("string".into(), method("string", move || string.clone())),
    ];
    object("@ytt:url.user", members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dict(items: &[(Value, Value)]) -> Value {
        Value::Dict(Arc::new(Dict::from_items(items.iter().cloned()).expect("keys hash")))
    }

    fn list(items: &[&str]) -> Value {
        Value::list(items.iter().map(|it| Value::from(*it)))
    }

    #[test]
    fn a_query_is_encoded_in_the_order_of_its_names() {
        let params = dict(&[
            ("b".into(), list(&["1", "2 &"])),
            ("a".into(), list(&["x"])),
            ("e".into(), list(&[])),
            ("é=".into(), list(&[""])),
        ]);
        let encoded = encode_query(&params).expect("a query");
        assert_eq!(String::from_utf8_lossy(&encoded), "a=x&b=1&b=2+%26&%C3%A9%3D=");
    }

    #[test]
    fn a_query_needs_lists_of_strings_by_name() {
        let check = |params: Value, expected: &str| {
            let error = encode_query(&params).expect_err("wrong parameters");
            assert_eq!(error.message().shown(), expected);
        };
        check(list(&[]), "expected argument to be a map, found list");
        check(Value::None, "expected argument to be a map, found NoneType");
        let number_key = dict(&[(Value::Int(1), list(&["x"]))]);
        check(number_key, "expected map key to be string, found int");
        let text = dict(&[("a".into(), "x".into())]);
        check(text, "expected map value to be array, found string");
        let nested = dict(&[("a".into(), dict(&[]))]);
        check(nested, "expected map value to be array, found dict");
        let numbers = dict(&[("a".into(), Value::list([Value::Float(1.5)]))]);
        check(numbers, "expected array value to be string, found float");
    }

    #[test]
    fn a_query_is_decoded() {
        let check = |query: &str, expected: &str| {
            let shown = decode_query(query.as_bytes()).and_then(|it| it.repr());
            assert_eq!(shown.expect("a query").to_string(), expected);
        };
        check(
            "b=1&a=2;b=3&c&=x&d=",
            r#"{"": ["x"], "a": ["2"], "b": ["1", "3"], "c": [""], "d": [""]}"#,
        );
        check("&&a=1=2&a+b=%20", r#"{"a": ["1=2"], "a b": [" "]}"#);
        check("", "{}");
        let error = decode_query(b"%zz=1&b=%yy").expect_err("a broken escape");
        assert_eq!(error.message().shown(), r#"expected an escape such as `%2F`, found "%zz""#);
    }
}
