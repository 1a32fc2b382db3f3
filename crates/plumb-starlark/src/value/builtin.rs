//! Functions that are not written in the language.

use plumb_source::Text;

use super::Value;
use crate::args::Args;
use crate::error::Result;
use crate::vm::Thread;

/// A native function.
pub struct Builtin {
    name: Text,
    native: Box<Native>,
}

/// What a native function is: it sees the thread, through which it can call functions of the
/// program, and the arguments of the call.
type Native = dyn Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync;

impl Builtin {
    pub fn new(
        name: impl Into<Text>,
        native: impl Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), native: Box::new(native) }
    }

    pub fn name(&self) -> &Text {
        &self.name
    }

    pub(crate) fn call(&self, thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
        (self.native)(thread, args)
    }
}

/// A method of a built-in type, bound to the value it was taken from.
pub struct Method {
    pub(crate) receiver: Value,
    pub(crate) definition: &'static MethodDefinition,
}

/// One entry in the table of methods of a built-in type.
pub(crate) struct MethodDefinition {
    pub(crate) name: &'static str,
    pub(crate) native: fn(&mut Thread<'_>, &Value, &Args<'_>) -> Result<Value>,
}

impl Method {
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    pub fn receiver(&self) -> &Value {
        &self.receiver
    }
}
