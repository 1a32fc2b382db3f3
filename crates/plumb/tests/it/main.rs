//! Whole runs in a world of memory.

mod render;
