//! `@ytt:json`: converts values to JSON text and back.

use std::sync::Arc;

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Error, Result, Tally, Thread, Value};
use plumb_template::convert;
use plumb_yaml::print::json::{self, JsonStyle};

use crate::arguments::{allow_named, flag, integer, one, one_text};
use crate::definition::{Member, ModuleDefinition};
use crate::json_text;
use crate::memory::{Decoded, check_decoded, check_printed};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "json",
    summary: "values as JSON text",
    members: &[
        Member::function(
            "json.encode(value, indent=0, escape_html=True)",
            "Writes a value as JSON.",
            encode,
        ),
        Member::function("json.decode(text)", "Reads JSON.", decode),
    ],
};

fn encode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = one(args)?;
    allow_named(args, &["indent", "escape_html"])?;
    let budget = Arc::clone(thread.budget());
    let mut tally = Tally::borrowed(&budget);
    let node = convert::to_node(value, Origin::Unknown, &mut tally)?;
    let indent = indent(args)?;
    let style = JsonStyle { indent, escapes_html: flag(args, "escape_html", true)? };
    check_printed(thread, &node, indent)?;
    let mut out = Vec::new();
    json::node(&node, style, &mut out).map_err(|error| Error::new(error.message()))?;
    Ok(Text::from_bytes(&out).into())
}

/// Returns the `indent` argument, which JSON and TOML share.
pub(crate) fn indent(args: &Args<'_>) -> Result<usize> {
    match usize::try_from(integer(args, "indent")?) {
        Ok(indent) if indent <= 8 => Ok(indent),
        _ => Err(Error::new("indent value must be between 0 and 8")),
    }
}

/// Numbers are floats, and keys are sorted.
fn decode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    check_decoded(thread, text, Decoded::Values)?;
    json_text::decode(text.as_bytes())
}
