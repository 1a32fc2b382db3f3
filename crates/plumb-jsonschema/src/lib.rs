//! JSON Schema, and the schemas of `OpenAPI` and Kubernetes.
//!
//! [`Keyword`] is the table of all keywords, and the only place that spells them. A schema is read
//! with its methods, and written with [`Entries`] in the order of a [`Dialect`]. [`Expressed`] has
//! the keywords that rules come to.

mod draft;
mod express;
mod keyword;
mod read;
mod types;
mod write;

pub use draft::{Draft, Drafts};
pub use express::{Expressed, QUANTITY_PATTERN};
pub use keyword::{Keyword, Operand, Vocabulary};
pub use types::{Types, kind_of_type, type_name};
pub use write::{Dialect, Entries, array, map, schema};
