//! The findings of a run, for programs: one list of findings and a renderer for each format.
//!
//! A [`Finding`] is a diagnostic with resolved places, so that it outlives its sources. It never
//! contains a data value, or a line of a source, which may contain one. [`Run`] contains all
//! findings of a run; [`json`], [`sarif`], [`junit`] and [`github`] render it. [`page`] returns the
//! page that explains a code. [`merge`] merges several reports into one.

mod finding;
pub mod github;
pub mod json;
pub mod junit;
mod merge;
mod pages;
mod run;
pub mod sarif;

pub use finding::{Call, File, Finding, Place, Point};
pub use merge::{MergeError, merge};
pub use pages::{page, summaries};
pub use run::{Ending, Run, Test, TestSuite};
