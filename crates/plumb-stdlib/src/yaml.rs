//! `@ytt:yaml`: converts values to YAML text and back.

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Result, Tally, Thread, Value};
use plumb_template::Fragment;
use plumb_template::convert::{self, Data};
use plumb_value::Node;

use crate::arguments::{one, one_text};
use crate::decode;
use crate::definition::{Member, ModuleDefinition};
use crate::memory::{Decoded, STEP, check_decoded, check_printed};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "yaml",
    summary: "values as YAML text",
    members: &[
        Member::function("yaml.encode(value)", "Writes a value as YAML.", |thread, args| {
            encode(thread, one(args)?)
        }),
        Member::function("yaml.decode(text)", "Reads YAML.", decode_argument),
    ],
};

fn encode(thread: &mut Thread<'_>, value: &Value) -> Result<Value> {
    Ok(text(thread, value)?.into())
}

/// Prints a value as YAML documents. Null is not printed, and neither is an empty map or array that
/// was written in YAML instead of computed.
pub(crate) fn text(thread: &Thread<'_>, value: &Value) -> Result<Text> {
    let mut out = Vec::new();
    let is_fragment = value.downcast::<Fragment>().is_some();
    let mut tally = Tally::borrowed(thread.budget());
    match convert::to_data(value, Origin::Unknown, &mut tally)? {
        Data::Documents(documents) => {
            for document in documents.iter() {
                check_printed(thread, &document.node, STEP)?;
            }
            plumb_yaml::print::documents(documents.iter(), &mut out);
        }
        Data::Node(Node::Null) => {}
        Data::Node(Node::Map(map)) if is_fragment && map.is_empty() => {}
        Data::Node(Node::Array(array)) if is_fragment && array.items.is_empty() => {}
        Data::Node(node) => {
            check_printed(thread, &node, STEP)?;
            plumb_yaml::print::node(&node, &mut out);
        }
    }
    Ok(Text::from_bytes(&out))
}

fn decode_argument(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    let mut tally = Tally::borrowed(thread.budget());
    tally.element(check_decoded(thread, text, Decoded::Documents)?)?;
    convert::to_plain_value_within(&decode::yaml(thread, text)?, &mut tally)
}
