//! Input files of in-memory worlds.

mod collect;
mod symlinks;
mod values;
