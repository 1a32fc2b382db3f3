//! What a run comes to.

use plumb_diagnostic::{Diagnostic, Failure};
use std::sync::Arc;

use plumb_library::Tree;
use plumb_source::{Sources, Text};
use plumb_value::Document;

/// The result of a run, and all that is needed to explain it.
#[derive(Debug)]
pub struct Outcome {
    /// Every text that was read: what the spans of findings point into.
    pub sources: Arc<Sources>,
    /// The input files, if the run came so far.
    pub inputs: Option<Arc<Tree>>,
    pub warnings: Vec<Diagnostic>,
    pub result: Result<Output, Failure>,
    pub reached: Stage,
}

impl Outcome {
    pub(crate) fn new() -> Self {
        Self {
            sources: Arc::new(Sources::new()),
            inputs: None,
            warnings: Vec::new(),
            result: Ok(Output::Files(Vec::new())),
            reached: Stage::Collect,
        }
    }
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Input files were being looked for.
    Collect,
    /// Input files were there.
    Render,
}

#[derive(Debug)]
pub enum Output {
    /// Text files in the order in which they were visited, then YAML files in the order of input.
    Files(Vec<OutputFile>),
    /// An answer to a question about the run, to be shown rather than kept.
    Report(Document),
}

#[derive(Debug)]
pub struct OutputFile {
    /// The path of the input that it comes from.
    pub path: String,
    pub content: Content,
}

#[derive(Debug)]
pub enum Content {
    Yaml(Vec<Document>),
    Text(Text),
}
