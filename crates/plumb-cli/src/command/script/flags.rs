//! The flags of the commands that run scripts.

use std::path::PathBuf;
use std::time::Duration;

use plumb::generator::Parameter;

use crate::args::{Spec, Takes, Topic};

/// The default time limit of a script.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(in crate::command) struct Flags {
    pub(super) parameters: Vec<Parameter>,
    pub(super) input_directory: Option<PathBuf>,
    pub(super) output_directory: PathBuf,
    pub(super) has_cache: bool,
    pub(super) libraries: Vec<PathBuf>,
    pub(in crate::command) validators: Vec<String>,
    pub(in crate::command) schema: Option<PathBuf>,
    pub(super) time_limit: Option<String>,
    pub(super) memory_limit: Option<String>,
    pub(super) is_module: bool,
    pub(super) is_exec: bool,
    pub(super) is_verbose: bool,
    pub(super) traces_imports: bool,
    pub(super) lists_dependencies: bool,
    pub(super) has_clock: bool,
    pub(in crate::command) to_stdout: bool,
    pub(in crate::command) overwrites: bool,
    /// Whether nothing is written or printed, because the run is a check.
    pub(in crate::command) is_dry: bool,
}

/// The flags that all commands for scripts have.
pub(in crate::command) fn common() -> Vec<Spec<Flags>> {
    vec![
        Spec {
            long: "parameter",
            short: Some('p'),
            takes: Takes::Each("NAME=VALUE", |flags, value| {
                flags.parameters.push(Parameter::Value(value));
            }),
            topic: Topic::DataValues,
            help: "Set a parameter; dots in its name make nested objects. Can be repeated",
        },
        Spec {
            long: "parameters",
            short: Some('f'),
            takes: Takes::Each("PATH", |flags, value| {
                flags.parameters.push(Parameter::File(value));
            }),
            topic: Topic::DataValues,
            help: "Merge parameters from a JSON or YAML file. Can be repeated",
        },
        Spec {
            long: "output-directory",
            short: Some('o'),
            takes: Takes::One("DIR", |flags, value| flags.output_directory = value.into()),
            topic: Topic::Output,
            help: "Write files to this directory",
        },
        Spec {
            long: "lib",
            short: None,
            takes: Takes::Each("DIR", |flags, value| flags.libraries.push(value.into())),
            topic: Topic::Input,
            help: "Also look for modules in this directory. Can be repeated",
        },
        Spec {
            long: "cache",
            short: None,
            takes: Takes::One("DIR", |flags, _| flags.has_cache = true),
            topic: Topic::Input,
            help: "Accepted for compatibility with jk; nothing is cached",
        },
        Spec {
            long: "verbose",
            short: Some('v'),
            takes: Takes::Nothing(|flags| &mut flags.is_verbose),
            topic: Topic::Inspection,
            help: "Print the name of each file that is read or written",
        },
        Spec {
            long: "debug-imports",
            short: None,
            takes: Takes::Nothing(|flags| &mut flags.traces_imports),
            topic: Topic::Inspection,
            help: "Print how each import is resolved to standard error",
        },
        Spec {
            long: "allow-clock",
            short: None,
            takes: Takes::Nothing(|flags| &mut flags.has_clock),
            topic: Topic::Language,
            help: "Give scripts the real time; without it, the time is always the start of 1970",
        },
        Spec {
            long: "time-limit",
            short: None,
            takes: Takes::One("SECONDS", |flags, value| flags.time_limit = Some(value)),
            topic: Topic::Language,
            help: "Stop scripts after this many seconds; 0 means no limit. Default: 30",
        },
        Spec {
            long: "memory-limit",
            short: None,
            takes: Takes::One("MIB", |flags, value| flags.memory_limit = Some(value)),
            topic: Topic::Language,
            help: "Stop scripts that need more memory than this. Default: 1024",
        },
    ]
}

pub(in crate::command) fn emit_dependencies() -> Spec<Flags> {
    Spec {
        long: "emit-dependencies",
        short: Some('d'),
        takes: Takes::Nothing(|flags| &mut flags.lists_dependencies),
        topic: Topic::Inspection,
        help: "Write nothing, and print the files that were read as JSON",
    }
}

pub(in crate::command) fn input_directory() -> Spec<Flags> {
    Spec {
        long: "input-directory",
        short: Some('i'),
        takes: Takes::One("DIR", |flags, value| flags.input_directory = Some(value.into())),
        topic: Topic::Input,
        help: "Let scripts read files in this directory. Default: the directory of the script",
    }
}

pub(in crate::command) fn module() -> Spec<Flags> {
    Spec {
        long: "module",
        short: Some('m'),
        takes: Takes::Nothing(|flags| &mut flags.is_module),
        topic: Topic::Input,
        help: "Use the script argument as the name of a module, as in an import",
    }
}

pub(in crate::command) fn exec() -> Spec<Flags> {
    Spec {
        long: "exec",
        short: Some('c'),
        takes: Takes::Nothing(|flags| &mut flags.is_exec),
        topic: Topic::Input,
        help: "Use the script argument as code",
    }
}

pub(in crate::command) fn stdout() -> Spec<Flags> {
    Spec {
        long: "stdout",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.to_stdout),
        topic: Topic::Output,
        help: "Print values instead of writing files",
    }
}

pub(in crate::command) fn overwrite() -> Spec<Flags> {
    Spec {
        long: "overwrite",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.overwrites),
        topic: Topic::Output,
        help: "Replace the transformed files in place",
    }
}

pub(in crate::command) fn validate() -> Spec<Flags> {
    Spec {
        long: "validate",
        short: None,
        takes: Takes::Each("MODULE", |flags, value| flags.validators.push(value)),
        topic: Topic::Language,
        help: "Also validate every value with the default export of a module, or with FILE.star:FUNCTION. \
               Can be repeated",
    }
}

pub(in crate::command) fn schema() -> Spec<Flags> {
    Spec {
        long: "schema",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.schema = Some(value.into())),
        topic: Topic::Language,
        help: "Also validate every value against a JSON Schema or a schema of data values",
    }
}
