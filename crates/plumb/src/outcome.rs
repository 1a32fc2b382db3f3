//! The outcome of a run.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_library::{InputFile, PrintedFile, Tree};
use plumb_source::{Sources, on_deep_stack};
use plumb_template::TextOutput;
use plumb_value::Document;

use crate::Session;

/// The result of a run, and everything needed to explain it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<T> {
    /// All texts that were read. The spans of findings point into them.
    pub sources: Arc<Sources>,
    /// The findings that do not make the run fail.
    pub warnings: Vec<Diagnostic>,
    /// The result, or all findings that make the run fail.
    pub result: Result<T, Failure>,
    /// The last stage that the run has reached.
    pub reached: Stage,
    pub(crate) tree: Option<Arc<Tree>>,
    pub(crate) kept: Kept,
}

/// Everything else that a run has read and computed. It lives as long as the outcome, so that a
/// program that ends after its only run can `forget` all of it: freeing it takes time.
#[derive(Default)]
pub(crate) struct Kept(Vec<Box<dyn Any + Send + Sync>>);

impl Kept {
    pub(crate) fn add(&mut self, thing: impl Any + Send + Sync) {
        self.0.push(Box::new(thing));
    }
}

/// Drops the content on a deep stack, because it may be nested deeply.
impl Drop for Kept {
    fn drop(&mut self) {
        let things = std::mem::take(&mut self.0);
        if !things.is_empty() {
            on_deep_stack(|| drop(things));
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kept").field(&self.0.len()).finish()
    }
}

impl<T> Outcome<T> {
    /// The outcome of a run that has not started yet.
    pub(crate) fn new(session: Option<&Session>) -> Self {
        Self {
            sources: session.map(Session::sources).unwrap_or_default(),
            warnings: Vec::new(),
            result: Err(Failure::consequence()),
            reached: Stage::Collect,
            tree: None,
            kept: Kept::default(),
        }
    }

    /// The input files in their order. Empty if the run failed before they were found.
    pub fn inputs(&self) -> &[InputFile] {
        self.tree.as_ref().map_or(&[], |tree| tree.files())
    }

    /// The same outcome with another result.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        let Self { sources, warnings, result, reached, tree, kept } = self;
        Outcome { sources, warnings, result: result.map(change), reached, tree, kept }
    }

    /// The same outcome with the result of another step. The step gets the texts that were read.
    pub fn and_then<U>(self, step: impl FnOnce(T, &Sources) -> Result<U, Failure>) -> Outcome<U> {
        let Self { sources, warnings, result, reached, tree, kept } = self;
        let result = result.and_then(|it| step(it, &sources));
        Outcome { sources, warnings, result, reached, tree, kept }
    }
}

/// The last stage that a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// It was searching for input files.
    Collect,
    /// It had found all input files.
    Render,
}

/// The files that a run renders: text files in the order in which they were visited, then YAML
/// files in the order of input.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rendered {
    /// The files, in this order.
    pub files: Vec<OutputFile>,
}

impl Rendered {
    /// The documents of all YAML files.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        self.files.iter().flat_map(|file| match &file.content {
            Content::Yaml(documents) => documents.as_slice(),
            Content::Text(_) => &[],
        })
    }
}

/// The result of a run that is only printed. There are no other forms: match both.
#[derive(Debug)]
pub enum Printable {
    /// The rendered files, as [`render`](crate::render) returns them.
    Documents(Rendered),
    /// The YAML files of a run without code. Their documents are printed, and are not in memory.
    Printed(Vec<PrintedFile>),
}

/// A rendered file.
#[derive(Debug)]
#[non_exhaustive]
pub struct OutputFile {
    /// The path of the input file, or the path that a template gives to the result.
    pub path: String,
    /// The documents or the text.
    pub content: Content,
}

impl OutputFile {
    /// A file with this content.
    pub fn new(path: impl Into<String>, content: Content) -> Self {
        Self { path: path.into(), content }
    }
}

/// The content of a rendered file. There are no other kinds of content: match both.
#[derive(Debug)]
pub enum Content {
    /// The documents of a YAML file.
    Yaml(Vec<Document>),
    /// The text of any other file.
    Text(TextOutput),
}
