//! The values that programs compute with.
//!
//! A [`Value`] is three words. Numbers and short strings are stored inline, and everything else is
//! shared; cloning never copies contents. Lists, dictionaries and sets can be changed through any
//! reference until they are frozen. All values of a module are frozen when it ends: from then on
//! they may be read on any thread.

pub(crate) mod builtin;
pub(crate) mod bytes;
pub(crate) mod compare;
pub(crate) mod dict;
mod drop;
pub(crate) mod float;
mod freeze;
pub(crate) mod function;
pub(crate) mod hash;
pub(crate) mod host;
pub(crate) mod int;
pub(crate) mod iterate;
pub(crate) mod list;
pub(crate) mod literal;
pub(crate) mod measure;
pub(crate) mod module;
pub(crate) mod range;
pub(crate) mod repr;
pub(crate) mod set;
pub(crate) mod string_iterable;
pub(crate) mod structs;
pub(crate) mod table;
pub(crate) mod tuple;

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use plumb_source::Text;

use crate::error::Result;

pub use builtin::{Builtin, Method};
pub use bytes::Bytes;
pub use dict::Dict;
pub use function::Function;
pub use host::HostValue;
pub use iterate::Values;
pub use list::List;
pub use module::Module;
pub use range::Range;
pub use set::Set;
pub use string_iterable::StringIterable;
pub use structs::Struct;
pub use tuple::Tuple;

/// Any value of the language.
#[derive(Default)]
pub enum Value {
    #[default]
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// An integer that does not fit in 64 bits; never one that does.
    BigInt(Arc<BigInt>),
    String(Text),
    List(Arc<List>),
    Tuple(Tuple),
    Dict(Arc<Dict>),
    Set(Arc<Set>),
    Range(Arc<Range>),
    StringIterable(Arc<StringIterable>),
    Function(Arc<Function>),
    Builtin(Arc<Builtin>),
    /// A method of a built-in type with the value that it was taken from.
    Method(Arc<Method>),
    Struct(Arc<Struct>),
    Module(Arc<Module>),
    Host(Arc<dyn HostValue>),
}

impl Value {
    /// Returns the name of the type, as `type(x)` does.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::BigInt(_) => "int",
            Self::Float(_) => "float",
            Self::String(_) => "string",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
            Self::Range(_) => "range",
            Self::StringIterable(iterable) => iterable.type_name(),
            Self::Function(_) => "function",
            Self::Builtin(_) | Self::Method(_) => "builtin_function_or_method",
            Self::Struct(_) => "struct",
            Self::Module(_) => "module",
            Self::Host(host) => host.type_name(),
        }
    }

    /// Returns whether the value counts as true in a condition.
    pub fn truth(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(it) => *it,
            Self::Int(it) => *it != 0,
            Self::Float(it) => *it != 0.0,
            Self::String(it) => !it.is_empty(),
            Self::List(it) => !it.is_empty(),
            Self::Tuple(it) => !it.is_empty(),
            Self::Dict(it) => !it.is_empty(),
            Self::Set(it) => !it.is_empty(),
            Self::Range(it) => !it.is_empty(),
            Self::Struct(it) => !it.is_empty(),
            Self::Host(it) => it.truth(),
            Self::BigInt(_)
            | Self::StringIterable(_)
            | Self::Function(_)
            | Self::Builtin(_)
            | Self::Method(_)
            | Self::Module(_) => true,
        }
    }

    /// Returns the number of elements (bytes, of a string). Returns `None` if the value is not a
    /// sequence.
    pub fn length(&self) -> Option<usize> {
        match self {
            Self::String(it) => Some(it.len()),
            Self::List(it) => Some(it.len()),
            Self::Tuple(it) => Some(it.len()),
            Self::Dict(it) => Some(it.len()),
            Self::Set(it) => Some(it.len()),
            Self::Range(it) => Some(it.len()),
            Self::Struct(it) => Some(it.len()),
            Self::Host(it) => it.length(),
            Self::None
            | Self::Bool(_)
            | Self::Int(_)
            | Self::BigInt(_)
            | Self::Float(_)
            | Self::StringIterable(_)
            | Self::Function(_)
            | Self::Builtin(_)
            | Self::Method(_)
            | Self::Module(_) => None,
        }
    }

    /// Returns whether the value can be called.
    pub fn is_callable(&self) -> bool {
        match self {
            Self::Function(_) | Self::Builtin(_) | Self::Method(_) => true,
            Self::Host(host) => host.is_callable(),
            _ => false,
        }
    }

    /// Returns the hash of a key. Fails for a value that can change.
    pub fn hash(&self) -> Result<u64> {
        hash::hash(self)
    }

    /// Freezes the value and everything in it, except the fields of structs, as the dialect does.
    pub(crate) fn freeze(&self) {
        freeze::freeze(self);
    }

    /// Returns whether the value is `None` of the language.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Returns the text of a string. Returns `None` for other types.
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// A new list of these elements.
    pub fn list(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::List(Arc::new(elements.into_iter().collect()))
    }

    /// A tuple of these elements.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::Tuple(elements.into_iter().collect())
    }

    /// Returns the host's own value. Returns `None` if the value is not of this type.
    pub fn downcast<T: HostValue>(&self) -> Option<&T> {
        match self {
            Self::Host(host) => host.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// A value of a type that the host defines.
    pub fn host(value: impl HostValue) -> Self {
        Self::Host(Arc::new(value))
    }
}

impl Clone for Value {
    /// Integers are the most common values, and are copied without a call.
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Int(it) => Self::Int(*it),
            _ => self.clone_any(),
        }
    }
}

