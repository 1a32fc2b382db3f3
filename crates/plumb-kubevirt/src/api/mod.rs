//! A virtual machine as it is written, completed with the defaults of KubeVirt's API.
//!
//! Every value that the document contains is found, even if the API does not have such a field. In
//! addition, a missing field of the API has its zero value. A path through a missing object is
//! looked up in the *reference object*, a virtual machine in which everything is present and zero.
//! Neither object is ever built: an [`ApiValue`] is a position in the table of types and, if the
//! value is written, a node of the document.

mod conform;
mod missing;
mod read;
mod table;
mod value;

pub(crate) use conform::{Mismatch, conform};
pub(crate) use missing::{MissingReason, first_missing, missing};
pub(crate) use read::IntegerError;
pub(crate) use table::{Field, Struct, TABLE, Type};
pub(crate) use value::{ApiValue, Defaults};
