//! Text to documents.
//!
//! Layers, from text to tree: `input` checks the encoding; `cursor` moves over the text and knows
//! lines and columns; `scanner` (with `plain`, `quoted`, `block_scalar` and `names`) makes tokens;
//! `parser` and `nodes` are the grammar; `build` makes the tree; `comments` and `attach` give
//! comments to nodes. The text is gone over once, and every step costs in proportion to it.

mod advice;
mod anchors;
mod attach;
mod block_scalar;
mod build;
mod bytes;
mod comments;
mod cursor;
mod direct;
mod error;
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
mod problem;
mod quoted;
mod scanner;
mod strict;
mod token;

use plumb_source::{Cores, FileId};
use plumb_value::Document;

use error::{Beginning, Read};
use parser::Parser;

pub use error::SyntaxError;
pub use problem::{ANCHOR, ENCODING, LIMIT, MERGE, STRICT, SYNTAX, TAG};

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Whether plain scalars must be ones that everyone reads the same way.
    pub strict: bool,
    /// Whether comments are kept.
    pub comments: bool,
    /// Whether two escaped surrogates such as `\\ud83d\\ude00` are one character, as in JSON. YAML
    /// 1.1 refuses them.
    pub surrogates: bool,
    pub limits: Limits,
}

/// How much a document may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Levels of collections within each other, aliases included.
    pub depth: usize,
    /// Values that the aliases of one document may stand for.
    pub aliased_values: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { strict: false, comments: true, surrogates: false, limits: Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 10_000, aliased_values: 10_000_000 }
    }
}

/// Reads all documents of a text. There is at least one, be it empty; comments behind the last
/// node are on one more, which is marked as injected.
pub fn parse(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<Document>, SyntaxError> {
    let begins = beginning(bytes);
    read(file, bytes, options, begins)
        .map_err(|trouble| SyntaxError::new(trouble, file, bytes, begins))
}

/// As [`parse`], on several threads if the text is large and comments are not kept.
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

fn read(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
    begins: Beginning,
) -> Read<Vec<Document>> {
    match input::check(bytes) {
        Ok(text) => Parser::new(text, file, options).documents(begins),
        Err(unreadable) => {
            let before = input::checked_before(bytes, &unreadable);
            let earlier = Parser::new(before, file, options).documents(begins).err();
            Err(earlier.filter(|it| it.is_clearly_in(before)).unwrap_or(unreadable))
        }
    }
}

/// Whether a text begins with a document marker: `---`, with white space before and behind it.
pub(crate) fn begins_with_marker(bytes: &[u8]) -> bool {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C');
    matches!(bytes.trim_ascii_start(), [b'-', b'-', b'-', after, ..] if is_space(after))
}

fn beginning(bytes: &[u8]) -> Beginning {
    if begins_with_marker(bytes) { Beginning::Marked } else { Beginning::Unmarked }
}

#[cfg(test)]
mod tests;
