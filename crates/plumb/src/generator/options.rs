//! The options of a generator.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use plumb_generate::{
    Clock, Console, Destination, Dialect, EngineMemory, Limits, Reporting, Script,
};
use plumb_source::Cancel;

use crate::Session;

/// All options of a script's run; the other input is the [`World`](plumb_source::World).
///
/// Start with [`GeneratorOptions::script`], add to it with the methods, and set fields for rare
/// options:
///
/// ```
/// let mut options = plumb::GeneratorOptions::script("dashboards/index.ts")
///     .parameter("team", "billing")
///     .validator("./checks.js")
///     .output_directory("out");
/// options.limits.memory = 256 << 20;
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct GeneratorOptions {
    /// The script. [`validate`](crate::validate) also works without one.
    pub script: Option<Script>,
    /// The files to transform or to validate.
    pub files: Vec<String>,
    /// The parameters. Later ones override earlier ones.
    pub parameters: Vec<Parameter>,
    /// The directory in which scripts can read files. `None` means the directory of the script.
    pub input_directory: Option<PathBuf>,
    /// The directory of the output files. If it is empty, it is the working directory.
    pub output_directory: PathBuf,
    /// Directories that are searched last for modules.
    pub libraries: Vec<PathBuf>,
    /// Validators of every value: a script by its path, a module by its specifier, or a function in
    /// a file of rules, such as `rules.star:check`.
    pub validators: Vec<String>,
    /// A JSON Schema or a schema of data values that every value must satisfy.
    pub schema: Option<PathBuf>,
    /// Whether values become files or text.
    pub destination: Destination,
    /// Whose behaviour to follow if Plumb and jk differ.
    pub dialect: Dialect,
    /// The limits for the memory and stack of scripts.
    pub limits: Limits,
    /// The limits for rules in the template language and for schemas of data values.
    pub rule_limits: crate::Limits,
    /// The time that scripts see.
    pub clock: Clock,
    /// Stops the run from another thread.
    pub cancel: Cancel,
    /// What the run reports about itself.
    pub reporting: Reporting,
    /// Where scripts print to. If it is `None`, printed text is part of the outcome, and logged
    /// text is passed to [`World::print`](plumb_source::World::print).
    pub console: Option<Arc<dyn Console>>,
    /// What happens to the memory of the engine after the run.
    pub memory: EngineMemory,
    /// The session that the run shares with others.
    pub session: Option<Session>,
}

/// A parameter of a script, or a file with several.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// `NAME=VALUE`; dots in the name make nested objects.
    Value(String),
    /// The path of a JSON or YAML file.
    File(String),
}

impl GeneratorOptions {
    /// Options for a script in a file.
    pub fn script(path: impl Into<PathBuf>) -> Self {
        Self { script: Some(Script::File(path.into())), ..Self::without_script() }
    }

    /// Options for code that is not in a file: a module for a generator, or an expression that
    /// returns a function for a transformation or a validation.
    pub fn code(code: impl Into<String>) -> Self {
        Self { script: Some(Script::Text(code.into())), ..Self::without_script() }
    }

    /// Options for a validation with only schemas and other validators.
    pub fn without_script() -> Self {
        Self {
            script: None,
            files: Vec::new(),
            parameters: Vec::new(),
            input_directory: None,
            output_directory: PathBuf::new(),
            libraries: Vec::new(),
            validators: Vec::new(),
            schema: None,
            destination: Destination::Files,
            dialect: Dialect::Plumb,
            limits: Limits::default(),
            rule_limits: crate::Limits::default(),
            clock: Clock::Fixed,
            cancel: Cancel::default(),
            reporting: Reporting::default(),
            console: None,
            memory: EngineMemory::Freed,
            session: None,
        }
    }

    /// Adds a file to transform or to validate.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Sets a parameter to a string, as `-p NAME=VALUE` does.
    #[must_use]
    pub fn parameter(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let setting = format!("{}={}", name.as_ref(), value.as_ref());
        self.parameters.push(Parameter::Value(setting));
        self
    }

    /// Adds the parameters in a JSON or YAML file.
    #[must_use]
    pub fn parameters_file(mut self, path: impl Into<String>) -> Self {
        self.parameters.push(Parameter::File(path.into()));
        self
    }

    /// Sets the directory in which scripts can read files.
    #[must_use]
    pub fn input_directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.input_directory = Some(path.into());
        self
    }

    /// Sets the directory of the output files.
    #[must_use]
    pub fn output_directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.output_directory = path.into();
        self
    }

    /// Adds a validator of every value: see [`GeneratorOptions::validators`].
    #[must_use]
    pub fn validator(mut self, name: impl Into<String>) -> Self {
        self.validators.push(name.into());
        self
    }

    /// Sets the schema that every value must satisfy.
    #[must_use]
    pub fn schema(mut self, path: impl Into<PathBuf>) -> Self {
        self.schema = Some(path.into());
        self
    }

    /// Limits the memory and the stack of scripts.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Limits rules in the template language and schemas of data values.
    #[must_use]
    pub fn rule_limits(mut self, limits: crate::Limits) -> Self {
        self.rule_limits = limits;
        self
    }

    /// Lets another thread stop the run.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }
}

impl fmt::Debug for GeneratorOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratorOptions")
            .field("script", &self.script)
            .field("files", &self.files)
            .field("parameters", &self.parameters)
            .field("output_directory", &self.output_directory)
            .field("validators", &self.validators)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}
