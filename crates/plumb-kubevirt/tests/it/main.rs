//! Tests over the whole crate.

mod corpus;
