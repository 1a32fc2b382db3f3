//! Serves the playground: a page of static files. All computation happens in the browser.
//!
//! The files are in the program, compressed. A request must name one of them exactly: no path of
//! this machine is ever accessed. [`serve`] listens until it is asked to stop.

mod answer;
mod assets;
mod encoding;
mod server;

use std::fmt;
use std::io;

pub use assets::Asset;
pub use server::{Running, serve, start};

/// The files of the page.
#[cfg(feature = "page")]
pub const PAGE: &[Asset] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// An address and a port, such as `localhost:8080`, or only a port of this machine. Without an
    /// address, `:8080` means all addresses. With port 0 the system chooses a free port.
    pub listen: String,
    /// Whether clients on other machines are redirected to HTTPS, unless a proxy says that they use
    /// it.
    pub redirects_to_https: bool,
    pub files: &'static [Asset],
}

/// Why the server cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The address has no port, or its name is not known.
    Address { address: String, error: io::Error },
    /// The server cannot listen on the address.
    Listen { address: String, error: io::Error },
    /// A file has invalid content.
    Asset { name: &'static str, error: io::Error },
    /// The system cannot create threads.
    Runtime(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { address, error } => {
                write!(
                    f,
                    "expected an address and a port, such as localhost:8080, found {address}: {error}"
                )
            }
            Self::Listen { address, error } => write!(f, "cannot listen on {address}: {error}"),
            Self::Asset { name, error } => write!(f, "cannot use the file {name}: {error}"),
            Self::Runtime(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
