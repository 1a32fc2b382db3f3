//! What a question of an editor is about.

use std::path::Path;
use std::sync::Arc;

use crate::file::File;
use crate::knowledge::Knowledge;
use crate::overlay::Overlay;

/// A question about an offset of a file, and everything that answers can be made from.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) file: &'a File,
    pub(crate) path: &'a Path,
    /// In bytes.
    pub(crate) offset: u32,
    /// The texts of all files.
    pub(crate) overlay: &'a Arc<Overlay>,
    /// What the last check of the project showed.
    pub(crate) knowledge: &'a Knowledge,
}
