//! Data values as they are given on the command line, before anything is made of them.

/// One flag that sets data values. Flags are kept in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataValueFlag {
    pub kind: DataValueKind,
    /// What was written behind the flag, such as `db.host=example.com`.
    pub argument: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataValueKind {
    /// `--data-value KEY=TEXT`
    Text,
    /// `--data-value-yaml KEY=YAML`
    Yaml,
    /// `--data-value-file KEY=PATH`: the content of a file, as a string.
    File,
    /// `--data-values-file PATH`: documents of many values.
    ValuesFile,
    /// `--data-values-env PREFIX`: variables of the environment, as strings.
    Environment,
    /// `--data-values-env-yaml PREFIX`: variables of the environment, as YAML.
    EnvironmentYaml,
}
