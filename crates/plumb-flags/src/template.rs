//! The flags of the main command: one table for the parser, the help and the completions.

use std::path::PathBuf;

use plumb::{DataValueFlag, DataValueKind};

use crate::{Spec, Takes, Topic};

/// The values of `-o`: formats of files, and languages of schemas.
pub const OUTPUT_TYPES: [&str; 6] = [
    "yaml",
    "json",
    "pos",
    SchemaType::OpenApi.name(),
    SchemaType::JsonSchema.name(),
    SchemaType::Crd.name(),
];

/// The languages of exported schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaType {
    OpenApi,
    JsonSchema,
    Crd,
}

impl SchemaType {
    const ALL: [Self; 3] = [Self::OpenApi, Self::JsonSchema, Self::Crd];

    /// Returns the language that this value of `-o` names.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns the value of `-o` that names the language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenApi => "openapi-v3",
            Self::JsonSchema => "json-schema",
            Self::Crd => "crd",
        }
    }
}

/// The flags as they were given. [`Flags::options`] turns them into the options of a run.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Flags {
    pub files: Vec<String>,
    pub marks: Vec<String>,
    pub allowed_links: Vec<PathBuf>,
    pub allows_all_links: bool,
    pub bulk_in: String,
    /// All kinds in one list, in the order of the command line.
    pub data_values: Vec<DataValueFlag>,
    pub skips_validation: bool,
    pub skips_output_validation: bool,
    pub kube_schemas: Vec<String>,
    pub kube_allow_unknown: Vec<String>,
    /// `None` if the flag was not given, which differs from an empty list.
    pub outputs: Option<Vec<String>>,
    pub output_files: String,
    pub emptied_directory: String,
    pub bulk_out: bool,
    pub inspects_files: bool,
    pub inspects_values: bool,
    pub inspects_schema: bool,
    pub crd: CrdFlags,
    pub is_strict: bool,
    pub ignores_unknown_comments: bool,
    pub keeps_comments: bool,
    pub overrides_map_keys: bool,
    pub step_limit: Option<String>,
    pub depth_limit: Option<String>,
    pub memory_limit: Option<String>,
    pub time_limit: Option<String>,
    pub regexp_limit: Option<String>,
    pub file_size_limit: Option<String>,
    pub alias_limit: Option<String>,
    pub debug: bool,
    pub version: bool,
}

/// The names of a custom resource.
#[derive(Clone, Debug, Default)]
pub struct CrdFlags {
    pub group: Option<String>,
    pub version: Option<String>,
    pub kind: Option<String>,
    pub plural: Option<String>,
    pub drops_null: bool,
}

