//! Input files of worlds in memory.

mod collect;
mod symlinks;
mod values;
