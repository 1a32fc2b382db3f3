//! What a run is about: files, a target, and values on top of it.

use std::collections::BTreeMap;

use plumb::{DataValueFlag, DataValueKind};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request, as JavaScript writes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    /// The texts of files by their paths.
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) target: Target,
    /// Data values that come after those of the target.
    #[serde(default)]
    pub(crate) values: Vec<SetValue>,
    /// What a target reads that names `-`.
    pub(crate) stdin: Option<String>,
}

/// Which target is run.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(crate) enum Target {
    /// The first one of the project file; without one, all files.
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
    /// Reads a request. Fails with the reason in words.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the request is wrong: {error}"))
    }
}
