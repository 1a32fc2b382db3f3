//! Tests over the whole crate.

#![expect(clippy::disallowed_methods, reason = "recorded cases and the table are files")]

mod cases;
mod corpus;
mod mutations;
mod table;
