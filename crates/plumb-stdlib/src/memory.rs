//! Whether text that a module is about to make or to read fits into the memory that is left.

use plumb_source::Text;
use plumb_starlark::{Error, Result, Thread};
use plumb_value::Node;

/// Spaces per level of YAML.
pub(crate) const STEP: usize = 2;
/// How many times its length a text takes once it is values, at most: `[1,1,1]`.
const EXPANSION: usize = 64;

/// Refuses to print a node whose text does not fit.
pub(crate) fn check_printed(thread: &Thread<'_>, node: &Node, indent: usize) -> Result<()> {
    let max = thread.max_text() as u64;
    if plumb_yaml::print::fits([node], indent, max) { Ok(()) } else { Err(too_much()) }
}

/// Refuses to decode a text whose values do not fit.
pub(crate) fn check_decoded(thread: &Thread<'_>, text: &Text) -> Result<()> {
    // Each separator begins at most one more value.
    let separators = text.as_bytes().iter().filter(|&&byte| is_separator(byte)).count();
    thread.check_memory(text.len().saturating_add(separators.saturating_mul(EXPANSION)))
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b'\n' | b'-' | b'=' | b'[' | b'{' | b'*' | b'?')
}

fn too_much() -> Error {
    Error::limit("out of memory")
}
