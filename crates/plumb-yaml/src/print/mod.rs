//! Documents to text: YAML, JSON, the places of nodes, and formatted YAML with its comments.

mod comments;
mod entries;
mod fold;
mod format;
pub mod json;
mod key;
mod leaf;
mod length;
mod lines;
mod number;
mod positions;
mod scan;
mod style;
mod text;
mod yaml;

pub use format::format;
pub use length::{bound, comments_fit, fits};
pub use positions::{PositionStyle, positions};
pub use yaml::{documents, documents_in_pieces, documents_like_ytt, folded, node};

/// Which output to write in cases in which ytt's output is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// As Plumb.
    Plumb,
    /// Exactly ytt's output, byte by byte.
    Ytt,
}

/// The number of columns that a level is indented relative to the enclosing one.
const STEP: usize = 2;

const SPACES: &[u8; 64] = &[b' '; 64];

/// Appends `width` spaces.
fn indentation(width: usize, out: &mut Vec<u8>) {
    match SPACES.get(..width) {
        Some(spaces) => out.extend_from_slice(spaces),
        None => out.resize(out.len() + width, b' '),
    }
}

#[cfg(test)]
mod tests;
