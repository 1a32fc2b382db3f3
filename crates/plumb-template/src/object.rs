//! Objects of the standard library: structs with methods that cannot become data.

use std::any::Any;
use std::sync::Arc;

use plumb_source::{Text, message};
use plumb_starlark::{Error, HostValue, Result, Value};

/// A struct with its own type, such as a parsed URL.
pub struct Object {
    type_name: &'static str,
    /// The members, in the order in which a loop over the object visits them.
    members: Vec<(Text, Value)>,
    /// The error for an attempt to convert it to YAML, which also says what to do instead.
    encoding_hint: String,
    /// Private data of the module that created it.
    data: Arc<dyn Any + Send + Sync>,
}

impl Object {
    /// Creates an object. Its members are visited in this order. `encoding_hint` is the error for
    /// an attempt to convert it to YAML; `data` is returned by [`Self::data`].
    pub fn new(
        type_name: &'static str,
        members: Vec<(Text, Value)>,
        encoding_hint: impl Into<String>,
        data: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        Self { type_name, members, encoding_hint: encoding_hint.into(), data }
    }

    /// Returns a member by name, or `None` if there is no such member.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.members.iter().find(|(it, _)| it == name).map(|(_, value)| value)
    }

    pub(crate) fn encoding_hint(&self) -> &str {
        &self.encoding_hint
    }

    /// Returns the private data of the module, or `None` if it has another type.
    pub fn data<T: Any>(&self) -> Option<&T> {
        self.data.downcast_ref()
    }
}

impl HostValue for Object {
    fn type_name(&self) -> &'static str {
        self.type_name
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        "struct(...)".into()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        Ok(self.members.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone()))
    }

    fn attribute_names(&self) -> Vec<Text> {
        self.members.iter().map(|(name, _)| name.clone()).collect()
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        self.attribute(field_name(key)?)
    }

    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        Some(Ok(self.index(item).is_ok_and(|found| found.is_some())))
    }

    fn length(&self) -> Option<usize> {
        Some(self.members.len())
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        Some(Box::new(self.attribute_names().into_iter().map(Value::String)))
    }

    fn items(&self) -> Option<Vec<(Value, Value)>> {
        let pairs = self.members.iter();
        Some(pairs.map(|(name, value)| (Value::String(name.clone()), value.clone())).collect())
    }

    fn hash(&self) -> Result<u64> {
        Err(unhashable())
    }
}

/// Returns the name of the field that `x[key]` reads from a struct.
pub(crate) fn field_name(key: &Value) -> Result<&Text> {
    key.as_text().ok_or_else(|| {
        Error::new(message!("expected a string, {}", message::found(key.type_name())))
    })
}

/// The error for a struct of any type that is used as a key.
pub(crate) fn unhashable() -> Error {
    Error::unhashable("struct", true)
}
