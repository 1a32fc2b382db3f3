//! Answers about one file, from its text as it is now and from the last knowledge.

use std::path::Path;
use std::sync::Arc;

use crate::file::File;
use crate::{
    Completion, Edit, Fold, Hover, Knowledge, Location, Overlay, RenameError, Symbol, TextRange,
    Token, completion, folding, hover, navigation, symbols, tokens,
};

/// A snapshot that answers questions. All offsets are in bytes.
#[derive(Clone)]
pub struct Analysis {
    overlay: Arc<Overlay>,
    knowledge: Arc<Knowledge>,
}

impl Analysis {
    /// A snapshot over the buffers, with what the last check of the project showed.
    pub fn new(overlay: Arc<Overlay>, knowledge: Arc<Knowledge>) -> Self {
        Self { overlay, knowledge }
    }

    /// What can be typed at an offset.
    pub fn completions(&self, path: &Path, offset: u32) -> Vec<Completion> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| {
            completion::completions(&it, path, offset, &self.overlay, &self.knowledge)
        })
    }

    /// What is at an offset.
    pub fn hover(&self, path: &Path, offset: u32) -> Option<Hover> {
        hover::hover(&self.file(path)?, offset, &self.knowledge)
    }

    /// Where the name or data value at an offset is defined.
    pub fn definition(&self, path: &Path, offset: u32) -> Vec<Location> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| {
            navigation::definition(&it, path, offset, &self.overlay, &self.knowledge)
        })
    }

    /// All occurrences of the name or data value at an offset, with its definitions.
    pub fn references(&self, path: &Path, offset: u32) -> Vec<Location> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| {
            navigation::references(&it, path, offset, &self.overlay, &self.knowledge)
        })
    }

    /// The changes that give the name or data value at an offset another name.
    pub fn rename(&self, path: &Path, offset: u32, name: &str) -> Result<Vec<Edit>, RenameError> {
        let file = self.file(path).ok_or(RenameError::NoName)?;
        navigation::rename(&file, path, offset, name, &self.overlay, &self.knowledge)
    }

    /// Functions and variables of code, and keys of YAML, as a tree.
    pub fn symbols(&self, path: &Path) -> Vec<Symbol> {
        self.file(path).map_or_else(Vec::new, |it| symbols::symbols(&it))
    }

    /// The parts of a file that can be folded.
    pub fn folds(&self, path: &Path) -> Vec<Fold> {
        self.file(path).map_or_else(Vec::new, |it| folding::folds(&it))
    }

    /// The words of the code in a file, to be coloured.
    pub fn tokens(&self, path: &Path) -> Vec<Token> {
        self.file(path).map_or_else(Vec::new, |it| tokens::tokens(&it))
    }

    /// The change that formats a file as `plumb fmt` does. Returns `None` if it has errors or is
    /// formatted already.
    pub fn format(&self, path: &Path) -> Option<(TextRange, String)> {
        self.file(path)?.formatted()
    }

    fn file(&self, path: &Path) -> Option<File> {
        Some(File::read(path, self.overlay.text(path)?))
    }
}
