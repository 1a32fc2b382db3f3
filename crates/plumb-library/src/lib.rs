//! Input files, libraries and data values: the input of a run, and its order.
//!
//! [`collect`] finds the files that the flags name, [`mark::apply`] changes their types and names,
//! and [`Tree`] determines which of them a library visits. A [`Library`] has a schema, data values
//! and files that are evaluated; the input of a run is the root library, and templates can evaluate
//! others.

pub mod activity;
mod argument;
mod blame;
mod collect;
mod data_module;
mod declared;
mod environment;
mod evaluation;
mod file;
mod find_error;
mod flag;
mod given_values;
mod input_error;
mod keys;
mod last_keys;
mod layer;
mod library;
mod library_module;
pub mod mark;
mod merge;
mod missing_values;
mod modules;
mod output_comment;
mod output_error;
mod output_file;
mod output_rules;
mod plain;
mod print_ahead;
mod printed;
mod purpose;
mod reference;
mod render;
mod root;
mod run;
mod schema;
mod symlink;
mod tree;
mod value_key;
mod values;
mod vocabulary;

pub use argument::ArgumentError;
pub use collect::{Collected, GivenFile, collect, given};
pub use file::{FileType, InputFile, TypeMark};
pub use find_error::{DirectoryError, FindError};
pub use flag::{DataValueFlag, DataValueKind, SetValue};
pub use given_values::{GivenValues, ValueSources, given_values};
pub use input_error::{InputError, UnusedDocument};
pub use keys::{KEY_TYPE, NamelessKey};
pub use merge::Merge;
pub use modules::module_docs;
pub use output_comment::{COMMENT, check_comments, unprinted_comments};
pub use output_error::OutputError;
pub use output_file::{FILE_PATH, FILE_TAKEN, distribute, undistributed};
pub use plumb_diagnostic::SilentDrops;
pub use plumb_overlay::FileDocuments;
pub use plumb_stdlib::ModuleDoc;
pub use printed::{Printed, PrintedFile};
pub use render::Rendered;
pub use root::{RootLibrary, RootValues};
pub use run::{LibraryOptions, Parses, Run, SchemaWork, check_within};
pub use symlink::SymlinkPolicy;
pub use tree::{DirectoryId, Tree};
pub use vocabulary::vocabulary;
