//! Functions that inspect values, and functions that print.

use std::sync::Arc;

use plumb_source::message::{WantedCount, argument_count, plain};
use plumb_source::{Text, message};

use crate::Value;
use crate::args::{Args, Parameter};
use crate::error::{Error, ErrorKind, Result, bail};
use crate::ops::{attribute_names, find_attribute, no_attribute};
use crate::value::List;
use crate::value::repr::write_text;
use crate::vm::Thread;

pub(super) fn dir(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    if args.named().len() > 0 {
        bail!("dir does not accept keyword arguments");
    }
    let Some(object) = args.get(0).filter(|_| args.len() == 1) else {
        bail!("dir: {}", argument_count(WantedCount::Of(1), args.len()));
    };
    let mut names = attribute_names(object, thread.language());
    names.sort();
    let names: List = names.into_iter().map(Value::String).collect();
    Ok(Value::List(Arc::new(names)))
}

pub(super) fn getattr(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [object, name, default] = args.unpack::<3>("getattr", 2)?;
    let (Some(object), Some(name)) = (object, name) else { return Ok(Value::None) };
    let name = name.text()?;
    match (find_attribute(object.value, name, thread.language()), default) {
        (Ok(Some(found)), _) => Ok(found),
        (_, Some(default)) => Ok(default.value.clone()),
        (Err(error), None) => Err(error.map_message(|message| message!("getattr: {message}"))),
        (Ok(None), None) => {
            let error = no_attribute(object.value, name, None, Vec::new());
            Err(error.map_message(|message| message!("getattr: {message}")))
        }
    }
}

pub(super) fn hasattr(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [object, name] = args.unpack::<2>("hasattr", 2)?;
    let (Some(object), Some(name)) = (object, name) else { return Ok(Value::None) };
    let name = name.text()?;
    let found = match find_attribute(object.value, name, thread.language()) {
        Ok(found) => found.is_some(),
        Err(_) => attribute_names(object.value, thread.language()).contains(name),
    };
    Ok(Value::Bool(found))
}

/// The author of the code chose to show the message, so values in it are not masked.
pub(super) fn fail(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let message = joined(thread, args, "fail")?;
    Err(Error::of_kind(ErrorKind::Fail, message!("fail: {}", plain(message))))
}

pub(super) fn print(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let message = joined(thread, args, "print")?;
    thread.host().print(&message);
    Ok(Value::None)
}

/// The arguments as text, with `sep` between them.
fn joined(thread: &mut Thread<'_>, args: &Args<'_>, function: &'static str) -> Result<Text> {
    let (_, names, named) = args.slots();
    let keywords = Args::new(&[], names, named);
    let [separator] = keywords.unpack_named(function, [Parameter::Optional("sep")])?;
    let separator = match &separator {
        Some(argument) => argument.text()?.as_bytes(),
        None => b" ",
    };
    let mut message = Vec::new();
    for (index, value) in args.positional().enumerate() {
        if index > 0 {
            message.extend_from_slice(separator);
        }
        thread.write(|room| write_text(&mut message, value, room))?;
    }
    Ok(Text::from_bytes(&message))
}
