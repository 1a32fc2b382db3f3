//! `plumb report merge FILE…`: merges the reports of several runs into one.

use plumb::native::NativeWorld;
use plumb::world::World;
use plumb::{Code, Diagnostic, Failure, Sources};
use plumb_report::MergeError;
use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{NOT_WRITTEN, Report, write_file};

/// Reports cannot be merged.
///
/// `plumb report merge` reads reports that Plumb wrote with `--report json=FILE`, `--report
/// sarif=FILE` or `--report junit=FILE`. All of them must have the same format.
pub(crate) const NOT_MERGED: Code = Code::new("cli/not-merged");

#[derive(Debug, Default)]
pub(super) struct Flags {
    output: Option<String>,
}

pub(super) const SPECS: &[Spec<Flags>] = &[Spec {
    long: "output",
    short: Some('o'),
    takes: Takes::One("FILE", |flags, value| flags.output = Some(value)),
    topic: Topic::Output,
    help: "Write the report to this file instead of printing it",
}];

/// Shows the help, or rejects an unknown subcommand.
pub(super) fn above(report: &Report, arguments: &[String]) -> Result<Exit, UsageError> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Report)),
        word => Err(UsageError {
            message: message!("no such command: report {}", plain(word)),
            help: Some("use report merge; to write a report, use the flag --report".into()),
        }),
    }
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::ReportMerge));
    }
    if extra.is_empty() {
        return Err(UsageError {
            message: "report merge requires the files of reports".into(),
            help: Some("name them: plumb report merge shard-1.json shard-2.json".into()),
        });
    }
    let merged = match merged(&extra) {
        Ok(merged) => merged,
        Err(failure) => return Ok(report.failure(&failure, &Sources::new())),
    };
    Ok(match flags.output {
        None => report.print(merged.as_bytes()),
        Some(path) => match write_file(path.as_ref(), merged.as_bytes()) {
            Ok(()) => Exit::Fine,
            Err(error) => {
                let finding = Diagnostic::error(NOT_WRITTEN, plain(error.words()));
                report.failure(&finding.into(), &Sources::new())
            }
        },
    })
}

fn merged(paths: &[String]) -> Result<String, Failure> {
    let world = NativeWorld::default();
    let mut texts = Vec::new();
    for path in paths {
        let bytes = world
            .read(path.as_ref())
            .map_err(|error| Failure::from(Diagnostic::error(NOT_MERGED, plain(error.words()))))?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    plumb_report::merge(&texts).map_err(|error| {
        let (at, message) = match error {
            MergeError::Unknown(at) => (at, message!("`{}` is not a report", plain(&paths[at]))),
            MergeError::Mixed(at) => (
                at,
                message!(
                    "`{}` has a different format than `{}`",
                    plain(&paths[at]),
                    plain(&paths[0])
                ),
            ),
        };
        let help = match at {
            0 => "write reports with --report json=FILE, sarif=FILE or junit=FILE",
            _ => "merge reports of one format at a time: JSON, SARIF or JUnit",
        };
        Diagnostic::error(NOT_MERGED, message).help(help).into()
    })
}
