//! What was being done when a library, its input or its data values failed.

/// What was being done when a library, its input or its data values failed.
#[derive(Clone, Debug)]
pub enum Activity {
    /// This path was being looked up.
    CheckFile(String),
    /// The destination of this link was being checked.
    CheckSymlink(String),
    /// The files below this directory were being listed.
    ListFiles(String),
    /// A flag was being evaluated that gives data values.
    ReadValues(GivenBy),
    /// The files of this path were being looked for, which contain data values.
    FindValuesFiles(String),
    /// The file of this path was being looked for, which contains one data value.
    FindValueFile(String),
    /// This file was being read.
    ReadFile(String),
    /// This file of data values was being parsed.
    ParseValuesFile(String),
    /// The documents of this file of data values were being checked.
    CheckValuesFile(String),
    /// The value of this environment variable was being read.
    ReadVariable(String),
    /// The value for this key was being read.
    ReadValueOf(String),
    /// A value was being parsed as YAML.
    ParseValue,
    /// This YAML file was being parsed.
    ParseTemplate(String),
    /// This template was being compiled.
    Compile(TemplateKind, String),
    /// A template was being evaluated.
    Evaluate(TemplateKind),
    /// This file of data values or schemas was being evaluated.
    EvaluateDeclaring(String),
    /// Schemas were being merged.
    MergeSchemas(Order),
    /// Data values were being merged.
    MergeValues(Order),
    /// The library of this name was being evaluated.
    EvaluateLibrary(String),
    /// Something of the library of this name was being used.
    ExportFromLibrary(String),
    /// The output was being printed.
    Print,
}

/// What gives data values.
#[derive(Clone, Debug)]
pub enum GivenBy {
    File,
    /// `KEY=VALUE`.
    Pair,
    /// Environment variables with this prefix.
    Variables(String),
}

/// The kind of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    Yaml,
    Text,
    /// A file of code.
    Code,
}

/// What is merged.
#[derive(Clone, Debug)]
pub struct Order {
    /// The files, in the order in which they are merged.
    pub files: Vec<String>,
    /// Whether more is merged after them that does not come from these files.
    pub has_more: bool,
}
