//! The machine that runs compiled programs.

mod call;
mod host;
mod meter;
mod run;
mod slot;
mod thread;

pub use host::Host;
pub(crate) use slot::Slot;
pub use thread::{Globals, Thread};
