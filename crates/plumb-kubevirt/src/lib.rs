//! KubeVirt templates and virtual machines: the rules of `vm.kubevirt.io/validations`, and whether
//! a virtual machine satisfies them.
//!
//! [`object::objects`] finds virtual machines and templates in documents; [`machine::source`]
//! returns the rules that apply to a virtual machine; [`verdict::validate`] applies them.

pub mod admission;
mod api;
mod check;
pub mod export;
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
pub mod vocabulary;

pub use rule::{RuleError, RuleErrorKind, Rules, RulesCache};
