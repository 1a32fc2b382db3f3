//! KubeVirt templates and machines: the rules of `vm.kubevirt.io/validations`, and what they say
//! about a virtual machine.
//!
//! [`object::objects`] finds machines and templates in documents; [`machine::source`] says which
//! rules hold for a machine; [`verdict::judge`] applies them.

pub mod admission;
mod api;
mod check;
pub mod inspect;
mod json;
pub mod jsonpath;
pub mod machine;
pub mod object;
mod pattern;
mod place;
pub mod report;
mod rule;
mod spell;
pub mod template;
pub mod verdict;

pub use rule::{Fault, FaultKind, Rules, RulesCache};
