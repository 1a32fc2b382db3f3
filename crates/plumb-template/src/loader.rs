//! What templates ask of the library they are in: what they load, and to keep rules for it.

use plumb_source::{Span, Text};
use plumb_starlark::{Error, Globals, Result, Thread};
use plumb_value::Annotation;

/// Whoever knows the files of a library and the modules of the standard library.
pub trait Loader: Send + Sync {
    /// The names that a module has; `from` is where the `load` stands.
    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals>;

    /// Keeps rules for all documents that come out in the end, as `assert.output` sets them.
    fn require_of_output(&self, _rules: Annotation) -> Result<()> {
        Err(Error::new("there are no documents that come out of this file"))
    }
}
