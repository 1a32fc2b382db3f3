//! The pages that explain findings, one for each code.

mod pages;

pub use pages::{page, summaries};
