//! Input files: which ones there are, in what order, and what each is for.
//!
//! [`collect`] finds the files that the flags name, [`mark::apply`] changes what they are taken
//! for, and [`Tree`] says which of them a run visits, and in what order.

mod collect;
mod file;
mod flag;
mod given_values;
pub mod lexical;
pub mod mark;
mod merge;
mod plain;
mod symlink;
mod tree;
mod value_key;

pub use collect::{Collected, GivenFile, SilentDrops, collect, given};
pub use file::{FileType, InputFile, TypeMark};
pub use flag::{DataValueFlag, DataValueKind};
pub use given_values::{GivenValues, ValueSources, given_values};
pub use plain::code;
pub use symlink::SymlinkPolicy;
pub use tree::Tree;
