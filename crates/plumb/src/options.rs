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
    /// The input files, in this order. It determines the order of overlays and of the output.
    pub inputs: Vec<Input>,
    /// File marks, such as `*.txt:type=yaml-plain`.
    pub marks: Vec<String>,
    /// The symbolic links that are followed.
    pub symlinks: SymlinkPolicy,
    /// Whether input that has no effect makes the run fail, or is only a warning, as in ytt.
    pub silent_drops: SilentDrops,
    /// The accepted YAML.
    pub dialect: Dialect,
    /// Whether plain `#` comments are allowed in templates.
    pub ignores_unknown_comments: bool,
    /// Whether a map key that a template gives twice replaces the earlier one.
    pub overrides_map_keys: bool,
    /// Whether the output has the plain comments of templates and overlays.
    pub keeps_comments: bool,
    /// Data values, in the form of flags of the command line. Later ones override earlier ones.
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

/// One input: a file, or the files of a directory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Input {
    /// An argument of `-f`: a file, a directory, a URL, `-` for standard input, or `NAME=PATH`.
    Path(String),
    /// A file with its content.
    File(GivenFile),
}

/// The accepted YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// `NAME=PATH`.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.inputs.push(Input::Path(path.into()));
        self
    }

    /// Adds several inputs: see [`Options::path`].
    #[must_use]
    pub fn paths(mut self, paths: impl IntoIterator<Item: Into<String>>) -> Self {
        self.inputs.extend(paths.into_iter().map(|it| Input::Path(it.into())));
        self
    }

    /// Adds an input file with its content.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>, content: impl AsRef<[u8]>) -> Self {
        let file = GivenFile { path: path.into(), bytes: content.as_ref().into() };
        self.inputs.push(Input::File(file));
        self
    }

    /// Adds several input files with their contents.
    #[must_use]
    pub fn files(mut self, files: impl IntoIterator<Item = GivenFile>) -> Self {
        self.inputs.extend(files.into_iter().map(Input::File));
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

    /// The inputs that are given by path.
    pub(crate) fn input_paths(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().filter_map(|it| match it {
            Input::Path(path) => Some(path.as_str()),
            Input::File(_) => None,
        })
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
            inputs: Vec::new(),
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
