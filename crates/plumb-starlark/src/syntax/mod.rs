//! The syntax: tokens, blocks closed by `end`, and the tree that the resolver reads.

pub(crate) mod ast;
mod blocks;
mod expressions;
mod lexer;
mod literals;
mod parser;
mod recovery;
mod token;

pub(crate) use parser::{parse, parse_past_errors};
pub use token::Tok;
pub(crate) use token::Token;
