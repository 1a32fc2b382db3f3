//! Hashes of keys. Equal values have equal hashes, including integers and floats that are equal.

use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

use hashbrown::DefaultHashBuilder;
use num_traits::FromPrimitive;
use plumb_source::Limit;

use super::{Tuple, Value};
use crate::error::{Error, Result};

static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// The maximum number of parts of one key. A tuple that contains another one twice, sixty levels
/// deep, has more parts than any program could visit.
pub(super) const MAX_PARTS: usize = 1_000_000;

/// Returns the hash of a key. Fails for a value that can change.
pub(super) fn hash(value: &Value) -> Result<u64> {
    match value {
        Value::String(text) => Ok(HASHER.hash_one(text.as_bytes())),
        Value::Int(number) => Ok(HASHER.hash_one(number)),
        Value::Tuple(tuple) => hash_tuple(tuple),
        _ => hash_other(value),
    }
}

fn hash_other(value: &Value) -> Result<u64> {
    let pointer = |pointer: *const u8| Ok(HASHER.hash_one(pointer as usize));
    match value {
        Value::None => Ok(0),
        Value::Bool(it) => Ok(HASHER.hash_one(it)),
        Value::BigInt(it) => Ok(HASHER.hash_one(&**it)),
        Value::Float(it) => hash_float(*it),
        Value::Function(it) => pointer(Arc::as_ptr(it).cast()),
        Value::Builtin(it) => pointer(Arc::as_ptr(it).cast()),
        Value::Method(it) => pointer(Arc::as_ptr(it).cast()),
        Value::Host(host) => host.hash(),
        Value::Range(_) | Value::StringIterable(_) | Value::Module(_) => {
            Err(Error::unhashable(value.type_name(), false))
        }
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Struct(_) => {
            Err(Error::unhashable(value.type_name(), true))
        }
        Value::String(_) | Value::Int(_) | Value::Tuple(_) => hash(value),
    }
}

/// Returns the hash of the integer if the float is one.
fn hash_float(float: f64) -> Result<u64> {
    match super::int::from_float(float) {
        Some(whole) => whole.hash(),
        None => Ok(1_618_033),
    }
}

/// Does not recurse, because tuples may be nested a million levels deep.
fn hash_tuple(tuple: &Tuple) -> Result<u64> {
    let mut hash = 0u64;
    let mut parts = 0;
    let mut open = vec![(tuple.clone(), 0)];
    while let Some((tuple, at)) = open.last_mut() {
        let Some(element) = tuple.get(*at).cloned() else {
            hash = HASHER.hash_one((hash, tuple.len()));
            open.pop();
            continue;
        };
        *at += 1;
        parts += 1;
        if parts > MAX_PARTS {
            return Err(Error::limit(Limit::Fixed, "too large to be a key"));
        }
        match element {
            Value::Tuple(inner) => {
                hash = HASHER.hash_one((hash, u64::from_usize(inner.len())));
                open.push((inner, 0));
            }
            other => hash = HASHER.hash_one((hash, other.hash()?)),
        }
    }
    Ok(hash)
}
