//! Tests over the whole crate.

mod cases;
mod corpus;
mod table;
