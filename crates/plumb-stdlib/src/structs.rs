//! `@ytt:struct`: named fields, functions bound to a receiver, and dictionaries as structs.

use std::sync::Arc;

use plumb_source::message::{secret, term};
use plumb_source::{Origin, Text, message};
use plumb_starlark::{Args, Error, Result, Struct, Tally, Thread, Value};
use plumb_template::convert;
use plumb_value::Node;

use crate::arguments::{function, is_function, one};
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "struct",
    summary: "values with attributes",
    members: &[
        Member::function(
            "struct.make(**attributes)",
            "A value with these attributes.",
            |_, args| make(args),
        ),
        Member::function(
            "struct.make_and_bind(first, **functions)",
            "A value whose functions get the first argument.",
            |_, args| make_and_bind(args),
        ),
        Member::function(
            "struct.bind(function, *arguments)",
            "The function with its first arguments given.",
            |_, args| bind(args),
        ),
        Member::function(
            "struct.encode(value)",
            "Converts dictionaries to structs, at all levels.",
            encode,
        ),
        Member::function(
            "struct.decode(value)",
            "Converts structs to dictionaries, at all levels.",
            decode,
        ),
    ],
};

fn make(args: &Args<'_>) -> Result<Value> {
    if args.positional().next().is_some() {
        return Err(Error::new(
            "unexpected positional arguments (structs are made from keyword arguments only)",
        ));
    }
    Ok(Value::Struct(Arc::new(args.to_struct())))
}

/// A call of `struct.make_and_bind` without exactly one argument.
#[derive(Clone, Copy, Debug)]
pub struct NotOneArgument;

fn make_and_bind(args: &Args<'_>) -> Result<Value> {
    let (1, Some(receiver)) = (args.len(), args.get(0)) else {
        return Err(Error::new(term("expected exactly one argument", NotOneArgument)));
    };
    Ok(structure(args.named().map(|(name, value)| {
        let value = if is_function(value) {
            bound(value.clone(), vec![receiver.clone()])
        } else {
            value.clone()
        };
        (name.clone(), value)
    })))
}

fn bind(args: &Args<'_>) -> Result<Value> {
    let mut positional = args.positional().cloned();
    let (Some(callee), true) = (positional.next(), args.len() >= 2) else {
        return Err(Error::new("expected at least two arguments"));
    };
    Ok(bound(callee, positional.collect()))
}

/// Creates a function that calls `callee` with these arguments before its own.
fn bound(callee: Value, first: Vec<Value>) -> Value {
    function("struct.bind_result", move |thread, args| {
        let positional: Vec<Value> = first.iter().chain(args.positional()).cloned().collect();
        let named: Vec<(Text, Value)> =
            args.named().map(|(name, value)| (name.clone(), value.clone())).collect();
        thread.call(&callee, &positional, &named)
    })
}

fn structure(fields: impl Iterator<Item = (Text, Value)>) -> Value {
    Value::Struct(Arc::new(fields.collect::<Struct>()))
}

fn encode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let mut tally = Tally::borrowed(thread.budget());
    let node = convert::to_node(one(args)?, Origin::Unknown, &mut tally)?;
    to_structs(&node, &mut tally)
}

/// Converts a node to a value in which all maps are structs. The memory is counted in `tally` before
/// each part is created.
fn to_structs(node: &Node, tally: &mut Tally<'_>) -> Result<Value> {
    const COLLECTION: usize = 128;
    const FIELD: usize = 6 * size_of::<Value>();
    match node {
        Node::Map(map) => {
            tally.element(map.len().saturating_mul(FIELD).saturating_add(COLLECTION))?;
            let fields = map.items().iter().map(|item| match &item.key {
                Node::String(name) => Ok((name.clone(), to_structs(&item.node, tally)?)),
                other => Err(Error::new(message!(
                    "expected struct key {} to be string",
                    secret(other.repr())
                ))),
            });
            Ok(structure(fields.collect::<Result<Vec<_>>>()?.into_iter()))
        }
        Node::Array(array) => {
            let n_items = array.items.len();
            tally.element(n_items.saturating_mul(size_of::<Value>()).saturating_add(COLLECTION))?;
            let elements = array.items.iter().map(|item| to_structs(&item.node, tally));
            Ok(Value::list(elements.collect::<Result<Vec<_>>>()?))
        }
        scalar => Ok(convert::to_plain_value(scalar)),
    }
}

fn decode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let mut tally = Tally::borrowed(thread.budget());
    let node = convert::to_node(one(args)?, Origin::Unknown, &mut tally)?;
    convert::to_plain_value_within(&node, &mut tally)
}
