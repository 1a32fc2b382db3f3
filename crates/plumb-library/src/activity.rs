//! The activity during which a library, its input or its data values failed.

/// The activity during which a library, its input or its data values failed.
#[derive(Clone, Debug)]
pub enum Activity {
    /// This path was being looked up.
    CheckFile(String),
    /// The destination of this link was being checked.
    CheckSymlink(String),
    /// The files below this directory were being listed.
    ListFiles(String),
    /// A flag for data values was being evaluated.
    ReadValues(GivenBy),
    /// The files at this path, which contain data values, were being looked for.
    FindValuesFiles(String),
    /// The file at this path, which contains one data value, was being looked for.
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
    /// The library with this name was being evaluated.
    EvaluateLibrary(String),
    /// A symbol or value of the library with this name was being used.
    ExportFromLibrary(String),
    /// The output was being printed.
    Print,
}

/// The kinds of flags that give data values.
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

/// The documents that are merged.
#[derive(Clone, Debug)]
pub struct Order {
    /// The files, in the order in which they are merged.
    pub files: Vec<String>,
    /// Whether further documents, which do not come from these files, are merged after them.
    pub has_more: bool,
}
