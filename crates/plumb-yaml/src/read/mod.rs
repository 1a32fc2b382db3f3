//! Text to documents.
//!
//! Layers, from text to tree: `input` checks the encoding; `cursor` moves over the text and knows
//! lines and columns; `scanner` makes tokens, with `plain` and `indicators`, which read the longer
//! ones with `quoted`, `block_scalar` and `names`; `parser` and `nodes` are the grammar; `build` makes
//! the tree; `comments` and `attach` assign comments to nodes. The text is read once, and the time of
//! every step is proportional to its length.

mod anchors;
mod attach;
mod block_scalar;
mod build;
mod bytes;
mod comments;
mod cursor;
mod direct;
mod error;
mod error_kind;
mod explain;
mod folding;
mod frame;
mod indicators;
mod input;
mod keys;
mod names;
mod nodes;
mod parser;
mod pieces;
mod plain;
mod quoted;
mod recover;
mod reindent;
mod scanner;
mod site;
mod strict;
mod texts;
mod token;

use plumb_source::{Cores, FileId};
use plumb_value::Document;

use error::{Beginning, ReadError};
use parser::Parser;

pub use error::SyntaxError;
pub use error_kind::{ANCHOR, ENCODING, LIMIT, MERGE, STRICT, SYNTAX, SyntaxErrorKind, TAG};
pub use recover::parse_past_errors;
pub use reindent::reindent;
pub use strict::StrictError;

/// Options of a reader.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Whether plain scalars must be unambiguous for all readers of YAML.
    pub strict: bool,
    /// Whether comments are kept.
    pub comments: bool,
    /// Whether two escaped surrogates such as `\\ud83d\\ude00` are one character, as in JSON. YAML
    /// 1.1 rejects them.
    pub surrogates: bool,
    pub limits: Limits,
}

/// The limits for the size of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Levels of nested collections, including those of aliases.
    pub depth: usize,
    /// The maximum number of values that the aliases of one document may represent.
    pub aliased_values: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { strict: false, comments: true, surrogates: false, limits: Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: plumb_source::MAX_DEPTH, aliased_values: 10_000_000 }
    }
}

/// Reads all documents of a text. There is at least one, which may be empty. Comments after the
/// last node are in an additional document, which is marked as injected.
pub fn parse(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<Document>, SyntaxError> {
    let begins = beginning(bytes);
    read(file, bytes, options, begins).map_err(|error| SyntaxError::new(error, file, bytes, begins))
}

/// Like [`parse`], on several threads if the text is large and comments are not kept.
pub fn parse_on(
    cores: Cores,
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<Document>, SyntaxError> {
    match pieces::read(file, bytes, options, cores) {
        Some(documents) => Ok(documents),
        None => parse(file, bytes, options),
    }
}

/// Reads a text and passes its documents to `take` in pieces, with the size of the text of each piece,
/// on several threads if the text is large: documents need not all be in memory at the same time.
/// Returns the results of `take` in the order of the text. Returns `None` if there is a mistake in the
/// text, which [`parse`] reports, if a large text has few documents, or if `take` returns `None`.
pub fn take_in_pieces<T: Send>(
    cores: Cores,
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
    take: impl Fn(Vec<Document>, usize) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    pieces::take(file, bytes, options, cores, take)
}

fn read(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
    begins: Beginning,
) -> Result<Vec<Document>, ReadError> {
    match input::check(bytes) {
        Ok(text) => Parser::new(text, file, options).documents(begins),
        Err(unreadable) => {
            let before = input::checked_before(bytes, &unreadable);
            let earlier = Parser::new(before, file, options).documents(begins).err();
            Err(earlier.filter(|it| it.is_clearly_in(before)).unwrap_or(unreadable))
        }
    }
}

/// Returns whether a text begins with a document marker: `---`, with white space before and after
/// it.
pub(crate) fn begins_with_marker(bytes: &[u8]) -> bool {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C');
    matches!(bytes.trim_ascii_start(), [b'-', b'-', b'-', after, ..] if is_space(after))
}

fn beginning(bytes: &[u8]) -> Beginning {
    if begins_with_marker(bytes) { Beginning::Marked } else { Beginning::Unmarked }
}

#[cfg(test)]
mod tests;
