//! What Plumb says about a source, and how it is laid out.
//!
//! Every stage reports what is wrong with the user's input as a [`Diagnostic`]: plain data that
//! front ends lay out. What ends a run is a [`Failure`]: one or more diagnostics, and what was
//! being done. Steps that can go on after one collect them as [`Failures`]. [`pretty`] shows the lines of source; [`peer`] words and lays it out as ytt does,
//! for those who call Plumb by that name.

mod code;
mod diagnostic;
mod failure;
mod mask;
mod nearest;
pub mod peer;
pub mod pretty;
mod silent;

pub use code::Code;
pub use diagnostic::{Diagnostic, Frame, Label, Place, Severity, Subject};
pub use failure::{Failure, Failures};
pub use mask::{argument, line_of_source};
pub use nearest::nearest;
pub use silent::SilentDrops;
