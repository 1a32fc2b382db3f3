//! `x.name`.

use std::sync::Arc;

use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::Value;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result, bail};
use crate::language::Language;
use crate::methods;
use crate::spell;
use crate::value::Method;

/// Returns the attribute with that name. Returns `None` if it is missing.
pub(crate) fn find_attribute(
    object: &Value,
    name: &Text,
    language: Language,
) -> Result<Option<Value>> {
    match object {
        Value::Struct(fields) => Ok(fields.get(name).cloned()),
        Value::Module(module) => Ok(module.get(name).cloned()),
        Value::Host(host) => host.attribute(name),
        _ => Ok(methods::find(object, name, language).map(|definition| {
            Value::Method(Arc::new(Method { receiver: object.clone(), definition }))
        })),
    }
}

pub(crate) fn attribute_names(object: &Value, language: Language) -> Vec<Text> {
    match object {
        Value::Struct(fields) => fields.fields().map(|(name, _)| name.clone()).collect(),
        Value::Module(module) => module.members().iter().map(|(name, _)| name.clone()).collect(),
        Value::Host(host) => host.attribute_names(),
        _ => methods::of(object, language).map(|method| Text::from(method.name)).collect(),
    }
}

pub(crate) fn get_attribute(object: &Value, name: &Text, language: Language) -> Result<Value> {
    if let Some(found) = find_attribute(object, name, language)? {
        return Ok(found);
    }
    let hint = match spell::nearest(name, &attribute_names(object, language)) {
        Some(near) => message!(" (did you mean .{}?)", plain(near)),
        None => members(object, language),
    };
    let message = message!("{} has no .{name} field or method{hint}", object.type_name());
    let detail = CodeErrorKind::NoAttribute { object: object.type_name(), name: name.clone() };
    let error = Error::new(message).with_detail(detail);
    Err(match object {
        Value::Host(host) => host.missing_attribute(name, error),
        _ => error,
    })
}

/// The members of a module for a message, if there are not too many.
fn members(object: &Value, language: Language) -> Message {
    const MAX_SHOWN: usize = 12;
    match object {
        Value::Module(module)
            if language == Language::Modern && module.members().len() <= MAX_SHOWN =>
        {
            let names = module.members().iter().map(|(name, _)| name.to_string());
            message!(" (it has {})", plain(names.collect::<Vec<_>>().join(", ")))
        }
        _ => Message::new(),
    }
}

/// Fails: no built-in value has fields that can be set.
pub(crate) fn set_attribute(object: &Value, name: &Text) -> Result<()> {
    bail!("can't assign to .{name} field of {}", object.type_name())
}
