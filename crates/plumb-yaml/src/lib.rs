//! YAML text to documents, and documents to text.
//!
//! Reading follows YAML 1.1 as implemented by libyaml and its relatives, and keeps comments and
//! byte spans. Printing uses the one canonical layout of Plumb's output.

mod base64;
pub mod json;
pub mod print;
mod read;
pub mod resolve;

pub use read::{
    ANCHOR, ENCODING, LIMIT, Limits, MERGE, ReadOptions, STRICT, SYNTAX, StrictError, SyntaxError,
    SyntaxErrorKind, TAG, parse, parse_on, parse_past_errors, reindent, take_in_pieces,
};
