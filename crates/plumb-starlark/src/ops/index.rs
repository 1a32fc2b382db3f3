//! `x[key]` and `x[key] = y`.

use plumb_source::message::{secret, term};
use plumb_source::{Message, Text, message};

use crate::Value;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result};
use crate::heap::Heap;
use crate::value::int;
use crate::value_error::ValueError;

pub(crate) fn get_index(object: &Value, key: &Value) -> Result<Value> {
    match object {
        Value::Dict(dict) => match dict.get(key)? {
            Some(value) => Ok(value),
            None => missing_key(object, key),
        },
        Value::List(list) => {
            let at = position("list", list.len(), key)?;
            list.get(at).ok_or_else(|| Error::new("list index out of range"))
        }
        Value::Tuple(tuple) => Ok(tuple[position("tuple", tuple.len(), key)?].clone()),
        Value::String(text) => {
            let at = position("string", text.len(), key)?;
            Ok(Value::String(Text::from_bytes(&text.as_bytes()[at..=at])))
        }
        Value::Range(range) => Ok(range.get(position("range", range.len(), key)?)),
        Value::Struct(fields) => {
            let Value::String(name) = key else {
                let found = message::found(key.type_name());
                return Err(Error::new(message!("expected a string, {found}")));
            };
            match fields.get(name) {
                Some(value) => Ok(value.clone()),
                None => missing_key(object, key),
            }
        }
        Value::Host(host) => match host.index(key)? {
            Some(value) => Ok(value),
            None => missing_key(object, key),
        },
        _ => Err(no_index(object.type_name(), key.type_name())),
    }
}

/// The error for types that have no items.
pub(crate) fn no_index(object: &'static str, key: &'static str) -> Error {
    let words = message!("expected a value with items, such as a list or a dict, found {object}");
    Error::of_code(words, CodeErrorKind::Index { object, key })
}

fn missing_key(object: &Value, key: &Value) -> Result<Value> {
    let object = object.type_name();
    let key = Message::from(key.shown());
    let words = message!("{object} has no key {key}");
    Err(Error::of_code(words, CodeErrorKind::NoKey { object, key }))
}

/// Returns the position of the element at an index, counted from the start.
pub(crate) fn position(type_name: &'static str, len: usize, key: &Value) -> Result<usize> {
    let index = int::to_index(key)
        .map_err(|error| error.map_message(|message| message!("{type_name} index: {message}")))?;
    resolve(type_name, len, index)
}

fn resolve(type_name: &'static str, len: usize, index: i64) -> Result<usize> {
    let from_start = if index < 0 { index + i64::try_from(len).unwrap_or(i64::MAX) } else { index };
    match usize::try_from(from_start) {
        Ok(at) if at < len => Ok(at),
        _ => Err(out_of_range(type_name, len, index)),
    }
}

/// The valid indexes of a sequence with this number of elements.
#[derive(Clone, Copy, Debug)]
pub struct IndexRange {
    pub len: usize,
}

pub(crate) fn out_of_range(type_name: &'static str, len: usize, index: i64) -> Error {
    if len == 0 {
        return Error::new(message!("index {index} out of range: empty {type_name}"));
    }
    Error::new(message!(
        "{type_name} index {index} out of range{}",
        term(message!(": its length is {}", secret(len)), IndexRange { len })
    ))
}

pub(crate) fn set_index(heap: &Heap, object: &Value, key: Value, value: Value) -> Result<()> {
    match object {
        Value::Dict(dict) => dict.insert(heap, key, value).map(|_| ()),
        Value::List(list) => {
            // In the usual case, length and element need only one lock.
            let mut value = value;
            if let Value::Int(at) = key
                && let Ok(at) = usize::try_from(at)
            {
                match list.replace_simply(at, value) {
                    None => return Ok(()),
                    Some(unused) => value = unused,
                }
            }
            let index = int::to_index(&key)?;
            let at = resolve("list", list.len(), index)?;
            list.replace(heap, at, value)
        }
        Value::Host(host) => host.set_index(&key, &value),
        _ => Err(Error::new(ValueError::ItemAssignment { object: object.type_name() })),
    }
}
