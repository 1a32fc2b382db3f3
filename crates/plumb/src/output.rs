//! What a run comes to.

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_library::InputFile;
use plumb_source::{Sources, Text};
use plumb_value::Document;

/// The result of a run, and all that is needed to explain it.
#[derive(Debug)]
pub struct Outcome {
    /// Every text that was read: what the spans of findings point into.
    pub sources: Sources,
    /// The input files, as far as the run came.
    pub inputs: Vec<InputFile>,
    pub warnings: Vec<Diagnostic>,
    pub result: Result<Output, Failure>,
    pub reached: Stage,
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
    /// At least one document.
    Yaml(Vec<Document>),
    Text(Text),
}
