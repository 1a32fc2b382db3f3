//! Module values that have methods, such as a parsed URL.

use std::sync::Arc;

use plumb_source::Text;
use plumb_starlark::Value;
use plumb_template::Object;

use crate::arguments::{function, none};

/// Creates a value that cannot be part of a document. Only the result of its `string()` can.
pub(crate) fn object(type_name: &'static str, members: Vec<(Text, Value)>) -> Value {
    let hint = format!("{type_name} does not automatically encode (hint: use .string())");
    Value::host(Object::new(type_name, members, hint, Arc::new(())))
}

/// Creates a method without arguments.
pub(crate) fn method(name: &'static str, act: impl Fn() -> Value + Send + Sync + 'static) -> Value {
    function(name, move |_, args| {
        none(args)?;
        Ok(act())
    })
}
