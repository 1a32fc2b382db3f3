//! `x.name`.

use std::sync::Arc;

use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::Value;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result};
use crate::language::Language;
use crate::methods;
use crate::spell;
use crate::value::Method;
use crate::value_error::ValueError;

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
    let nearest = spell::nearest(name, &attribute_names(object, language)).cloned();
    let error = no_attribute(object, name, nearest, members(object, language));
    Err(match object {
        Value::Host(host) => host.missing_attribute(name, error),
        _ => error,
    })
}

/// The error for a name that a value does not have.
pub(crate) fn no_attribute(
    object: &Value,
    name: &Text,
    nearest: Option<Text>,
    members: Vec<Text>,
) -> Error {
    let object = object.type_name();
    let hint = match &nearest {
        Some(near) => message!(": did you mean `{}`?", plain(near)),
        None if members.is_empty() => Message::new(),
        None => message!(": it has {}", Message::join(members.iter().map(plain), ", ")),
    };
    let words = message!("{object} has no field or method `{name}`{hint}");
    let name = name.clone();
    Error::of_code(words, CodeErrorKind::NoAttribute { object, name, nearest, members })
}

/// The members of a module for a message, if there are not too many.
fn members(object: &Value, language: Language) -> Vec<Text> {
    const MAX_SHOWN: usize = 12;
    match object {
        Value::Module(module)
            if language == Language::Modern && module.members().len() <= MAX_SHOWN =>
        {
            module.members().iter().map(|(name, _)| name.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// Fails: no built-in value has fields that can be set.
pub(crate) fn set_attribute(object: &Value, name: &Text) -> Result<()> {
    let (object, name) = (object.type_name(), name.clone());
    Err(Error::new(ValueError::FieldAssignment { object, name }))
}
