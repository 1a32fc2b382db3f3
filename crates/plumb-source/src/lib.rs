//! The foundation of every other crate: source texts, places in them, byte strings, and the only
//! access to files and the environment.
//!
//! Positions are small, and lines are computed when they are needed. A [`Span`] is a file number
//! and a byte range; [`Source`] computes lines and columns when something is shown.

#![warn(missing_docs)]

// The macro refers to this crate by its name, also inside the crate itself.
extern crate self as plumb_source;

mod cancel;
mod comparison;
mod cores;
mod facts;
pub mod lexical;
mod limit;
mod memory;
pub mod message;
mod origin;
pub mod room;
pub mod root;
mod source;
mod span;
pub mod spelling;
mod stack;
mod text;
mod world;

pub use cancel::Cancel;
pub use comparison::{Comparison, LineChange};
pub use cores::Cores;
pub use facts::Facts;
pub use limit::{Limit, LimitError};
pub use memory::MemoryWorld;
pub use message::{Message, Part, Values};

pub use origin::Origin;
pub use plumb_message::message;
pub use source::{LineState, Source, SourceKind, Sources};
pub use span::{FileId, Span};
pub use stack::{MAX_DEPTH, assume_deep_stack, on_deep_stack};
pub use text::Text;
pub use world::{
    Access, Entry, EntryKind, Occupant, OutputTree, PATH_HELP, World, WorldError, WorldErrorKind,
};
