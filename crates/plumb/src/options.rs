//! What a run is asked to do.

use plumb_library::{DataValueFlag, GivenFile, SilentDrops, SymlinkPolicy};
use plumb_schema::CrdNames;
use plumb_source::Cancel;
use plumb_starlark::Limits;
use plumb_yaml::{Limits as ReadLimits, ReadOptions};

/// Everything that a run depends on besides the [`World`](plumb_source::World).
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Options {
    pub input: Input,
    /// File marks, such as `*.txt:type=yaml-plain`.
    pub marks: Vec<String>,
    pub symlinks: SymlinkPolicy,
    pub silent_drops: SilentDrops,
    pub dialect: Dialect,
    /// Whether plain `#` comments may stand in templates.
    pub ignores_unknown_comments: bool,
    /// Whether a map key that a template gives twice replaces the earlier one.
    pub overrides_map_keys: bool,
    pub data_values: Vec<DataValueFlag>,
    /// Whether rules on data values are left out; types are always checked.
    pub skips_validation: bool,
    /// Whether rules on the documents that come out are left out, in libraries too.
    pub skips_output_validation: bool,
    /// Files and directories with the schemas of Kubernetes that documents are held to.
    pub kube_schemas: Vec<String>,
    /// How much work templates may do.
    pub limits: Limits,
    /// Ends the run once it is requested.
    pub cancel: Cancel,
    /// How much a YAML document may ask for.
    pub reading: ReadLimits,
    pub wanted: Wanted,
    /// What a custom resource is called whose definition is wanted.
    pub crd: CrdNames,
}

/// Where input files come from.
#[derive(Clone, Debug)]
pub enum Input {
    /// Arguments of `-f`: paths, directories, URLs, `-` for standard input, `NAME=PATH`.
    Paths(Vec<String>),
    /// Files whose content is in hand.
    Given(Vec<GivenFile>),
}

/// Which YAML is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.1.
    Full,
    /// Only what all readers of YAML understand alike.
    Strict,
}

/// What a run should come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The rendered files.
    Files,
    /// The paths of the files that would be read.
    FileList,
    /// The data values that templates see.
    DataValues,
    /// What data values may be.
    Schema(SchemaLanguage),
}

/// The language that a schema is exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaLanguage {
    /// `OpenAPI` v3, as ytt writes it.
    OpenApi,
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// A `CustomResourceDefinition` of Kubernetes, called as [`Options::crd`] says.
    Crd,
}

impl Dialect {
    pub(crate) fn read_options(self) -> ReadOptions {
        ReadOptions { strict: self == Self::Strict, ..ReadOptions::default() }
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
            data_values: Vec::new(),
            skips_validation: false,
            skips_output_validation: false,
            kube_schemas: Vec::new(),
            limits: Limits::default(),
            cancel: Cancel::default(),
            reading: ReadLimits::default(),
            wanted: Wanted::Files,
            crd: CrdNames::default(),
        }
    }
}
