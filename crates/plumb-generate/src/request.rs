//! What a front end asks for, and what it lends to a run.

use std::path::PathBuf;
use std::sync::Arc;

use plumb_source::{Sources, World};

use crate::{Judge, Parameters, Report};

/// One command, with everything that its flags say.
#[derive(Clone, Debug)]
pub struct Request {
    pub action: Action,
    pub dialect: Dialect,
    pub parameters: Parameters,
    /// The root of `read()`. None: the directory of the script.
    pub input_directory: Option<PathBuf>,
    /// What every written path is below. Empty: the working directory.
    pub output_directory: PathBuf,
    /// Directories in which modules are looked for when nothing else has them.
    pub libraries: Vec<PathBuf>,
    /// Modules whose default export judges every value.
    pub validators: Vec<Script>,
    /// Those who judge every value too, in another language.
    pub judges: Vec<Arc<dyn Judge>>,
    /// A JSON Schema that every value must meet.
    pub schema: Option<PathBuf>,
    pub limits: Limits,
    pub clock: Clock,
    pub reporting: Reporting,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// Evaluates a module for what it does.
    Run { script: Script },
    /// Makes the files that the default export of a module describes.
    Generate { script: Script, to: Destination },
    /// Applies a function to every value of some files.
    Transform { script: Script, files: Vec<String>, to: Destination },
    /// Judges every value of some files. Without a script, by the other judges alone.
    Validate { script: Option<Script>, files: Vec<String> },
}

/// Where the code of a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    File(PathBuf),
    /// A module specifier, as an import would have it.
    Module(String),
    /// The code itself.
    Text(String),
    Stdin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Stdout,
    /// New files; one that stands there already is replaced when a generator makes it, and an
    /// error when a transformation does.
    Files,
    /// The files that a transformation reads are replaced, wherever they are.
    InPlace,
}

/// Whose manners to keep where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Plumb,
    Jk,
}

/// What a run may cost. Reaching a limit ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes on the heap of the engine; the files to be written count as much again.
    pub memory: usize,
    /// Bytes of stack: how deep calls may nest.
    pub stack: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// It is always the beginning of 1970, in UTC.
    Fixed,
    Real,
}

/// What a run says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reporting {
    /// Each file that is read or written is named.
    pub is_verbose: bool,
    /// Each import is traced.
    pub traces_imports: bool,
    /// Nothing is written or printed; the outcome lists what was read.
    pub lists_dependencies: bool,
}

/// What a front end lends to a run.
#[derive(Clone)]
pub struct Surroundings {
    pub world: Arc<dyn World + Send + Sync>,
    pub console: Arc<dyn Console + Send + Sync>,
    pub sources: Arc<Sources>,
    /// Asked again and again while a script runs: whether its time is over.
    pub is_over: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// Where scripts print to.
pub trait Console {
    /// Appends to standard output.
    fn print(&self, bytes: &[u8]);

    /// Appends to standard error.
    fn log(&self, bytes: &[u8]);
}

/// What came of a run that was not cut short.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Of a generator: what is invalid; then nothing was written. Of `validate`: every file.
    pub reports: Vec<Report>,
    /// What was read, if that was asked for: a JSON text.
    pub dependencies: Option<String>,
}

impl Outcome {
    pub fn is_valid(&self) -> bool {
        self.reports.iter().all(|report| report.complaints.is_empty())
    }
}

/// A gigabyte, and some ten thousand calls.
impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, stack: 8 << 20 }
    }
}
