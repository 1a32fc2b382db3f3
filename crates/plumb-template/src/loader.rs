//! The interface of templates to their library: it loads modules, and keeps rules for the output.

use plumb_source::{Span, Text};
use plumb_starlark::{Error, Globals, Result, Thread};
use plumb_value::Annotation;

/// Finds the files of a library and the modules of the standard library.
pub trait Loader: Send + Sync {
    /// Returns the names of a module; `from` is the place of the `load`. Fails if the module does
    /// not exist or cannot be evaluated.
    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals>;

    /// Keeps rules for all documents of the final output, which `assert.output` declares.
    fn require_of_output(&self, _rules: Annotation) -> Result<()> {
        Err(Error::new("this file has no output documents"))
    }
}
