//! `plumb fmt`: YAML files in one layout.

use std::sync::Arc;
use std::time::Instant;

use plumb::native::NativeWorld;
use plumb::{Dialect, Failures, FormattedFile, Input, Options, Sources, World};

use super::{Command, flags_alone, help};
use crate::Name;
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, Report};

#[derive(Debug, Default)]
pub(super) struct Flags {
    files: Vec<String>,
    is_strict: bool,
    debug: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "file",
        short: Some('f'),
        takes: Takes::Each("PATH", |flags, value| flags.files.push(value)),
        topic: Topic::Input,
        help: "Format a file, all YAML files in a directory, a URL, or standard input (-). Can be repeated",
    },
    Spec {
        long: "strict",
        short: Some('s'),
        takes: Takes::Nothing(|flags| &mut flags.is_strict),
        topic: Topic::Language,
        help: "Reject YAML that parsers read differently, such as an unquoted yes",
    },
    Spec {
        long: "debug",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.debug),
        topic: Topic::Other,
        help: "Print the time it took to standard error",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let started = Instant::now();
    let flags = match report.name() {
        Name::Plumb | Name::Jk => {
            let Parsed { mut flags, wants_help, extra } = args::parse(arguments, SPECS)?;
            if wants_help {
                return Ok(help::show(report, Command::Fmt));
            }
            flags.files.extend(extra);
            if flags.files.is_empty() {
                return Err(UsageError {
                    message: "no input: there is nothing to format".into(),
                    help: Some("name files or directories: plumb fmt -f config/".into()),
                });
            }
            flags
        }
        Name::Ytt => match flags_alone(report, Command::Fmt, arguments, SPECS)? {
            Ok(flags) => flags,
            Err(exit) => return Ok(exit),
        },
    };
    let mut options = Options::new();
    options.input = Input::Paths(flags.files);
    options.dialect = if flags.is_strict { Dialect::Strict } else { Dialect::Full };
    options.silent_drops = report.name().silent_drops();
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let outcome = plumb::format(&world, &options, report.name().flavour());
    let sources = outcome.sources;
    let exit = match outcome.result {
        Ok(files) => deliver(report, files, &sources),
        Err(failure) => report.failure(&failure, &sources),
    };
    if flags.debug {
        report::say(&format!("total: {:?}\n", started.elapsed()));
    }
    Ok(exit)
}

/// Prints the files. If one is malformed, ytt prints those before it; Plumb prints nothing.
fn deliver(report: &Report, files: Vec<FormattedFile>, sources: &Sources) -> Exit {
    let mut texts = Vec::new();
    let mut failures = Failures::default();
    for file in files {
        let text = failures.keep(file.text);
        texts.extend(text.filter(|_| failures.is_empty()));
    }
    let print = || {
        let printed = texts.iter().map(|text| report.print(text));
        printed.into_iter().find(|it| *it != Exit::Fine).unwrap_or(Exit::Fine)
    };
    let failure = match failures.into_result() {
        Ok(()) => return print(),
        Err(failure) => failure,
    };
    let printed = match report.name() {
        Name::Ytt => print(),
        Name::Plumb | Name::Jk => Exit::Fine,
    };
    match printed {
        Exit::Fine => report.failure(&failure, sources),
        other => other,
    }
}
