//! The Language Server Protocol: from messages to [`plumb_ide`], and back.
//!
//! [`Server`] is the protocol without a transport: it takes messages, returns messages, and reports
//! which check is due. It compiles to WebAssembly. [`serve`], with the default feature `stdio`, is
//! the transport of native programs: it runs checks on a separate thread, so that answers do not
//! wait for them, and cancels a check when the text changes.

mod answer;
mod capabilities;
mod lines;
mod options;
mod params;
mod paths;
mod preview;
mod requests;
mod server;
#[cfg(feature = "stdio")]
mod transport;

pub use lines::{Encoding, Lines};
pub use paths::{path_of, uri_of};
pub use server::{Check, Server};
#[cfg(feature = "stdio")]
pub use transport::{serve, serve_stdio};
