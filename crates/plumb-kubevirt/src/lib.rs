//! KubeVirt templates and machines: the rules of `vm.kubevirt.io/validations`, and what they say
//! about a virtual machine.

mod api;
mod json;
pub mod jsonpath;
mod pattern;
mod quantity;
mod rule;

pub use rule::{Fault, FaultKind, Rules};
