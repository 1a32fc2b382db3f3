//! What a program asks of the world around it.

use std::any::Any;

use plumb_source::{Span, Text, message};

use super::{Globals, Thread};
use crate::Value;
use crate::args::Args;
use crate::error::{Error, Result};

/// Whoever runs a program: carries out its instructions, finds the modules it loads, shows what
/// it prints.
///
/// Methods take `&self`, since an instruction may call functions whose instructions come back
/// here; a host with state of its own keeps it in cells.
pub trait Host: Any {
    /// Carries out an instruction with the values of its operands.
    fn instruction(&self, thread: &mut Thread<'_>, op: u32, args: &Args<'_>) -> Result<Value> {
        let _ = (thread, args);
        Err(Error::new(message!("unknown instruction {op}")))
    }

    /// A function begins whose body has instructions with
    /// [`Effect::Builds`](crate::Effect::Builds), the first of which is `op`: what it builds from
    /// now on is its own.
    fn start_context(&self, thread: &mut Thread<'_>, op: u32) -> Result<()> {
        let _ = (thread, op);
        Ok(())
    }

    /// The function ends. `returned` is the value of its `return`, if it has one; without, it
    /// returns what was built. Gives what the call gives.
    fn end_context(&self, thread: &mut Thread<'_>, returned: Option<Value>) -> Result<Value> {
        let _ = thread;
        Ok(returned.unwrap_or_default())
    }

    /// The function ends by an error.
    fn abandon_context(&self) {}

    /// Finds the module that a `load` names. `from` is where the `load` stands.
    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals> {
        let _ = (thread, module, from);
        Err(Error::new("load not implemented by this application"))
    }

    /// Shows what `print` was given.
    fn print(&self, message: &Text) {
        let _ = message;
    }

    /// The host itself, for native functions that know it.
    fn as_any(&self) -> &dyn Any;
}

/// A host for programs that need none.
impl Host for () {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