/// The flags of the root command. Its old name, `template`, does not have the last one.
pub const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "file",
        short: Some('f'),
        takes: Takes::Each("PATH", |flags, value| flags.files.push(value)),
        topic: Topic::Input,
        help: "Read a file, all files in a directory, a URL, or standard input (-). NAME=PATH gives a file another name. Can be repeated; the order matters",
    },
    Spec {
        long: "file-mark",
        short: None,
        takes: Takes::Each("MARK", |flags, value| flags.marks.push(value)),
        topic: Topic::Input,
        help: "Change how matching files are used: GLOB:KEY=VALUE, where KEY is path, exclude, type, for-output or exclusive-for-output. Can be repeated",
    },
    Spec {
        long: "allow-symlink-destination",
        short: None,
        takes: Takes::Many("PATH", |flags, values| {
            flags.allowed_links.extend(values.into_iter().map(PathBuf::from));
        }),
        topic: Topic::Input,
        help: "Follow symbolic links to this path, or to paths below it",
    },
    Spec {
        long: "dangerous-allow-all-symlink-destinations",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.allows_all_links),
        topic: Topic::Input,
        help: "Follow every symbolic link",
    },
    Spec {
        long: "bulk-in",
        short: None,
        takes: Takes::One("JSON", |flags, value| flags.bulk_in = value),
        topic: Topic::Input,
        help: "Read files from this JSON text instead: {\"files\":[{\"name\":…,\"data\":…}]}",
    },
    data_value(
        "data-value",
        Some('v'),
        "KEY=TEXT",
        |flags, value| flags.add(DataValueKind::Text, value),
        "Set one data value to a string: db.host=example.com",
    ),
    data_value(
        "data-value-yaml",
        None,
        "KEY=YAML",
        |flags, value| flags.add(DataValueKind::Yaml, value),
        "Set one data value to a YAML value: replicas=3, db={host: x}",
    ),
    data_value(
        "data-value-file",
        None,
        "KEY=PATH",
        |flags, value| flags.add(DataValueKind::File, value),
        "Set one data value to the content of a file, a URL or standard input (-), as a string",
    ),
    data_value(
        "data-values-file",
        None,
        "PATH",
        |flags, value| flags.add(DataValueKind::ValuesFile, value),
        "Read data values from a plain YAML file, a directory of them, a URL, or standard input (-)",
    ),
    data_value(
        "data-values-env",
        None,
        "PREFIX",
        |flags, value| flags.add(DataValueKind::Environment, value),
        "Read data values from environment variables, as strings: PREFIX_db__host=x sets db.host",
    ),
    data_value(
        "data-values-env-yaml",
        None,
        "PREFIX",
        |flags, value| flags.add(DataValueKind::EnvironmentYaml, value),
        "Read data values from environment variables, as YAML values",
    ),
    Spec {
        long: "data-value-schema-disable-validation",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.skips_validation),
        topic: Topic::DataValues,
        help: "Do not validate data values; their types are still checked",
    },
    Spec {
        long: "dangerous-data-values-disable-validation",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.skips_validation),
        topic: Topic::DataValues,
        help: "The same as --data-value-schema-disable-validation",
    },
    Spec {
        long: "output",
        short: Some('o'),
        takes: Takes::ManyOf("TYPE", &OUTPUT_TYPES, |flags, values| {
            flags.outputs.get_or_insert_default().extend(values);
        }),
        topic: Topic::Output,
        help: "Print as yaml (the default), json, or pos (where each value comes from); with --data-values-schema-inspect: openapi-v3, json-schema or crd, also as JSON (json-schema,json)",
    },
    Spec {
        long: "output-disable-validation",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.skips_output_validation),
        topic: Topic::Output,
        help: "Do not validate output documents, including those of libraries",
    },
    Spec {
        long: "kube-schemas",
        short: None,
        takes: Takes::Each("DIR", |flags, value| flags.kube_schemas.push(value)),
        topic: Topic::Output,
        help: "Validate output documents against the Kubernetes schemas of their kinds: OpenAPI documents, JSON Schemas and CRDs in this directory, and CRDs in the output. Can be repeated",
    },
    Spec {
        long: "kube-allow-unknown",
        short: None,
        takes: Takes::Each("GLOB", |flags, value| flags.kube_allow_unknown.push(value)),
        topic: Topic::Output,
        help: "With --kube-schemas: kinds that need no schema, as GROUP/VERSION/KIND with * for any text, such as 'example.com/*'. Can be repeated",
    },
    Spec {
        long: "output-files",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.output_files = value),
        topic: Topic::Output,
        help: "Write the results to files in this directory instead of printing them; other files there are kept",
    },
    Spec {
        long: "dangerous-emptied-output-directory",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.emptied_directory = value),
        topic: Topic::Output,
        help: "Like --output-files, but delete everything else in this directory",
    },
    Spec {
        long: "bulk-out",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.bulk_out),
        topic: Topic::Output,
        help: "Print all files and errors as one JSON text, in the format of --bulk-in",
    },
    Spec {
        long: "files-inspect",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.inspects_files),
        topic: Topic::Inspection,
        help: "List the files that would be read, and do nothing else",
    },
    Spec {
        long: "data-values-inspect",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.inspects_values),
        topic: Topic::Inspection,
        help: "Print the data values that templates see",
    },
    Spec {
        long: "data-values-schema-inspect",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.inspects_schema),
        topic: Topic::Inspection,
        help: "Print the schema of the data values; needs -o openapi-v3, -o json-schema or -o crd",
    },
    Spec {
        long: "crd-group",
        short: None,
        takes: Takes::One("DOMAIN", |flags, value| flags.crd.group = Some(value)),
        topic: Topic::Inspection,
        help: "With -o crd: the group of the custom resource. Default: example.com",
    },
    Spec {
        long: "crd-version",
        short: None,
        takes: Takes::One("VERSION", |flags, value| flags.crd.version = Some(value)),
        topic: Topic::Inspection,
        help: "With -o crd: the version of the custom resource. Default: v1",
    },
    Spec {
        long: "crd-kind",
        short: None,
        takes: Takes::One("KIND", |flags, value| flags.crd.kind = Some(value)),
        topic: Topic::Inspection,
        help: "With -o crd: the kind of the custom resource. Default: Config",
    },
    Spec {
        long: "crd-plural",
        short: None,
        takes: Takes::One("WORD", |flags, value| flags.crd.plural = Some(value)),
        topic: Topic::Inspection,
        help: "With -o crd: the plural of the kind, in lower case. Default: derived from the kind",
    },
    Spec {
        long: "crd-drop-null",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.crd.drops_null),
        topic: Topic::Inspection,
        help: "With -o crd: do not warn that an API server drops null for keys that are not nullable",
    },
    Spec {
        long: "strict",
        short: Some('s'),
        takes: Takes::Nothing(|flags| &mut flags.is_strict),
        topic: Topic::Language,
        help: "Reject YAML that parsers read differently, such as an unquoted yes",
    },
    Spec {
        long: "step-limit",
        short: None,
        takes: Takes::One("N", |flags, value| flags.step_limit = Some(value)),
        topic: Topic::Language,
        help: "Stop after this many steps: iterations, calls, elements and bytes that functions process. Default: 1000000000",
    },
    Spec {
        long: "depth-limit",
        short: None,
        takes: Takes::One("N", |flags, value| flags.depth_limit = Some(value)),
        topic: Topic::Language,
        help: "Stop templates whose calls nest deeper than this. Default: 100000",
    },
    Spec {
        long: "memory-limit",
        short: None,
        takes: Takes::One("MIB", |flags, value| flags.memory_limit = Some(value)),
        topic: Topic::Language,
        help: "Stop if values and documents need more memory than this. Default: 4096",
    },
    Spec {
        long: "time-limit",
        short: None,
        takes: Takes::One("SECONDS", |flags, value| flags.time_limit = Some(value)),
        topic: Topic::Language,
        help: "Stop if evaluation takes longer than this. Default: no limit",
    },
    Spec {
        long: "regexp-limit",
        short: None,
        takes: Takes::One("MIB", |flags, value| flags.regexp_limit = Some(value)),
        topic: Topic::Language,
        help: "Stop templates that compile a regular expression larger than this. Default: 10",
    },
    Spec {
        long: "alias-limit",
        short: None,
        takes: Takes::One("N", |flags, value| flags.alias_limit = Some(value)),
        topic: Topic::Language,
        help: "Reject YAML documents whose aliases expand to more values than this. Default: 10000000",
    },
    Spec {
        long: "file-size-limit",
        short: None,
        takes: Takes::One("MIB", |flags, value| flags.file_size_limit = Some(value)),
        topic: Topic::Input,
        help: "Reject files, standard input and server responses that are larger than this. Default and maximum: 4096",
    },
    Spec {
        long: "ignore-unknown-comments",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.ignores_unknown_comments),
        topic: Topic::Language,
        help: "Allow plain # comments in templates instead of #!",
    },
    Spec {
        long: "keep-comments",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.keeps_comments),
        topic: Topic::Output,
        help: "Print the # and #! comments of templates and overlays with the YAML",
    },
    Spec {
        long: "implicit-map-key-overrides",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.overrides_map_keys),
        topic: Topic::Language,
        help: "If a map key is given twice, use the last one",
    },
    Spec {
        long: "debug",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.debug),
        topic: Topic::Other,
        help: "Print what is done, and the time it took, to standard error",
    },
    Spec {
        long: "version",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.version),
        topic: Topic::Other,
        help: "Print the version",
    },
];

/// The flags of the main command under its old name.
pub fn without_version() -> &'static [Spec<Flags>] {
    &SPECS[..SPECS.len() - 1]
}

const fn data_value(
    long: &'static str,
    short: Option<char>,
    value: &'static str,
    set: fn(&mut Flags, String),
    help: &'static str,
) -> Spec<Flags> {
    Spec { long, short, takes: Takes::Each(value, set), topic: Topic::DataValues, help }
}

impl Flags {
    fn add(&mut self, kind: DataValueKind, argument: String) {
        self.data_values.push(DataValueFlag { kind, argument });
    }
}
