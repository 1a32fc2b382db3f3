//! The options of a run.

use plumb_library::{
    DataValueFlag, DataValueKind, GivenFile, SetValue, SilentDrops, SymlinkPolicy,
};
use plumb_schema::{CrdNames, DroppedNulls};
use plumb_source::Cancel;
use plumb_starlark::Limits;
use plumb_yaml::{Limits as ReadLimits, ReadOptions};

use crate::Session;

/// All options of a run; the other input is the [`World`](plumb_source::World).
///
/// Start with [`Options::new`], add to it with the methods, and set fields for rare options:
///
/// ```
/// let mut options = plumb::Options::new()
///     .path("config")
///     .data_value("replicas", "3")
///     .data_values_file("values/prod.yml");
/// options.limits.steps = 1_000_000;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Options {
    pub input: Input,
    /// File marks, such as `*.txt:type=yaml-plain`.
    pub marks: Vec<String>,
    pub symlinks: SymlinkPolicy,
    pub silent_drops: SilentDrops,
    pub dialect: Dialect,
    /// Whether plain `#` comments are allowed in templates.
    pub ignores_unknown_comments: bool,
    /// Whether a map key that a template gives twice replaces the earlier one.
    pub overrides_map_keys: bool,
    /// Whether the output has the plain comments of templates and overlays.
    pub keeps_comments: bool,
    pub data_values: Vec<DataValueFlag>,
    /// Data values that the caller has parsed. They override those of `data_values`.
    pub set: Vec<SetValue>,
    /// Whether rules on data values are skipped. Types are always checked.
    pub skips_validation: bool,
    /// Whether rules on output documents are skipped, in libraries too.
    pub skips_output_validation: bool,
    /// Files and directories with Kubernetes schemas for validating output documents.
    pub kube_schemas: Vec<String>,
    /// Kinds that do not need a schema, as patterns such as `example.com/*`.
    pub kube_allow_unknown: Vec<String>,
    /// The limits for the work of templates.
    pub limits: Limits,
    /// Stops the run from another thread.
    pub cancel: Cancel,
    /// The maximum depth of YAML documents, and the number of values that their aliases may expand
    /// to.
    pub reading: ReadLimits,
    /// The session that the run shares with others.
    pub session: Option<Session>,
}

/// The source of input files.
#[derive(Clone, Debug)]
pub enum Input {
    /// Arguments of `-f`: paths, directories, URLs, `-` for standard input, `NAME=PATH`.
    Paths(Vec<String>),
    /// Files with their content.
    Given(Vec<GivenFile>),
}

/// The accepted YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.1.
    Full,
    /// Only what all YAML parsers read in the same way.
    Strict,
}

/// The language that a schema is exported in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SchemaLanguage {
    /// `OpenAPI` v3, as ytt writes it.
    OpenApi,
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// A `CustomResourceDefinition` of Kubernetes with these names.
    Crd(CrdNames, DroppedNulls),
}

impl Options {
    /// Options without any input.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an input, as `-f` does: a file, a directory, a URL, `-` for standard input, or
    /// `NAME=PATH`. Replaces files that were given with their content.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        match &mut self.input {
            Input::Paths(paths) => paths.push(path.into()),
            Input::Given(_) => self.input = Input::Paths(vec![path.into()]),
        }
        self
    }

    /// Adds an input file with its content. Replaces inputs that were given by path.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>, content: impl AsRef<[u8]>) -> Self {
        let file = GivenFile { path: path.into(), bytes: content.as_ref().into() };
        match &mut self.input {
            Input::Given(files) => files.push(file),
            Input::Paths(_) => self.input = Input::Given(vec![file]),
        }
        self
    }

    /// Adds a file mark, such as `*.txt:type=yaml-plain`.
    #[must_use]
    pub fn mark(mut self, mark: impl Into<String>) -> Self {
        self.marks.push(mark.into());
        self
    }

    /// Sets a data value to a string, as `--data-value KEY=VALUE` does.
    #[must_use]
    pub fn data_value(self, key: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let argument = format!("{}={}", key.as_ref(), value.as_ref());
        self.data_value_flag(DataValueKind::Text, argument)
    }

    /// Sets a data value to a YAML value, as `--data-value-yaml KEY=VALUE` does.
    #[must_use]
    pub fn data_value_yaml(self, key: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let argument = format!("{}={}", key.as_ref(), value.as_ref());
        self.data_value_flag(DataValueKind::Yaml, argument)
    }

    /// Adds a file of data values without annotations, as `--data-values-file` does.
    #[must_use]
    pub fn data_values_file(self, path: impl Into<String>) -> Self {
        self.data_value_flag(DataValueKind::ValuesFile, path.into())
    }

    pub(crate) fn read_options(&self) -> ReadOptions {
        let strict = self.dialect == Dialect::Strict;
        ReadOptions { strict, limits: self.reading, ..ReadOptions::default() }
    }

    fn data_value_flag(mut self, kind: DataValueKind, argument: String) -> Self {
        self.data_values.push(DataValueFlag { kind, argument });
        self
    }

    /// Adds a file or directory with Kubernetes schemas for validating output documents.
    #[must_use]
    pub fn kube_schemas(mut self, path: impl Into<String>) -> Self {
        self.kube_schemas.push(path.into());
        self
    }

    /// Limits the work that templates may do.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Shares files with the other runs of a session.
    #[must_use]
    pub fn session(mut self, session: Session) -> Self {
        self.session = Some(session);
        self
    }

    /// Lets another thread stop the run.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            input: Input::Paths(Vec::new()),
            marks: Vec::new(),
            symlinks: SymlinkPolicy::default(),
            silent_drops: SilentDrops::Refuse,
            dialect: Dialect::Full,
            ignores_unknown_comments: false,
            overrides_map_keys: false,
            keeps_comments: false,
            data_values: Vec::new(),
            set: Vec::new(),
            skips_validation: false,
            skips_output_validation: false,
            kube_schemas: Vec::new(),
            kube_allow_unknown: Vec::new(),
            limits: Limits::default(),
            cancel: Cancel::default(),
            reading: ReadLimits::default(),
            session: None,
        }
    }
}
