//! Hashes of keys. Equal values have equal hashes, including integers and floats that are equal.

use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

use hashbrown::DefaultHashBuilder;
use num_traits::FromPrimitive;

use super::{Tuple, Value};
use crate::error::{Error, Result, bail};

static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// The maximum number of parts of one key. A tuple that contains another one twice, sixty levels
/// deep, has more parts than any program could visit.
pub(super) const MAX_PARTS: usize = 1_000_000;

impl Value {
    /// Returns the hash of a key. Fails for a value that can change.
    pub fn hash(&self) -> Result<u64> {
        match self {
            Self::String(text) => Ok(HASHER.hash_one(text.as_bytes())),
            Self::Int(number) => Ok(HASHER.hash_one(number)),
            Self::Tuple(tuple) => hash_tuple(tuple),
            _ => self.hash_other(),
        }
    }

    fn hash_other(&self) -> Result<u64> {
        let pointer = |pointer: *const u8| Ok(HASHER.hash_one(pointer as usize));
        match self {
            Self::None => Ok(0),
            Self::Bool(it) => Ok(HASHER.hash_one(it)),
            Self::BigInt(it) => Ok(HASHER.hash_one(&**it)),
            Self::Float(it) => hash_float(*it),
            Self::Function(it) => pointer(Arc::as_ptr(it).cast()),
            Self::Builtin(it) => pointer(Arc::as_ptr(it).cast()),
            Self::Method(it) => pointer(Arc::as_ptr(it).cast()),
            Self::Host(host) => host.hash(),
            Self::Range(_) | Self::StringIterable(_) | Self::Module(_) => {
                bail!("unhashable: {}", self.type_name())
            }
            Self::List(_) | Self::Dict(_) | Self::Set(_) | Self::Struct(_) => {
                bail!("unhashable type: {}", self.type_name())
            }
            Self::String(_) | Self::Int(_) | Self::Tuple(_) => self.hash(),
        }
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
            return Err(Error::limit("too large to be a key"));
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
