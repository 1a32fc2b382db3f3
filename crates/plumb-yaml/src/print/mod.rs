//! Documents to text: YAML, JSON, the places of nodes, and formatted YAML with its comments.

mod entries;
pub mod json;
mod layout;
mod number;
mod scalar;
mod style;
mod text;
mod yaml;

pub use yaml::{documents, node};

#[cfg(test)]
mod tests;
