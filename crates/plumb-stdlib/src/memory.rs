//! Checks whether text that a module is about to print or to decode fits into the remaining memory.

use plumb_source::{Limit, Text};
use plumb_starlark::{Error, Result, Thread};
use plumb_value::Node;

/// Spaces per level of YAML.
pub(crate) const STEP: usize = 2;
/// The maximum memory of one aliased value of a document. Merged maps are copied, and count as more
/// values.
const ALIASED: u64 = 32;

/// The result of decoding a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// Values of the language.
    Values,
    /// Documents, which are converted to values afterwards.
    Documents,
}

/// Fails if the text of a node does not fit.
pub(crate) fn check_printed(thread: &Thread<'_>, node: &Node, indent: usize) -> Result<()> {
    let max = thread.max_text() as u64;
    if plumb_yaml::print::fits([node], indent, max) { Ok(()) } else { Err(too_much()) }
}

/// Fails if the decoded text does not fit. Returns the maximum number of bytes.
pub(crate) fn check_decoded(thread: &Thread<'_>, text: &Text, to: Decoded) -> Result<usize> {
    let bytes = text.as_bytes();
    let followers = bytes.iter().skip(1).chain([&b'\n']);
    let parts = bytes.iter().zip(followers).map(|(&byte, &next)| to.memory(byte, next));
    let size = parts.fold(text.len(), usize::saturating_add);
    thread.check_memory(size)?;
    Ok(size)
}

/// Returns the maximum number of values that the aliases of a document may represent.
pub(crate) fn max_aliased(thread: &Thread<'_>) -> u64 {
    thread.memory_left() as u64 / ALIASED
}

impl Decoded {
    /// Returns the maximum memory of the value that may start at a byte. Vectors have a capacity of
    /// up to twice their number of items, and at least four.
    fn memory(self, byte: u8, next: u8) -> usize {
        const LIST: usize = 128;
        let (item, map) = match self {
            Self::Values => (64, 320),
            Self::Documents => (144, 448),
        };
        match byte {
            b'{' | b':' | b'=' => map,
            b'[' => LIST,
            b',' | b'\n' | b'?' => item,
            b'-' if next.is_ascii_whitespace() => item,
            _ => 0,
        }
    }
}

/// The error for aliases that represent too many values.
pub(crate) fn too_much() -> Error {
    Error::limit(Limit::Memory, "out of memory")
}
