//! `@ytt:toml`: values as TOML text, and back.

use std::sync::Arc;

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Dict, Error, Result, Value};
use plumb_template::convert;

use crate::arguments::{allow_named, function, one, one_text};
use crate::json::indent;
use crate::toml_text;

/// Spaces per level unless the user says otherwise.
const DEFAULT_INDENT: usize = 2;

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("encode".into(), function("toml.encode", |_, args| encode(args))),
        ("decode".into(), function("toml.decode", |_, args| decode(one_text(args)?))),
    ]
}

fn encode(args: &Args<'_>) -> Result<Value> {
    let value = one(args)?;
    allow_named(args, &["indent"])?;
    let node = convert::to_node(value, Origin::Unknown)?;
    let indent = match indent(args)? {
        0 => DEFAULT_INDENT,
        given => given,
    };
    Ok(Text::from_bytes(&toml_text::encode(&node, indent)?).into())
}

/// Keys are sorted.
fn decode(text: &Text) -> Result<Value> {
    let text = std::str::from_utf8(text.as_bytes()).map_err(|error| {
        let at = error.valid_up_to();
        let byte = text.as_bytes()[at];
        in_line(text.as_bytes(), at, &format!("invalid UTF-8 byte: 0x{byte:02x}"))
    })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        in_line(text.as_bytes(), at, &error.message().replace('\n', ", "))
    })?;
    table_value(table)
}

fn in_line(text: &[u8], offset: usize, message: &str) -> Error {
    let before = &text[..offset.min(text.len())];
    let line = before.split(|&byte| byte == b'\n').count();
    Error::new(format!("toml: line {line}: {message}"))
}

/// The reader limits how deep tables nest.
fn table_value(table: toml::Table) -> Result<Value> {
    let items = table.into_iter().map(|(key, value)| Ok((Value::from(key), to_value(value)?)));
    let items = items.collect::<Result<Vec<_>>>()?;
    Ok(Value::Dict(Arc::new(Dict::from_items(items)?)))
}

fn to_value(value: toml::Value) -> Result<Value> {
    Ok(match value {
        toml::Value::String(it) => it.into(),
        toml::Value::Integer(it) => Value::Int(it),
        toml::Value::Float(it) => Value::Float(it),
        toml::Value::Boolean(it) => Value::Bool(it),
        toml::Value::Datetime(it) => {
            return Err(Error::new(format!(
                "expected a value that templates have, but was the date or time {it} (hint: put it in quotes)"
            )));
        }
        toml::Value::Array(items) => {
            let items = items.into_iter().map(to_value).collect::<Result<Vec<_>>>()?;
            Value::list(items)
        }
        toml::Value::Table(table) => table_value(table)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_dictionaries_with_sorted_keys() {
        let check = |text: &str, expected: &str| {
            let shown = decode(&text.into()).and_then(|value| value.repr());
            assert_eq!(shown.expect("TOML").to_string(), expected, "{text}");
        };
        check(
            "b=1\na=2\n[t]\nz=1\ny=[1,2.5,'x',{k=1}]\n[[q]]\n[[q]]\nx=1",
            r#"{"a": 2, "b": 1, "q": [{}, {"x": 1}], "t": {"y": [1, 2.5, "x", {"k": 1}], "z": 1}}"#,
        );
        check("", "{}");
        check(
            "a=0xff\nb=0o17\nc=0b11\nd=1_000\ne=+5\nf=-0",
            r#"{"a": 255, "b": 15, "c": 3, "d": 1000, "e": 5, "f": 0}"#,
        );
        check("h=inf\ni=-inf\nj=nan", r#"{"h": +Inf, "i": -Inf, "j": NaN}"#);
        check("a.b.c=1\na.d=2", r#"{"a": {"b": {"c": 1}, "d": 2}}"#);
        check("a=\"\\u00e9\\U0001F600\"", r#"{"a": "é😀"}"#);
        check("a='''\nx\n'''\nb=\"\"\"\nx \\\n  y\"\"\"", r#"{"a": "x\n", "b": "x y"}"#);
        check("a=1\r\nb=2 # c\r\n", r#"{"a": 1, "b": 2}"#);
    }

    #[test]
    fn a_mistake_is_shown_with_its_line() {
        let check = |text: &[u8], expected: &str| {
            let error = decode(&Text::from_bytes(text)).expect_err("broken TOML");
            assert!(error.message().starts_with(expected), "{}", error.message());
        };
        check(b"a=1\na=2", "toml: line 2: ");
        check(b"a=1\nb='x", "toml: line 2: ");
        check(b"[a]\n[a]", "toml: line 2: ");
        check(b"a=01", "toml: line 1: ");
        check(b"a=1 b=2", "toml: line 1: ");
        check(b"a=\"\xff\"", "toml: line 1: invalid UTF-8 byte: 0xff");
        check(b"a=[1979-05-27]", "expected a value that templates have");
        check("a=".repeat(2).as_bytes(), "toml: line 1: ");
        check(format!("a={}", "[".repeat(100_000)).as_bytes(), "toml: line 1: ");
    }
}
