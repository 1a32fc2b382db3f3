//! Plumb as a library: renders and validates configuration in your own program.
//!
//! A [`World`] gives access to files, standard input and the environment. [`Options`] describe what
//! to do. A run returns an [`Outcome`]: the result or the [`Failure`], the warnings, and the texts
//! that findings point into. Only [`write`](write()), [`Generated::write`] and the methods of a
//! [`World`] write files; nothing is printed, except that templates and scripts may pass lines to
//! [`World::print`].
//!
//! These functions run stages on input files, and return an [`Outcome`]:
//!
//! | function | its result |
//! |---|---|
//! | [`render`] | the rendered files |
//! | [`render_printable`] | the same, but only the text of files if there is no code |
//! | [`data_values`] | the data values that templates see |
//! | [`shown_data_values`] | the same, with a mask in place of secrets |
//! | [`schema`] | the schema of the data values, as JSON Schema, `OpenAPI` or a custom resource |
//! | [`input_files`] | the files that would be read |
//! | [`format()`] | YAML files in the usual layout |
//! | [`schema_reference`] | what the schema says, for [`docs`] to lay out |
//! | [`import_schema`] | a schema of data values from a schema in another language |
//! | [`import_helm`] | a schema and templates from a chart of Helm |
//! | [`generate`] | the files that a script describes |
//! | [`transform`] | files, changed by a script |
//! | [`validate`] | findings about the values of files, by a script or a schema |
//! | [`generator::run`] | everything that a script returns, with or without findings |
//! | [`check_machines`] | findings about virtual machines of KubeVirt |
//! | [`export_policies`] | rules for virtual machines as admission policies of Kubernetes |
//!
//! These return something else, because they have no outcome or more than one:
//!
//! | function | returns |
//! |---|---|
//! | [`inspect`] | the outcome of [`render`], and what is known even if it is a failure |
//! | [`krm`] | a [`KrmOutcome`]: a list of Kubernetes resources, even if the function fails |
//! | [`test_code`] | the result of each test in a file of Starlark, or why it cannot be evaluated |
//! | [`kube_fields`] | the fields of a Kubernetes resource; none if they are not known |
//! | [`machines::contains_machines`] | whether a file contains virtual machines |
//! | [`check_paths`] | a failure if two rendered files have the same path |
//! | [`write`](write()) | the paths and contents of the files that it wrote: all or none |
//! | [`read_back`] | a warning if the output directory is among the input |
//! | [`not_written`] | the failure for an error of [`World::write`] |
//!
//! [`print`](mod@print) turns results into text, [`pretty`] findings, and [`docs`] references of
//! schemas.
//!
//! Input may be nested deeply: functions that walk documents run on a separate, large stack, so the
//! caller does not need one. The minimum supported Rust version is 1.95.
//!
//! The default feature `native` provides [`native::NativeWorld`]; the default feature `generators`
//! runs scripts. Without both, the crate compiles to WebAssembly.
//!
//! # Render files that are in memory
//!
//! ```
//! use std::sync::Arc;
//!
//! use plumb::world::MemoryWorld;
//! use plumb::{Options, World, print, render};
//!
//! let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
//! let options = Options::new()
//!     .file("config.yml", "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")
//!     .file("schema.yml", "#@data/values-schema\n---\nname: \"\"\n")
//!     .data_value("name", "web");
//! let rendered = render(&world, &options).result.expect("the input is valid");
//! assert_eq!(print::yaml(rendered.documents()), b"name: web\n");
//! ```
//!
//! # Render a directory and write the result
//!
//! [`native::NativeWorld`] is the computer on which the program runs. Either all files are written
//! or none.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use plumb::native::NativeWorld;
//! use plumb::world::{Access, Occupant, OutputTree};
//! use plumb::{Options, World, print, render};
//!
//! fn build() -> Result<(), Box<dyn std::error::Error>> {
//!     let world: Arc<dyn World> = Arc::new(NativeWorld::default());
//!     let options = Options::new().path("config").data_values_file("values/prod.yml");
//!     let rendered = render(&world, &options).result?;
//!     let files = print::files(&rendered.files);
//!     let (occupant, access) = (Occupant::Kept, Access::Usual);
//!     world.write(&OutputTree { directory: Path::new("out"), occupant, access, files: &files })?;
//!     Ok(())
//! }
//! # let _ = build;
//! ```
//!
//! # Show findings
//!
//! A [`Failure`] is an [`Error`](std::error::Error) with one line per finding. [`pretty`] also
//! shows the lines of source. Values are masked in both, because they may be secret.
//!
//! ```
//! use std::sync::Arc;
//!
//! use plumb::pretty::{self, Colour};
//! use plumb::world::MemoryWorld;
//! use plumb::{Options, World, data_values};
//!
//! let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
//! let options = Options::new()
//!     .file("schema.yml", "#@data/values-schema\n---\nport: 80\n")
//!     .data_value("port", "eighty");
//! let outcome = data_values(&world, &options);
//! let failure = outcome.result.expect_err("a port is a number");
//! let text = pretty::render_failure(&failure, &outcome.sources, Colour::Never);
//! assert!(text.contains("schema.yml:3:1"), "{text}");
//! assert!(!text.contains("eighty"), "{text}");
//! ```
//!
//! # Export a schema
//!
//! ```
//! use std::sync::Arc;
//!
//! use plumb::world::MemoryWorld;
//! use plumb::{Options, SchemaLanguage, World, print, schema};
//!
//! let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
//! let options = Options::new().file("schema.yml", "#@data/values-schema\n---\nport: 80\n");
//! let document = schema(&world, &options, &SchemaLanguage::JsonSchema).result.expect("it is valid");
//! let text = String::from_utf8(print::yaml([&document])).expect("YAML is UTF-8");
//! assert!(text.contains("type: integer"), "{text}");
//! ```
//!
//! # Limit templates that you do not trust
//!
//! Every run has limits on steps, memory and depth. A [`Cancel`] stops a run from another thread.
//!
//! ```
//! use std::sync::Arc;
//!
//! use plumb::world::MemoryWorld;
//! use plumb::{Limits, Options, World, render};
//!
//! let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
//! let endless = "#@ for n in range(1000000000):\n#@   x = n\n#@ end\n";
//! let limits = Limits::default().steps(10_000);
//! let outcome = render(&world, &Options::new().file("a.yml", endless).limits(limits));
//! let failure = outcome.result.expect_err("it takes too many steps");
//! assert_eq!(failure.findings()[0].code.as_str(), "template/limit");
//! ```

