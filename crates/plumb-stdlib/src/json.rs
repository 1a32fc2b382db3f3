//! `@ytt:json`: values as JSON text, and back.

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Error, Result, Value};
use plumb_template::convert;
use plumb_yaml::print::json::{self, JsonStyle};

use crate::arguments::{allow_named, flag, function, integer, one, one_text};
use crate::json_text;

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("encode".into(), function("json.encode", |_, args| encode(args))),
        ("decode".into(), function("json.decode", |_, args| decode(args))),
    ]
}

fn encode(args: &Args<'_>) -> Result<Value> {
    let value = one(args)?;
    allow_named(args, &["indent", "escape_html"])?;
    let node = convert::to_node(value, Origin::Unknown)?;
    let indent = indent(args)?;
    let style = JsonStyle { indent, escapes_html: flag(args, "escape_html", true)? };
    let mut out = Vec::new();
    json::node(&node, style, &mut out).map_err(|error| Error::new(error.to_string()))?;
    Ok(Text::from_bytes(&out).into())
}

/// The indentation that JSON and TOML take.
pub(crate) fn indent(args: &Args<'_>) -> Result<usize> {
    match usize::try_from(integer(args, "indent")?) {
        Ok(indent) if indent <= 8 => Ok(indent),
        _ => Err(Error::new("indent value must be between 0 and 8")),
    }
}

/// Numbers are floats, and keys are sorted.
fn decode(args: &Args<'_>) -> Result<Value> {
    json_text::decode(one_text(args)?.as_bytes())
}
