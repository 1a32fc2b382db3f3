//! Values that the host adds to the language.

use std::any::Any;

use plumb_source::Text;
use plumb_source::message::WrongCall;

use super::Value;
use crate::args::Args;
use crate::error::{Error, Result};
use crate::ops::CompareOp;
use crate::value_error::ValueError;
use crate::vm::Thread;

/// A value of a type that the host defines. Operations call its methods. Methods that it does not
/// implement fail with the same message as for any other value of the wrong type.
pub trait HostValue: Send + Sync + 'static {
    /// The name of the type, as `type(x)` returns it.
    fn type_name(&self) -> &'static str;

    fn as_any(&self) -> &dyn Any;

    /// The result of `repr(x)`.
    fn repr(&self) -> Text;

    /// The result of `str(x)`.
    fn to_text(&self) -> Text {
        self.repr()
    }

    /// Whether the modern language prints the value like a struct, with its attributes, instead of
    /// [`repr`](Self::repr).
    fn shows_fields(&self) -> bool {
        false
    }

    /// The approximate number of bytes of the value that are not counted elsewhere.
    fn size(&self) -> usize {
        0
    }

    fn truth(&self) -> bool {
        true
    }

    /// Returns the attribute with that name. Returns `None` if it is missing.
    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        let _ = name;
        Ok(None)
    }

    /// Returns the error for a missing attribute, to which the host may add details.
    fn missing_attribute(&self, name: &Text, error: Error) -> Error {
        let _ = name;
        error
    }

    /// Names for `dir(x)` and for suggestions.
    fn attribute_names(&self) -> Vec<Text> {
        Vec::new()
    }

    /// `x[key]`. Returns `Ok(None)` if the key is missing.
    fn index(&self, key: &Value) -> Result<Option<Value>> {
        Err(crate::ops::no_index(self.type_name(), key.type_name()))
    }

    /// `x[key] = value`.
    fn set_index(&self, key: &Value, value: &Value) -> Result<()> {
        let _ = (key, value);
        Err(Error::new(ValueError::ItemAssignment { object: self.type_name() }))
    }

    /// `x[from:to:step]`.
    fn slice(&self, from: &Value, to: &Value, step: &Value) -> Result<Value> {
        let _ = (from, to, step);
        Err(Error::new(ValueError::Slice { found: self.type_name() }))
    }

    /// `item in x`. Returns `None` if the type does not support it.
    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        let _ = item;
        None
    }

    /// `len(x)`. Returns `None` if the type has no length.
    fn length(&self) -> Option<usize> {
        None
    }

    /// The elements for `for`, `list(x)` and so on. Returns `None` if the type is not iterable.
    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        None
    }

    /// Returns keys and values for `f(**x)` and `dict(x)`. Returns `None` if the type is not a
    /// mapping.
    fn items(&self) -> Option<Vec<(Value, Value)>> {
        None
    }

    /// Compares with a value of the same type name. Returns `None` for the language's default: a
    /// value is equal only to itself, and there is no order.
    fn compare(&self, op: CompareOp, other: &Value) -> Option<Result<bool>> {
        let _ = (op, other);
        None
    }

    /// The hash, if the value is used as a key.
    fn hash(&self) -> Result<u64> {
        Err(Error::unhashable(self.type_name(), false))
    }

    fn is_callable(&self) -> bool {
        false
    }

    /// `x(…)`, if [`is_callable`](Self::is_callable) says so.
    fn call(&self, thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
        let _ = (thread, args);
        Err(Error::new(WrongCall::NotAFunction { found: self.type_name() }))
    }

    /// Called when the module that contains the value ends.
    fn freeze(&self) {}
}
