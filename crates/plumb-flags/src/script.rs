//! The flags of the commands that run scripts.

use std::path::PathBuf;
use std::time::Duration;

use plumb::GeneratorOptions;
use plumb::generator::{Clock, Limits, Parameter};

use crate::{NumberError, Spec, Takes, Topic, number, seconds};

/// The default time limit of a script.
const TIME_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Flags {
    pub parameters: Vec<Parameter>,
    pub input_directory: Option<PathBuf>,
    pub output_directory: PathBuf,
    pub has_cache: bool,
    pub libraries: Vec<PathBuf>,
    pub validators: Vec<String>,
    pub schema: Option<PathBuf>,
    pub time_limit: Option<String>,
    pub memory_limit: Option<String>,
    pub is_module: bool,
    pub is_exec: bool,
    pub is_verbose: bool,
    pub traces_imports: bool,
    pub lists_dependencies: bool,
    pub has_clock: bool,
    pub to_stdout: bool,
    pub overwrites: bool,
    /// Whether nothing is written or printed, because the run is a check.
    pub is_dry: bool,
}

impl Flags {
    /// Adds what the flags mean for a run. The caller must enforce the time limit: this crate
    /// cannot measure time.
    pub fn complete(self, options: &mut GeneratorOptions) -> Result<(), NumberError> {
        options.limits = self.limits()?;
        if self.memory_limit.is_some() {
            options.rule_limits.memory = options.limits.memory as u64;
        }
        options.parameters = self.parameters;
        options.input_directory = self.input_directory;
        options.output_directory = self.output_directory;
        options.libraries = self.libraries;
        options.validators = self.validators;
        options.schema = self.schema;
        options.clock = if self.has_clock { Clock::Real } else { Clock::Fixed };
        Ok(())
    }

    /// The time limit. Returns `None` for no limit, which is the meaning of zero.
    pub fn time_limit(&self) -> Result<Option<Duration>, NumberError> {
        let time = match &self.time_limit {
            Some(value) => seconds("time-limit", value)?,
            None => Some(TIME_LIMIT),
        };
        Ok(time.filter(|it| !it.is_zero()))
    }

    /// The limits for the work of scripts.
    pub fn limits(&self) -> Result<Limits, NumberError> {
        let mut limits = Limits::default();
        if let Some(value) = &self.memory_limit {
            let mebibytes: usize = number("memory-limit", value, "a whole number")?;
            limits.memory = mebibytes.saturating_mul(1 << 20);
        }
        Ok(limits)
    }
}

/// The flags of `generate`.
pub fn generate() -> Vec<Spec<Flags>> {
    let mut specs = common();
    specs.extend([input_directory(), stdout(), emit_dependencies(), validate(), schema()]);
    specs
}

/// The flags that all commands for scripts have.
pub fn common() -> Vec<Spec<Flags>> {
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
            help: "Print to standard error how each import is resolved",
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

/// The flag that lists dependencies instead of writing files.
pub fn emit_dependencies() -> Spec<Flags> {
    Spec {
        long: "emit-dependencies",
        short: Some('d'),
        takes: Takes::Nothing(|flags| &mut flags.lists_dependencies),
        topic: Topic::Inspection,
        help: "Write nothing, and print the files that were read as JSON",
    }
}

/// The flag for the directory that scripts can read.
pub fn input_directory() -> Spec<Flags> {
    Spec {
        long: "input-directory",
        short: Some('i'),
        takes: Takes::One("DIR", |flags, value| flags.input_directory = Some(value.into())),
        topic: Topic::Input,
        help: "Let scripts read files in this directory. Default: the directory of the script",
    }
}

/// The flag that makes the argument the name of a module.
pub fn module() -> Spec<Flags> {
    Spec {
        long: "module",
        short: Some('m'),
        takes: Takes::Nothing(|flags| &mut flags.is_module),
        topic: Topic::Input,
        help: "Use the script argument as the name of a module, as in an import",
    }
}

/// The flag that makes the argument code.
pub fn exec() -> Spec<Flags> {
    Spec {
        long: "exec",
        short: Some('c'),
        takes: Takes::Nothing(|flags| &mut flags.is_exec),
        topic: Topic::Input,
        help: "Use the script argument as code",
    }
}

/// The flag that prints instead of writing files.
pub fn stdout() -> Spec<Flags> {
    Spec {
        long: "stdout",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.to_stdout),
        topic: Topic::Output,
        help: "Print values instead of writing files",
    }
}

/// The flag that replaces transformed files.
pub fn overwrite() -> Spec<Flags> {
    Spec {
        long: "overwrite",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.overwrites),
        topic: Topic::Output,
        help: "Replace the transformed files in place",
    }
}

/// The flag for validators.
pub fn validate() -> Spec<Flags> {
    Spec {
        long: "validate",
        short: None,
        takes: Takes::Each("MODULE", |flags, value| flags.validators.push(value)),
        topic: Topic::Language,
        help: "Also validate every value with the default export of a module, or with FILE.star:FUNCTION. \
               Can be repeated",
    }
}

/// The flag for a schema.
pub fn schema() -> Spec<Flags> {
    Spec {
        long: "schema",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.schema = Some(value.into())),
        topic: Topic::Language,
        help: "Also validate every value against a JSON Schema or a schema of data values",
    }
}
