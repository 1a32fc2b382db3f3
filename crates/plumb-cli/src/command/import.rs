//! `plumb import helm`: a draft schema and draft templates from a Helm chart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::world::{Access, Occupant, OutputTree};
use plumb::{Code, Diagnostic, HelmChoice, Options, Sources, World, lexical};
use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

/// A file that an import would write exists already.
///
/// An import does not replace an existing file, because someone may have edited it. Name another
/// directory with `--output-files DIR`, or replace the files with `--overwrite`.
const EXISTS: Code = Code::new("import/exists");

#[derive(Debug, Default)]
pub(super) struct Flags {
    choice: HelmChoice,
    output: Option<String>,
    overwrites: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "rendered",
        short: None,
        takes: Takes::One("FILE", |flags, value| flags.choice.rendered = Some(value)),
        topic: Topic::Input,
        help: "The output of helm template for the chart, or - for standard input",
    },
    Spec {
        long: "release",
        short: None,
        takes: Takes::One("NAME", |flags, value| flags.choice.release = Some(value)),
        topic: Topic::Input,
        help: "The name of the release that was given to helm template. Default: the one in the labels of the output",
    },
    Spec {
        long: "output-files",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.output = Some(value)),
        topic: Topic::Output,
        help: "The directory to write to. It is created if it is missing",
    },
    Spec {
        long: "overwrite",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.overwrites),
        topic: Topic::Output,
        help: "Replace files that exist already",
    },
];

/// Shows the help, or rejects an unknown subcommand.
pub(super) fn run(report: &Report, arguments: &[String]) -> Result<Exit, UsageError> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Import)),
        word => Err(UsageError {
            message: message!("no such command: import {}", plain(word)),
            help: Some(if Path::new(word).join("Chart.yaml").exists() {
                message!("to import a Helm chart, use plumb import helm {}", plain(word))
            } else {
                "use import helm for a chart; to import a schema, use plumb schema import".into()
            }),
        }),
    }
}

pub(super) fn helm(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::ImportHelm));
    }
    let (chart, directory) = places(&flags, &extra)?;
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let options = Options::new().path(chart);
    let outcome = plumb::import_helm(&world, &options, &flags.choice);
    let import = match outcome.result {
        Ok(import) => import,
        Err(failure) => return Ok(report.failure(&failure, &outcome.sources)),
    };
    let files =
        import.files.into_iter().map(|(path, text)| (PathBuf::from(path), text.into_bytes()));
    let files: Vec<(PathBuf, Vec<u8>)> = files.collect();
    let is_there = |it: &&(PathBuf, Vec<u8>)| world.entry(&directory.join(&it.0)).is_ok();
    if let Some((path, _)) = files.iter().find(is_there).filter(|_| !flags.overwrites) {
        let finding = exists(&lexical::clean(&directory.join(path)));
        return Ok(report.failure(&finding.into(), &Sources::new()));
    }
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    if let Err(error) = world.write(&OutputTree { directory, occupant, access, files: &files }) {
        return Ok(report.failure(&plumb::not_written(&error), &Sources::new()));
    }
    for (path, _) in &files {
        report.note(&format!(
            "created: {}\n",
            lexical::shown(&lexical::clean(&directory.join(path)))
        ));
    }
    for line in &import.summary {
        report.note(&format!("{line}\n"));
    }
    if flags.choice.rendered.is_some() {
        report.note(&format!("next: plumb -f {} renders it\n", lexical::shown(directory)));
    }
    Ok(Exit::Fine)
}

/// The chart, and the directory to write to.
fn places<'a>(flags: &'a Flags, extra: &'a [String]) -> Result<(&'a str, &'a Path), UsageError> {
    let error = |message: plumb::Message, help: plumb::Message| {
        Err(UsageError { message, help: Some(help) })
    };
    let chart = match extra {
        [chart] => chart,
        [] => {
            return error(
                "import helm requires a chart".into(),
                "name the directory of the chart: plumb import helm CHART --output-files DIR"
                    .into(),
            );
        }
        [_, second, ..] => {
            return error(
                message!("import helm takes one chart, found another argument `{}`", plain(second)),
                message!("if it is the output of Helm, write --rendered {}", plain(second)),
            );
        }
    };
    if flags.choice.release.is_some() && flags.choice.rendered.is_none() {
        return error(
            "--release has no effect without --rendered".into(),
            "add --rendered FILE, or remove --release".into(),
        );
    }
    match &flags.output {
        Some(directory) => Ok((chart, Path::new(directory))),
        None => error(
            "import helm requires a directory to write to".into(),
            "name the directory: --output-files DIR".into(),
        ),
    }
}

fn exists(path: &Path) -> Diagnostic {
    let message = message!("`{}` exists already; nothing was written", plain(lexical::shown(path)));
    Diagnostic::error(EXISTS, message)
        .help("name another directory, or add --overwrite to replace files")
}
