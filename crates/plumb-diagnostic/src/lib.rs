//! What Plumb reports about a source, and its layout.
//!
//! Every stage reports mistakes in the user's input as a [`Diagnostic`]: plain data that front ends
//! lay out. A [`Failure`] ends a run: it consists of one or more diagnostics, and what was being
//! done. Steps that can continue after a failure collect them as [`Failures`]. [`pretty`] shows the
//! lines of source. [`Facts`] let other crates render a diagnostic in different words.

#![warn(missing_docs)]

mod code;
mod diagnostic;
mod failure;
mod literal;
mod mask;
pub mod pretty;
mod silent;

pub use code::Code;
pub use diagnostic::{
    Diagnostic, DiffLine, Frame, FramePlace, Label, Severity, Side, Subject, shown_calls,
};
pub use failure::{Failure, Failures, First, Wording};
pub use literal::Literals;
pub use mask::{argument, line_of_source};
pub use plumb_source::Facts;
pub use plumb_source::spelling::nearest;
pub use silent::SilentDrops;
