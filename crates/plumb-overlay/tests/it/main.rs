//! Overlays as users write them, in a small notation for documents with annotations.

mod apply;
mod arguments;
mod arrays;
mod depth;
mod documents;
mod editing;
mod expression;
mod laws;
mod maps;
mod matchers;
mod notation;
mod outcome;
mod rendered;
mod sharing;
