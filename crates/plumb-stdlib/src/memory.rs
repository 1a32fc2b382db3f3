//! Checks whether text that a module is about to print or to decode fits into the remaining memory.

use plumb_source::Text;
use plumb_starlark::{Error, Result, Thread};
use plumb_value::Node;

/// Spaces per level of YAML.
pub(crate) const STEP: usize = 2;
/// The memory of decoded values, as a multiple of the length of their text, at most: `[1,1,1]`.
const EXPANSION: usize = 64;

/// Fails if the text of a node does not fit.
pub(crate) fn check_printed(thread: &Thread<'_>, node: &Node, indent: usize) -> Result<()> {
    let max = thread.max_text() as u64;
    if plumb_yaml::print::fits([node], indent, max) { Ok(()) } else { Err(too_much()) }
}

/// Fails if the values of a text do not fit.
pub(crate) fn check_decoded(thread: &Thread<'_>, text: &Text) -> Result<()> {
    // Each separator starts at most one more value.
    let separators = text.as_bytes().iter().filter(|&&byte| is_separator(byte)).count();
    thread.check_memory(text.len().saturating_add(separators.saturating_mul(EXPANSION)))
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b'\n' | b'-' | b'=' | b'[' | b'{' | b'*' | b'?')
}

fn too_much() -> Error {
    Error::limit("out of memory")
}
