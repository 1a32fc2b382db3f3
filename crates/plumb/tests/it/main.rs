//! Whole runs in an in-memory world.

mod import;
mod limits;
mod printed;
mod render;
mod small_stack;
