//! Tests over the whole crate.

mod mutations;
mod secrets;
