//! Plumb as a library: renders and validates configuration in your own program.
//!
//! A [`World`] gives access to files, standard input and the environment. [`Options`] describe what
//! to do. Every function returns an [`Outcome`]: the result or the [`Failure`], the warnings, and
//! the texts that findings point into. Nothing is printed or written unless you do it.
//!
//! | function | returns |
//! |---|---|
//! | [`render`] | the rendered files |
//! | [`render_printable`] | the same, but only the text of files if there is no code |
//! | [`inspect`] | the same as [`render`], and what is known if they cannot be rendered |
//! | [`write`] | the paths of the rendered files, which are written all or none |
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
//! | [`check_machines`] | findings about virtual machines of KubeVirt |
//! | [`export_policies`] | rules for virtual machines as admission policies of Kubernetes |
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
pub use krm::{Function, NO_LIST, WRONG_CONFIG, krm};
pub use kube::{KubeField, kube_fields};
pub use machines::{MachineOptions, check_machines, export_policies};
pub use options::{Dialect, Input, Options, SchemaLanguage};
pub use outcome::{Content, Outcome, OutputFile, Printable, Rendered, Stage};
pub use plumb_diagnostic::{
    Code, Diagnostic, Failure, Failures, Frame, FramePlace, Label, Severity, Subject, nearest,
    pretty,
};
pub use plumb_kubevirt::vocabulary as machine_rules;
pub use plumb_peer as peer;

pub use plumb_library::{
    DataValueFlag, DataValueKind, FileType, GivenFile, InputFile, Printed, PrintedFile, SetValue,
    SilentDrops, SymlinkPolicy,
};
pub use plumb_schema::{CrdNames, DroppedNulls, NameError};
pub use plumb_source::root::resolve;
pub use plumb_source::{Cancel, Message, Source, SourceKind, Sources, World, lexical};
pub use plumb_starlark::Limits;
pub use plumb_stdlib::YTT_VERSION;
pub use plumb_template::{TextOrigin, TextOutput};
pub use plumb_validation::Violation;
pub use plumb_value::{Callable, Document};
pub use plumb_yaml::Limits as ReadLimits;
pub use render::{
    Inspection, data_values, input_files, inspect, render, render_printable, schema,
    shown_data_values,
};
pub use session::Session;
pub use test_code::{RenderCall, TestCode, TestFunction, test_code};
pub use write::{NOT_WRITTEN, check_paths, not_written, read_back, write};

/// What a front end needs to implement a [`World`].
pub mod world {
    pub use plumb_source::{
        Access, Cores, Entry, EntryKind, MemoryWorld, Occupant, OutputTree, Text, World,
        WorldError, WorldErrorKind,
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

/// The declared types of data values, as [`inspect`] returns them.
pub mod types {
    pub use plumb_schema::{
        ArrayType, Documentation, Example, Field, MapType, Presence, Scalar, Schema, Type, masked,
    };
}

/// The [`World`] of this computer.
#[cfg(feature = "native")]
pub mod native {
    pub use plumb_native::{NativeWorld, write_tree};
}
