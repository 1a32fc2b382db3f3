//! YAML and text templates: compiled to programs with native instructions that build nodes, and
//! evaluated to documents with an origin on every node.
//!
//! [`Template`] is a compiled file. A [`Loader`] finds the modules that it loads; a [`Runtime`] is
//! shared by all files of a run. Values of the language are converted to nodes in [`convert`], and
//! for overlays, schemas and validations in [`datum`].

mod advice;
mod build;
mod compile;
mod constant;
pub mod convert;
mod coverage;
pub mod datum;
mod directive;
mod early_end;
mod error;
mod fragment;
mod known;
mod object;
mod outline;
mod program;
mod runtime;
mod session;
mod template;
mod text;
mod values;
mod vocabulary;

pub use advice::{Confusion, UnknownModule};
pub use build::KeyAgain;
pub use compile::{
    CODE_AFTER_NODE_KEYWORD, CommentError, Options, ReadComment, TEXT_SYNTAX, TWO_VALUES,
    UNKNOWN_COMMENT,
};
pub use coverage::{CountedAnnotation, Coverage, Part as CoveragePart};
pub use error::{EVALUATION, FAILED, LIMIT, Raised, SYNTAX, UNDEFINED};
pub use fragment::{Content as FragmentContent, Fragment, FragmentGet, FragmentOperation};
pub use known::{
    MISSING_SPACE, REPEATED_ANNOTATION, STRAY_ANNOTATION, UNKNOWN_ANNOTATION, UNREAD_ARGUMENT,
};
pub use object::Object;
pub use outline::{
    AnnotationPlace, CommentKind, CommentPlace, TemplateOutline, outline_module, outline_text,
    outline_yaml,
};
pub use runtime::{
    Loader, Registry, Runtime, RuntimeOwner, Settings, Traces, replace, require_of_output,
};
pub use template::{
    Compiled, Evaluated, Output, Template, TextOrigin, TextOutput, annotation_names, is_template,
};
pub use text::NotText;
pub use text::{TextError, TextErrorKind};
pub use values::{DataStruct, missing_value, to_structs};
pub use vocabulary::{ANNOTATIONS, Vocabulary};
