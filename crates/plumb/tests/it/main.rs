//! Whole runs in an in-memory world.

mod import;
mod limits;
mod render;
mod small_stack;