#![warn(missing_docs)]

mod coverage;
pub mod docs;
mod findings;
mod format;
#[cfg(feature = "generators")]
pub mod generator;
mod helm;
mod import;
mod krm;
mod kube;
pub mod machines;
mod modules;
mod options;
mod outcome;
pub mod print;
mod render;
mod session;
mod test_code;
mod warning;
mod write;

pub use coverage::FileCoverage;
pub use docs::{ReferenceOptions, schema_reference};
pub use format::{FormattedFile, FormattedText, format};
#[cfg(feature = "generators")]
pub use generator::{Generated, GeneratorOptions, generate, transform, validate};
pub use helm::{HelmChoice, HelmImport, import_helm};
pub use import::{SchemaChoice, import_schema};
pub use krm::{KrmOutcome, NO_LIST, WRONG_CONFIG, krm};
pub use kube::{KubeField, kube_fields};
pub use machines::{MachineOptions, check_machines, export_policies};
pub use options::{Dialect, Input, Options, SchemaLanguage};
pub use outcome::{Content, Outcome, OutputFile, Printable, Rendered, Stage};
pub use plumb_diagnostic::{
    Code, Diagnostic, DiffLine, Failure, Failures, First, Frame, FramePlace, Label, Severity, Side,
    Subject, Wording, pretty,
};
pub use plumb_kubevirt::vocabulary as machine_rules;
pub use plumb_peer as peer;

pub use plumb_library::{
    DataValueFlag, DataValueKind, FileType, GivenFile, InputFile, Printed, PrintedFile, SetValue,
    SilentDrops, SymlinkPolicy,
};
pub use plumb_schema::{CrdNames, DroppedNulls, NameError};
pub use plumb_source::{
    Cancel, Facts, FileId, Message, Source, SourceKind, Sources, Span, Values, World, lexical,
};
pub use plumb_starlark::Limits;
pub use plumb_stdlib::YTT_VERSION;
pub use plumb_template::{TextOrigin, TextOutput};
pub use plumb_value::Document;
pub use plumb_yaml::Limits as ReadLimits;
pub use render::{
    Inspection, data_values, input_files, inspect, render, render_printable, schema,
    shown_data_values,
};
pub use session::Session;
pub use test_code::{RenderCall, RenderTarget, TestCode, TestFunction, test_code};
pub use write::{NOT_WRITTEN, check_paths, not_written, read_back, write};

/// What a front end needs to implement a [`World`].
pub mod world {
    pub use plumb_source::{
        Access, Cores, Entry, EntryKind, MemoryWorld, Occupant, OutputTree, Text, World,
        WorldError, WorldErrorKind,
    };
}

/// The parts of a [`Document`], and the arguments of its annotations: values and functions of the
/// template language.
pub mod document {
    pub use plumb_source::{FileId, Origin, Span, Text};
    pub use plumb_value::{
        Added, Annotation, Annotations, Array, ArrayItem, CallError, CallFinding, Callable,
        Comment, DataPath, Datum, Document, Map, MapItem, Meta, Node, NodeKind, Opaque,
        ShownComments, Step, Uses,
    };
}

/// Paths whose links are followed in a [`World`]. [`lexical`] has what can be done with the text
/// of a path alone.
pub mod paths {
    pub use plumb_source::root::resolve;
}

/// The name that was probably meant by a misspelt one.
pub mod spelling {
    pub use plumb_source::spelling::nearest;
}

/// The declared types of data values, as [`inspect`] returns them.
pub mod types {
    pub use plumb_schema::{
        ArrayType, Docs, Documentation, Example, Field, MapType, Presence, Scalar, Schema, Type,
        masked,
    };
    pub use plumb_validation::{Choice, Validation};
}

/// The [`World`] of this computer.
#[cfg(feature = "native")]
pub mod native {
    pub use plumb_native::{NativeWorld, write_tree};
}
