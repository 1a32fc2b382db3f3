//! Whole runs in a world of memory.

mod import;
mod render;
