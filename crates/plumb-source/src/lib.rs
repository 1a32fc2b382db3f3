//! The ground that every other crate stands on: source texts, where things are in them,
//! byte strings, and the one door to the outside.
//!
//! Positions are small and late. A [`Span`] is a file number and a byte range; lines and columns
//! are worked out by [`Source`] when something is shown.

// The macro names this crate by its path, here too.
extern crate self as plumb_source;

mod cancel;
mod cores;
pub mod lexical;
mod memory;
pub mod message;
mod origin;
pub mod root;
mod source;
mod span;
mod stack;
mod text;
mod world;

pub use cancel::Cancel;
pub use cores::Cores;
pub use memory::MemoryWorld;
pub use message::{Message, Part, Values};

pub use origin::Origin;
pub use plumb_message::message;
pub use source::{Source, SourceKind, Sources};
pub use span::{FileId, Span};
pub use stack::on_deep_stack;
pub use text::Text;
pub use world::{Access, Entry, EntryKind, Fault, Occupant, OutputTree, World, WorldError};
