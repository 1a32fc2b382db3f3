//! Whole runs in an in-memory world.

mod import;
mod render;
mod small_stack;
