//! What a run found, for programs: one list of findings and a renderer for each format.
//!
//! A [`Finding`] is a diagnostic whose places are worked out, so that it outlives the sources it
//! points into. It never holds a value of the user's, nor a line of a source, which may have one.
//! [`Run`] holds all findings of a run; [`json`], [`sarif`], [`junit`] and [`github`] lay it out.
//! [`page`] is what there is to say about a code.

mod finding;
pub mod github;
pub mod json;
pub mod junit;
mod pages;
mod run;
pub mod sarif;

pub use finding::{Call, File, Finding, Place, Point};
pub use pages::{page, summaries};
pub use run::{Ending, Run};
