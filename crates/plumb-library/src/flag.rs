//! Data values from the command line, before they are parsed, or from the caller of the library.

use plumb_source::Origin;
use plumb_value::Node;

/// One data value that the caller has parsed. It takes precedence over all flags.
#[derive(Clone, Debug)]
pub struct SetValue {
    /// The path of the value, as for `--data-value`: `db.host`.
    pub key: String,
    /// The value.
    pub value: Node,
    /// Where it was set: findings about the value point there.
    pub origin: Origin,
}

/// One flag that sets data values. Flags are kept in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataValueFlag {
    /// The kind of the flag.
    pub kind: DataValueKind,
    /// The argument of the flag, such as `db.host=example.com`.
    pub argument: String,
}

/// The flags that set data values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataValueKind {
    /// `--data-value KEY=TEXT`
    Text,
    /// `--data-value-yaml KEY=YAML`
    Yaml,
    /// `--data-value-file KEY=PATH`: the content of a file, as a string.
    File,
    /// `--data-values-file PATH`: documents with many values.
    ValuesFile,
    /// `--data-values-env PREFIX`: environment variables, as strings.
    Environment,
    /// `--data-values-env-yaml PREFIX`: environment variables, as YAML.
    EnvironmentYaml,
}
