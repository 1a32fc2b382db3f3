//! YAML text to documents, and documents to text.
//!
//! Reading follows YAML 1.1 as the libyaml family has it, with comments and byte spans kept;
//! printing gives the one canonical layout of our output.

mod base64;
pub mod print;
mod read;
pub mod resolve;

pub use read::{
    ANCHOR, ENCODING, LIMIT, Limits, MERGE, ReadOptions, STRICT, SYNTAX, SyntaxError, TAG, parse,
    parse_on,
};