impl Value {
    /// Returns whether values of this type contain other values.
    pub(crate) fn nests(&self) -> bool {
        match self {
            Self::List(_)
            | Self::Tuple(_)
            | Self::Dict(_)
            | Self::Set(_)
            | Self::Function(_)
            | Self::Method(_)
            | Self::Struct(_)
            | Self::Module(_)
            | Self::Host(_) => true,
            Self::None
            | Self::Bool(_)
            | Self::Int(_)
            | Self::BigInt(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Range(_)
            | Self::StringIterable(_)
            | Self::Builtin(_) => false,
        }
    }

    /// Returns whether the value owns no memory.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_))
    }

    /// Moves the value out if it contains others, to be dropped later.
    #[inline]
    pub(super) fn take_nested(&mut self, out: &mut Vec<Self>) {
        if self.nests() {
            out.push(std::mem::take(self));
        }
    }

    /// Like `clone`, for elements of collections, which are often collections. A call would return
    /// the value in memory.
    #[inline]
    pub(crate) fn clone_element(&self) -> Self {
        match self {
            Self::Int(it) => Self::Int(*it),
            Self::Dict(it) => Self::Dict(Arc::clone(it)),
            Self::List(it) => Self::List(Arc::clone(it)),
            Self::Struct(it) => Self::Struct(Arc::clone(it)),
            _ => self.clone_any(),
        }
    }

    fn clone_any(&self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Bool(it) => Self::Bool(*it),
            Self::Int(it) => Self::Int(*it),
            Self::Float(it) => Self::Float(*it),
            Self::BigInt(it) => Self::BigInt(Arc::clone(it)),
            Self::String(it) => Self::String(it.clone()),
            Self::List(it) => Self::List(Arc::clone(it)),
            Self::Tuple(it) => Self::Tuple(it.clone()),
            Self::Dict(it) => Self::Dict(Arc::clone(it)),
            Self::Set(it) => Self::Set(Arc::clone(it)),
            Self::Range(it) => Self::Range(Arc::clone(it)),
            Self::StringIterable(it) => Self::StringIterable(Arc::clone(it)),
            Self::Function(it) => Self::Function(Arc::clone(it)),
            Self::Builtin(it) => Self::Builtin(Arc::clone(it)),
            Self::Method(it) => Self::Method(Arc::clone(it)),
            Self::Struct(it) => Self::Struct(Arc::clone(it)),
            Self::Module(it) => Self::Module(Arc::clone(it)),
            Self::Host(it) => Self::Host(Arc::clone(it)),
        }
    }
}

/// Like [`repr`](Value::repr).
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short_repr())
    }
}

impl From<bool> for Value {
    fn from(it: bool) -> Self {
        Self::Bool(it)
    }
}

impl From<i64> for Value {
    fn from(it: i64) -> Self {
        Self::Int(it)
    }
}

impl From<u64> for Value {
    fn from(it: u64) -> Self {
        i64::try_from(it).map_or_else(|_| int::from_big(it.into()), Self::Int)
    }
}

impl From<usize> for Value {
    fn from(it: usize) -> Self {
        Self::from(it as u64)
    }
}

impl From<BigInt> for Value {
    fn from(it: BigInt) -> Self {
        int::from_big(it)
    }
}

impl From<f64> for Value {
    fn from(it: f64) -> Self {
        Self::Float(it)
    }
}

impl From<Text> for Value {
    fn from(it: Text) -> Self {
        Self::String(it)
    }
}

impl From<&str> for Value {
    fn from(it: &str) -> Self {
        Self::String(Text::from(it))
    }
}

impl From<String> for Value {
    fn from(it: String) -> Self {
        Self::String(Text::from(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared_between_threads<T: Send + Sync>() {}

    #[test]
    fn a_value_is_three_words_and_goes_to_any_thread() {
        shared_between_threads::<Value>();
        assert_eq!(size_of::<Value>(), 24);
        assert_eq!(size_of::<Option<Value>>(), 24);
    }
}
