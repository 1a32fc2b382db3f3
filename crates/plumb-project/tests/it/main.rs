//! Projects in memory.

mod disk;
mod incremental;
