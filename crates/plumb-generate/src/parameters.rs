//! Parameters: one tree, from flags and files in the order of the command line.

use std::fmt;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, message};
use plumb_value::{MapItem, Node};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::format::{self, Format, MAX_DEPTH};

/// The tree of parameters. Later settings override earlier ones; objects are merged.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    tree: Map<String, Value>,
    /// The files that were merged, for the list of dependencies.
    pub(crate) files: Vec<String>,
}

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParametersError {
    /// An argument without `=`. Contains the argument.
    NoValue(String),
    /// A file whose content is not an object. Contains its path.
    NotAnObject(String),
    /// A file that cannot be parsed in the format of its extension.
    Malformed { path: String, reason: Message },
}

impl Parameters {
    /// Sets a parameter like `-p a.b=value`. The value is a string; a scalar on the path is
    /// replaced by an object.
    ///
    /// # Errors
    ///
    /// If the setting has no `=`.
    pub fn set(&mut self, setting: &str) -> Result<(), ParametersError> {
        let Some((path, value)) = setting.split_once('=') else {
            return Err(ParametersError::NoValue(setting.to_owned()));
        };
        let mut keys: Vec<&str> = path.split('.').collect();
        let last = keys.pop().expect("a split has at least one part");
        let mut tree = &mut self.tree;
        for key in keys {
            let slot = tree.entry(key).or_insert(Value::Null);
            if !slot.is_object() {
                *slot = Value::Object(Map::new());
            }
            tree = slot.as_object_mut().expect("made an object just now");
        }
        tree.insert(last.to_owned(), Value::String(value.to_owned()));
        Ok(())
    }

    /// Merges the content of a file: YAML according to its extension, and JSON otherwise.
    ///
    /// # Errors
    ///
    /// If the content cannot be parsed, or is not an object.
    pub fn merge_file(&mut self, path: &str, content: &[u8]) -> Result<(), ParametersError> {
        let malformed = |error: Error| ParametersError::Malformed {
            path: path.to_owned(),
            reason: error.message(),
        };
        let is_yaml = [".yaml", ".yml"].iter().any(|ending| path.ends_with(ending));
        let format = if is_yaml { Format::Yaml } else { Format::Json };
        let parsed = format::parsed(path, content, format).map_err(malformed)?;
        match format::value_within(&parsed, MAX_DEPTH).map_err(malformed)? {
            Value::Object(tree) => merge(&mut self.tree, tree),
            _ => return Err(ParametersError::NotAnObject(path.to_owned())),
        }
        self.files.push(path.to_owned());
        Ok(())
    }

    /// The tree in the form that scripts get.
    pub(crate) fn to_node(&self) -> Node {
        let items = self.tree.iter().map(|(key, value)| {
            MapItem::new(key.as_str().into(), format::node_of(value), Origin::Unknown)
        });
        Node::map(plumb_value::Map::new(items.collect(), Origin::Unknown))
    }
}

fn merge(base: &mut Map<String, Value>, top: Map<String, Value>) {
    for (key, value) in top {
        match (base.get_mut(&key), value) {
            (Some(Value::Object(base)), Value::Object(top)) => merge(base, top),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

impl ParametersError {
    /// The message, with values as separate parts.
    pub fn message(&self) -> Message {
        match self {
            Self::NoValue(setting) => {
                message!("expected a parameter as NAME=VALUE, found `{}`", secret(setting))
            }
            Self::NotAnObject(path) => {
                message!("{}: expected an object of parameters", plain(path))
            }
            Self::Malformed { path, reason } => message!("{}: {reason}", plain(path)),
        }
    }
}

/// The message without values.
impl fmt::Display for ParametersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message().masked())
    }
}

impl std::error::Error for ParametersError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_settings_win_and_objects_merge() {
        let mut parameters = Parameters::default();
        parameters.set("a=1").expect("a setting");
        parameters.set("a.b=x=y").expect("a setting");
        parameters.merge_file("p.json", br#"{"a":{"c":2},"d":null}"#).expect("an object");
        assert_eq!(parameters.to_node().repr(), r#"{"a": {"b": "x=y", "c": 2}, "d": None}"#);
        assert!(parameters.set("a").is_err());
        assert!(parameters.merge_file("p.json", b"[]").is_err());
    }
}
