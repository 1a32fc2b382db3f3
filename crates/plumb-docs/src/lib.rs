//! References of schemas, for the people who fill in values.
//!
//! [`Reference::of`] walks a compiled schema and lists its keys in sections. [`markdown`] and
//! [`html`] write the result; [`inject`] inserts the Markdown between two markers of another text.
//! A [`Reference`] never contains values that are marked as secret.
//!
//! Schemas are walked by recursion: 10,000 levels need a few megabytes of stack.

mod build;
mod html;
mod inject;
mod markdown;
mod prose;
mod reference;
mod words;

pub use html::html;
pub use inject::{BEGIN, END, MARKERS, inject};
pub use markdown::markdown;
pub use reference::{Default, Heading, Key, Reference, Sample, Section};
