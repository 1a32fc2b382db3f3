//! Answers about one file, from its current text and from the results of the last run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file::File;
use crate::question::Question;
use crate::{
    Completion, Edit, FileFinding, Fix, Fold, Hint, Hover, Knowledge, Lens, Link, Location,
    Overlay, Preview, RenameError, Signature, Symbol, TextRange, Token, call, completion, fixes,
    folding, format, hints, hover, lenses, links, matches, navigation, preview, rename, selection,
    symbols, tokens,
};

/// A snapshot that answers questions. All offsets are in bytes.
#[derive(Clone)]
pub struct Analysis {
    overlay: Arc<Overlay>,
    knowledge: Arc<Knowledge>,
}

impl Analysis {
    /// A snapshot of the buffers, with the results of the last check of the project.
    pub fn new(overlay: Arc<Overlay>, knowledge: Arc<Knowledge>) -> Self {
        Self { overlay, knowledge }
    }

    /// What can be typed at an offset.
    pub fn completions(&self, path: &Path, offset: u32) -> Vec<Completion> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| completion::completions(&self.question(&it, path, offset)))
    }

    /// A description of what is at an offset.
    pub fn hover(&self, path: &Path, offset: u32) -> Option<Hover> {
        hover::hover(&self.question(&self.file(path)?, path, offset))
    }

    /// The call around an offset.
    pub fn signature(&self, path: &Path, offset: u32) -> Option<Signature> {
        call::signature(&self.file(path)?, path, offset, &self.overlay)
    }

    /// The definition of the name or data value at an offset. For an item of an overlay, the items
    /// that it matches.
    pub fn definition(&self, path: &Path, offset: u32) -> Vec<Location> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let question = self.question(&file, path, offset);
        let found = navigation::definition(&question);
        if found.is_empty() { matches::matched(&question) } else { found }
    }

    /// The data values that set the data value at an offset. For another item, the overlays that
    /// change it.
    pub fn implementations(&self, path: &Path, offset: u32) -> Vec<Location> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let question = self.question(&file, path, offset);
        navigation::settings(&question).unwrap_or_else(|| matches::changed_by(&question))
    }

    /// All occurrences of the name or data value at an offset, with its definitions.
    pub fn references(&self, path: &Path, offset: u32) -> Vec<Location> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| navigation::references(&self.question(&it, path, offset)))
    }

    /// The place of the name or data value at an offset, if it can be renamed.
    pub fn renamed_name(&self, path: &Path, offset: u32) -> Result<TextRange, RenameError> {
        let file = self.file(path).ok_or(RenameError::NoName)?;
        rename::renamed_name(&file, path, offset, &self.knowledge)
    }

    /// The changes that give the name or data value at an offset another name. Checks the project
    /// with these changes, and fails if it would have new errors.
    pub fn rename(&self, path: &Path, offset: u32, name: &str) -> Result<Vec<Edit>, RenameError> {
        let file = self.file(path).ok_or(RenameError::NoName)?;
        rename::rename(&self.question(&file, path, offset), name)
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

    /// The changes that format the blocks that a range touches.
    pub fn format_range(&self, path: &Path, range: &TextRange) -> Vec<(TextRange, String)> {
        self.file(path).map_or_else(Vec::new, |it| format::format_range(&it, range))
    }

    /// What computed values render to, for the lines of a range.
    pub fn hints(&self, path: &Path, range: &TextRange) -> Vec<Hint> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| hints::hints(&it, path, range, &self.knowledge))
    }

    /// The strings that name files.
    pub fn links(&self, path: &Path) -> Vec<Link> {
        self.file(path).map_or_else(Vec::new, |it| links::links(&it, path, &self.overlay))
    }

    /// The ranges around an offset, from the smallest to the whole file.
    pub fn selections(&self, path: &Path, offset: u32) -> Vec<TextRange> {
        self.file(path).map_or_else(Vec::new, |it| selection::selections(&it, offset))
    }

    /// Actions for lines of a file.
    pub fn lenses(&self, path: &Path) -> Vec<Lens> {
        self.file(path).map_or_else(Vec::new, |it| lenses::lenses(&it, path, &self.knowledge))
    }

    /// The changes that correct a finding of a file.
    pub fn fixes(&self, path: &Path, finding: &FileFinding) -> Vec<Fix> {
        let file = self.file(path);
        file.map_or_else(Vec::new, |it| {
            fixes::fixes(&it, path, finding, &self.overlay, &self.knowledge)
        })
    }

    /// The output of a file in a target, or in the first target that reads it.
    pub fn preview(&self, path: &Path, target: Option<&str>) -> Option<Preview> {
        preview::preview(path, target, &self.overlay, &self.knowledge)
    }

    /// The symbols in all files of the project whose names match a query, with their files.
    pub fn workspace_symbols(&self, query: &str) -> Vec<(PathBuf, Symbol)> {
        symbols::workspace_symbols(query, &self.overlay, &self.knowledge)
    }

    fn question<'a>(&'a self, file: &'a File, path: &'a Path, offset: u32) -> Question<'a> {
        Question { file, path, offset, overlay: &self.overlay, knowledge: &self.knowledge }
    }

    fn file(&self, path: &Path) -> Option<File> {
        Some(File::read(path, self.overlay.text(path)?))
    }
}
