//! The virtual machine that runs compiled programs.

mod build;
mod call;
mod execute;
mod host;
mod invoke;
mod meter;
mod perform;
mod run;
mod slot;
mod thread;
mod unite;
mod variables;

pub use host::Host;
pub(crate) use slot::Slot;
pub use thread::{Globals, Thread};
