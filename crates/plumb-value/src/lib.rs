//! The document model: one tree for everything that Plumb reads, computes and prints.
//!
//! A [`Document`] contains a [`Node`]: a scalar, a [`Map`] or an [`Array`]. Items of maps and
//! arrays, and documents, have an [`Origin`](plumb_source::Origin) and a [`Meta`] (comments and
//! annotations). Maps and arrays are shared until they are changed, and then only the path to the
//! change is copied (see [`Node::map_mut`]).
//!
//! Functions that users write are a [`Callable`] at this level, so that overlays, schemas and
//! validations do not depend on the language they are written in.

#![warn(missing_docs)]

mod annotation;
mod callable;
mod children;
mod comment;
mod definition;
mod map;
mod meta;
mod node;
mod path;
mod release;
mod repr;
mod term;
mod uses;
mod walk;

pub use annotation::{Added, Annotation, Annotations};
pub use callable::{CallError, CallFinding, Callable, Datum, Opaque};
pub use children::Children;
pub use comment::{ANNOTATIONS, Comment, OUTPUT_COMMENT, OutputComment, ShownComments};
pub use definition::{AnnotationDefinition, Reads};
pub use map::{Map, same_key};
pub use meta::Meta;
pub use node::{Array, ArrayItem, Document, MapItem, Node, NodeKind};
pub use path::{DataPath, KeyType, Step};
pub use term::{Expected, KeyName, TypeName};
pub use uses::Uses;
pub use walk::Descendants;
