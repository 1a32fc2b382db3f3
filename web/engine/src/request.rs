//! The input of a run: files, a target, and additional data values.

use std::collections::BTreeMap;

use plumb::{DataValueFlag, DataValueKind};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request, as JavaScript sends it.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    /// The texts of files by their paths.
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) target: Target,
    /// Data values that are applied after those of the target.
    #[serde(default)]
    pub(crate) values: Vec<SetValue>,
    /// The content of standard input, for a target that reads `-`.
    pub(crate) stdin: Option<String>,
}

/// The target to run.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(crate) enum Target {
    /// The first target of the project file. Without a project file, a target that reads all files.
    #[default]
    First,
    /// A target of the project file.
    Named(String),
    /// A target that is not in a project file, with the same keys.
    Given(Map<String, Value>),
}

/// A data value that is set by a flag.
#[derive(Debug, Deserialize)]
pub(crate) struct SetValue {
    flag: Flag,
    path: String,
    value: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) enum Flag {
    #[serde(rename = "data-value")]
    Text,
    #[serde(rename = "data-value-yaml")]
    Yaml,
}

impl Flag {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "data-value",
            Self::Yaml => "data-value-yaml",
        }
    }
}

impl SetValue {
    /// The name of the flag, and its argument.
    pub(crate) fn argument(&self) -> (&'static str, String) {
        (self.flag.name(), format!("{}={}", self.path, self.value))
    }

    pub(crate) fn data_value(&self) -> DataValueFlag {
        let kind = match self.flag {
            Flag::Text => DataValueKind::Text,
            Flag::Yaml => DataValueKind::Yaml,
        };
        DataValueFlag { kind, argument: self.argument().1 }
    }
}

impl Request {
    /// Reads a request. Fails with a message.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the request is not valid: {error}"))
    }
}
