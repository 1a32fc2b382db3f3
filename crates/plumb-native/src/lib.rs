//! The [`World`](plumb_source::World) of this computer.
//!
//! [`NativeWorld`] reads the file system, standard input, the network and the environment of the
//! process. It writes output files all or none ([`write`]). No other library crate of the workspace
//! accesses the computer: front ends get their world from this crate.

#![expect(clippy::disallowed_methods, reason = "this crate implements the World of the computer")]

mod fetch;
mod world;
mod write;

pub use world::NativeWorld;
pub use write::write_tree;
