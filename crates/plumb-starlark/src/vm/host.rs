//! The interface between a program and its host.

use std::any::Any;

use plumb_source::{Span, Text, message};

use super::{Globals, Thread};
use crate::Value;
use crate::args::Args;
use crate::error::{Error, Result};

/// The host of a program: it executes instructions, finds the modules that the program loads, and
/// shows what it prints.
///
/// Methods take `&self`, because an instruction may call functions whose instructions call the host
/// again. A host with state keeps it in cells.
pub trait Host: Any {
    /// Executes an instruction with the values of its operands.
    fn instruction(&self, thread: &mut Thread<'_>, op: u32, args: &Args<'_>) -> Result<Value> {
        let _ = (thread, args);
        Err(Error::new(message!("unknown instruction {op}")))
    }

    /// Called when a function begins whose body has instructions with
    /// [`Effect::Builds`](crate::Effect::Builds), the first of which is `op`. Everything that is
    /// built from now on belongs to this function.
    fn start_context(&self, thread: &mut Thread<'_>, op: u32) -> Result<()> {
        let _ = (thread, op);
        Ok(())
    }

    /// Called when the function ends. `returned` is the value of its `return`, if it has one;
    /// otherwise the function returns the nodes that were built. Returns the result of the call.
    fn end_context(&self, thread: &mut Thread<'_>, returned: Option<Value>) -> Result<Value> {
        let _ = thread;
        Ok(returned.unwrap_or_default())
    }

    /// Called when the function ends with an error.
    fn abandon_context(&self) {}

    /// Finds the module that a `load` names. `from` is the place of the `load`.
    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals> {
        let _ = (thread, module, from);
        Err(Error::new("load not implemented by this application"))
    }

    /// Shows the message of a `print`.
    fn print(&self, message: &Text) {
        let _ = message;
    }

    /// Returns the host itself, for native functions that know its type.
    fn as_any(&self) -> &dyn Any;
}

/// A host for programs that do not need one.
impl Host for () {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
