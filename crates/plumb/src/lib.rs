//! Everything public that Plumb promises to keep: a [`World`] and [`Options`] in, an [`Outcome`]
//! out.
//!
//! [`render`] is the whole of a run, one stage after the other. Nothing here prints, and nothing
//! here touches the machine: the world does the one, front ends the other.

mod findings;
mod format;
mod import;
mod krm;
mod kube;
mod mistake;
mod options;
mod outcome;
pub mod print;
mod render;
mod rule_file;
mod schema_file;

pub use format::format;
pub use import::{SchemaChoice, import_schema};
pub use krm::{Function, NO_LIST, WRONG_CONFIG, krm};
pub use options::{Dialect, Input, Options, SchemaLanguage};
pub use outcome::{Content, Outcome, OutputFile, Rendered, Stage};
pub use plumb_diagnostic::{Code, Diagnostic, Failure, Severity, nearest, peer, pretty};

pub use plumb_library::{
    DataValueFlag, DataValueKind, FileType, GivenFile, InputFile, SilentDrops, SymlinkPolicy,
    lexical, resolve,
};
pub use plumb_schema::{CrdNames, NameProblem};
pub use plumb_source::{Cancel, Sources, World};
pub use plumb_starlark::Limits;
pub use plumb_validation::Violation;
pub use plumb_value::{Callable, Document};
pub use plumb_yaml::Limits as ReadLimits;
pub use render::{data_values, input_files, render, schema};
pub use rule_file::{RULE_FILE, rule};
pub use schema_file::{DataSchema, data_schema};

/// What a front end needs to make a [`World`].
pub mod world {
    pub use plumb_source::{
        Access, Cores, Entry, EntryKind, Fault, MemoryWorld, Occupant, OutputTree, Text, World,
        WorldError,
    };
}

/// The parts of a [`Document`].
pub mod document {
    pub use plumb_source::{Origin, Span, Text};
    pub use plumb_value::{
        Annotation, Annotations, Array, ArrayItem, Comment, Document, Map, MapItem, Meta, Node,
        NodeKind,
    };
}

/// The [`World`] of this computer.
#[cfg(feature = "native")]
pub mod native {
    pub use plumb_native::{NativeWorld, write_tree};
}
