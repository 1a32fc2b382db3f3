//! A machine as it is written, completed by what KubeVirt's API knows of it.
//!
//! What the document has is found, whether or not the API has such a field. In addition, a field of
//! the API that is left out reads as its zero value, and a path through an object that is absent as a
//! whole is looked up in the *reference object*, a machine in which everything is present and zero.
//! Neither is ever built: [`ApiValue`] is a place in the table of types and, if there is one, a node
//! of the document.

mod conform;
mod missing;
mod read;
mod table;
mod value;

pub(crate) use conform::{Mismatch, conform};
pub(crate) use missing::{Missing, missing};
pub(crate) use read::NotAnInteger;
pub(crate) use value::{ApiValue, Defaults};
