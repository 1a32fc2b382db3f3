//! Finding what templates load.

use plumb_source::{Span, Text};
use plumb_starlark::{Globals, Result, Thread};

/// Whoever knows the files of a library and the modules of the standard library.
pub trait Loader: Send + Sync {
    /// The names that a module has; `from` is where the `load` stands.
    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals>;
}
