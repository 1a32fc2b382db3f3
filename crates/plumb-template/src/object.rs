//! Objects of the standard library: values with methods that are no data.

use std::any::Any;
use std::sync::Arc;

use plumb_source::Text;
use plumb_starlark::{HostValue, Result, Value};

/// A value with named members, such as a parsed URL or an assertion.
pub struct Object {
    type_name: &'static str,
    members: Vec<(Text, Value)>,
    /// Why it cannot become YAML, and what to do instead.
    encoding_hint: String,
    /// What its own module keeps in it.
    data: Arc<dyn Any + Send + Sync>,
}

impl Object {
    pub fn new(
        type_name: &'static str,
        members: Vec<(Text, Value)>,
        encoding_hint: impl Into<String>,
        data: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        Self { type_name, members, encoding_hint: encoding_hint.into(), data }
    }

    /// A member by name.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.members.iter().find(|(it, _)| it == name).map(|(_, value)| value)
    }

    pub(crate) fn encoding_hint(&self) -> &str {
        &self.encoding_hint
    }

    /// What the module that made it keeps in it, if that is of this type.
    pub fn data<T: Any>(&self) -> Option<&T> {
        self.data.downcast_ref()
    }
}

impl HostValue for Object {
    fn type_name(&self) -> &str {
        self.type_name
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        self.type_name.into()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        Ok(self.members.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone()))
    }

    fn attribute_names(&self) -> Vec<Text> {
        self.members.iter().map(|(name, _)| name.clone()).collect()
    }
}
