//! The request of a front end, and the environment that it provides for a run.

use std::path::PathBuf;
use std::sync::Arc;

use plumb_source::{Access, Message, Occupant, OutputTree, Sources, World, WorldError};

use crate::{Parameters, Report, Validator};

/// One command with the options from its flags.
#[derive(Clone, Debug)]
pub struct Request {
    pub action: Action,
    pub dialect: Dialect,
    pub parameters: Parameters,
    /// The root of `read()`. `None` means the directory of the script.
    pub input_directory: Option<PathBuf>,
    /// The directory of the output files. An empty path means the working directory.
    pub output_directory: PathBuf,
    /// Directories in which modules are searched last.
    pub libraries: Vec<PathBuf>,
    /// Modules whose default export validates every value.
    pub validators: Vec<Script>,
    /// Validators in other languages for every value.
    pub native_validators: Vec<Arc<dyn Validator>>,
    /// A JSON Schema that every value must satisfy.
    pub schema: Option<PathBuf>,
    pub limits: Limits,
    pub clock: Clock,
    pub reporting: Reporting,
}

/// What to do, and with which script and files.
#[derive(Clone, Debug)]
pub enum Action {
    /// Evaluates a module for its side effects.
    Run { script: Script },
    /// Creates the files that the default export of a module describes.
    Generate { script: Script, to: Destination },
    /// Applies a function to every value of some files.
    Transform { script: Script, files: Vec<String>, to: Destination },
    /// Validates every value in files. Without a script, only the other validators are used.
    Validate { script: Option<Script>, files: Vec<String> },
}

/// The source of the code of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// The path of a file.
    File(PathBuf),
    /// A module specifier, as in an import.
    Module(String),
    /// The code itself.
    Text(String),
    /// Standard input.
    Stdin,
}

/// The destination of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The text of one output.
    Stdout,
    /// New files. If a file already exists, a generator replaces it, and a transformation fails.
    Files,
    /// A transformation replaces the files that it reads, wherever they are.
    InPlace,
}

/// Whose behaviour to follow if Plumb and jk differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As Plumb.
    Plumb,
    /// As jk.
    Jk,
}

/// The limits of a run. A run that reaches one ends with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes on the heap of the engine. The files to write may need the same amount in addition.
    pub memory: usize,
    /// Bytes of stack, which limit the depth of calls.
    pub stack: usize,
}

/// The time that scripts see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Always the beginning of 1970, in UTC.
    Fixed,
    /// The time of the computer.
    Real,
}

/// What a run reports about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reporting {
    /// Whether each file that is read or written is reported.
    pub is_verbose: bool,
    /// Whether each import is traced.
    pub traces_imports: bool,
}

/// The environment that a front end provides for a run.
#[derive(Clone)]
pub struct Surroundings {
    pub world: Arc<dyn World>,
    pub console: Arc<dyn Console>,
    pub sources: Arc<Sources>,
    /// Called regularly while a script runs. Returns a reason if the script must stop.
    pub stop: Arc<dyn Fn() -> Option<String> + Send + Sync>,
    /// What happens to the memory of the engine after the run.
    pub memory: EngineMemory,
    /// The words of errors that scripts catch as a text, and that users of jk read.
    pub wording: fn(&Message) -> Message,
}

/// What happens to the memory of the engine after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineMemory {
    /// It is freed.
    #[default]
    Freed,
    /// It is kept until the process ends, which is about to happen: to free every object takes time.
    Kept,
}

/// Where scripts print to.
pub trait Console: Send + Sync {
    /// Appends to standard output.
    fn print(&self, bytes: &[u8]);

    /// Appends to standard error.
    fn log(&self, bytes: &[u8]);
}

/// The result of a run that was not aborted. Nothing is written or printed yet.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// For a generator, the invalid files. For `validate`, all files.
    pub reports: Vec<Report>,
    /// The files to write. Empty if a value is invalid.
    pub trees: Vec<Tree>,
    /// The text for standard output. Empty if a value is invalid, or if the script only runs for
    /// its side effects, because it then prints to the console.
    pub printed: Vec<u8>,
    /// The files that were read.
    pub dependencies: Vec<Dependency>,
}

impl Outcome {
    /// Whether no validator reported a finding.
    pub fn is_valid(&self) -> bool {
        self.reports.iter().all(|report| report.findings.is_empty())
    }
}

/// Files to write below one directory: either all of them or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The directory that the files are below.
    pub directory: PathBuf,
    /// Paths below the directory, and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Tree {
    /// Writes the files. Other files in the directory are kept.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The directory is then unchanged.
    pub fn write(&self, world: &dyn World) -> Result<(), WorldError> {
        let (occupant, access) = (Occupant::Kept, Access::Usual);
        world.write(&OutputTree {
            directory: &self.directory,
            occupant,
            access,
            files: &self.files,
        })
    }
}

/// A file that a run has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// What it is.
    pub kind: DependencyKind,
    /// Its path.
    pub path: PathBuf,
}

/// Why a file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// As a file of parameters.
    Parameters,
    /// By a script, as input of the command, or as a schema.
    Read,
    /// As a module.
    Import {
        /// The name in the import.
        specifier: String,
    },
}

/// One gigabyte, and about ten thousand calls. In WebAssembly, half of the memory, and about 140
/// calls: parsing a text with 500 nested parentheses then still fits on the browser's own stack,
/// which is not counted here.
impl Default for Limits {
    fn default() -> Self {
        if cfg!(target_family = "wasm") {
            Self { memory: 1 << 29, stack: 40 << 10 }
        } else {
            Self { memory: 1 << 30, stack: 8 << 20 }
        }
    }
}
