//! Case files: tests written as Markdown that is also the manual.
//!
//! A case file has one `#` heading, its topic. Each `##` heading is a case, and its text is the
//! name of the test, unique in the repository. One or two sentences explain what happens and why.
//! Fenced blocks follow: those whose info string has `file=NAME` are inputs, and those whose
//! language is one of the runner's expectations (`output`, `diagnostics`, `console`, …) contain the
//! expected result.
//!
//! ````markdown
//! # Integer rules
//!
//! ## A value above the maximum is refused
//!
//! ```yaml file=values.yml
//! port: 99999
//! ```
//!
//! ```diagnostics
//! error: …
//! ```
//! ````
//!
//! Each case is a test, named after its page and title:
//! `rules::integer::a_value_above_the_maximum_is_refused`. With `PLUMB_UPDATE_CASES=1` in the
//! environment (`cargo xtask cases --update`) expectations are rewritten instead of compared.

mod case;
#[cfg(unix)]
pub mod console;
mod difference;
mod suite;

pub use case::{Case, CaseFile, Expectation, InputFile};
pub use plumb_source::MemoryWorld;
pub use suite::{Skip, Suite, is_program};
