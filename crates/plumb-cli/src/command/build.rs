//! `plumb build [TARGET…]`: writes the targets of a project.

use std::fmt::Write as _;

use plumb::{Diagnostic, Failure};
use plumb_project::{DepfileError, Ending, Finished, Kept, Project, Shown, Work, Writing};
use plumb_source::message::plain;
use plumb_source::{lexical, message};

use super::project::{self, Choice, Flags, Opened, PROJECT, SHARD};
use super::sink::{self, Product};
use super::{Command, help, watch};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{NOT_WRITTEN, Report, write_file};

/// The greatest number of targets that are listed; for more, only the numbers are printed.
const MAX_LISTED: usize = 20;

const FILES_HELP: &str = "build writes the targets of plumb.yml, which name their files with the key `file`; without a project, use plumb -f";

pub(super) const SPECS: &[Spec<Flags>] = &[
    PROJECT,
    SHARD,
    Spec {
        long: "stdout",
        short: None,
        takes: Takes::One("TARGET", |flags, value| flags.stdout = Some(value)),
        topic: Topic::Output,
        help: "Print the documents of one target instead of writing files",
    },
    Spec {
        long: "depfile",
        short: None,
        takes: Takes::One("FILE", |flags, value| flags.depfile = Some(value.into())),
        topic: Topic::Output,
        help: "Write the dependencies to this file as Make rules: all paths that were read, listed or looked for",
    },
    Spec {
        long: "depfile-target",
        short: None,
        takes: Takes::One("NAME", |flags, value| flags.depfile_target = Some(value.into())),
        topic: Topic::Output,
        help: "The target of the Make rules in the depfile, such as the path of a stamp file. Default: the files that are written",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let names_files = arguments.iter().any(|it| matches!(it.as_str(), "-f" | "--file"));
    let parsed = args::parse(arguments, SPECS).map_err(|error| {
        if names_files { UsageError { help: Some(FILES_HELP.into()), ..error } } else { error }
    });
    let Parsed { flags, wants_help, extra } = parsed?;
    if wants_help {
        return Ok(help::show(report, Command::Build));
    }
    if report.watches() {
        return watch(report, &flags, &extra);
    }
    let opened = match project::open(flags.directory.as_deref()) {
        Ok(opened) => opened,
        Err((failure, session)) => return Ok(report.failure(&failure, &session.sources())),
    };
    if flags.depfile_target.is_some() && flags.depfile.is_none() {
        return Err(UsageError {
            message: "--depfile-target has no effect without --depfile".into(),
            help: Some("add --depfile FILE".into()),
        });
    }
    match &flags.stdout {
        Some(target) => print(report, &opened, target, &flags, &extra),
        None => write(report, &opened, &flags, &extra),
    }
}

/// Writes targets again whenever their input changes.
fn watch(report: &Report, flags: &Flags, names: &[String]) -> Result<Exit, UsageError> {
    if flags.stdout.is_some() || flags.depfile.is_some() {
        return Err(UsageError {
            message: "--watch writes targets to their directories only".into(),
            help: Some("remove --stdout and --depfile".into()),
        });
    }
    let choice = Choice::new(names, flags.shard.as_deref())?;
    Ok(watch::targets(report, flags.directory.as_deref(), &choice, Writing::Real))
}

fn write(
    report: &Report,
    opened: &Opened,
    flags: &Flags,
    names: &[String],
) -> Result<Exit, UsageError> {
    let choice = Choice::new(names, flags.shard.as_deref())?;
    let targets = match choice.targets(&opened.project) {
        Ok(targets) => targets,
        Err(failure) => return Ok(report.failure(&failure, &opened.session.sources())),
    };
    let finished = opened.run(report, targets, Writing::Real, Kept::Nothing);
    let are_done = finished.iter().all(|it| it.ending.is_done());
    let is_written = match &flags.depfile {
        // If a target failed, the old rules stay valid: the target must be built again.
        Some(path) if are_done => {
            let name = flags.depfile_target.as_deref();
            let text = plumb_project::depfile(&opened.project, &finished, name);
            let written = match text {
                Ok(text) => write_file(path, text.as_bytes())
                    .map_err(|it| Diagnostic::error(NOT_WRITTEN, plain(it.words())).into()),
                Err(error) => Err(not_expressed(&error)),
            };
            written.map_err(|it| report.failure(&it, &opened.session.sources()))
        }
        Some(_) | None => Ok(()),
    };
    let all: Vec<&Finished> = finished.iter().collect();
    let reported = report.summary(&summary(&opened.project, &all));
    Ok(match is_written {
        Err(exit) => exit,
        Ok(()) if !are_done => Exit::Findings,
        Ok(()) => reported,
    })
}

fn not_expressed(error: &DepfileError) -> Failure {
    let path = error.path.to_string_lossy();
    let path = plain(path.escape_debug().to_string());
    let message = message!("the depfile cannot be written: Make cannot express the path `{path}`");
    Diagnostic::error(NOT_WRITTEN, message)
        .help(
            "rename the file: `;`, `=` and control characters have a special meaning in Make rules",
        )
        .into()
}

/// A line for each target that was written, and one for all.
pub(super) fn summary(project: &Project, finished: &[&Finished]) -> String {
    let mut lines = Vec::new();
    for run in finished {
        let target = &project.targets[run.target];
        if let Ending::Done(product) = &run.ending {
            let files = counted(product.files.len(), "file");
            lines.push(match target.output() {
                Some(output) => {
                    format!("{}: {files} in {}", target.name, lexical::shown(&output.directory))
                }
                None => format!("{}: valid, nothing to write", target.name),
            });
        }
    }
    if lines.len() > MAX_LISTED {
        lines.clear();
    }
    lines.push(Counts::of(finished).shown(None));
    lines.join("\n")
}

/// How many targets and files there are.
#[derive(Debug, Default)]
#[expect(clippy::struct_field_names, reason = "`n_` begins the names of numbers")]
pub(super) struct Counts {
    n_built: usize,
    n_files: usize,
    n_failed: usize,
    n_not_built: usize,
}

impl Counts {
    pub(super) fn of(finished: &[&Finished]) -> Self {
        let mut counts = Self::default();
        for run in finished {
            match &run.ending {
                Ending::Done(product) => {
                    counts.n_built += 1;
                    counts.n_files += product.files.len();
                }
                Ending::Failed(_) | Ending::Refused => counts.n_failed += 1,
                Ending::NotRun(_) => counts.n_not_built += 1,
            }
        }
        counts
    }

    /// One line. Includes the number of all targets if only some of them had to be built.
    pub(super) fn shown(&self, n_targets: Option<usize>) -> String {
        let Self { n_built, n_files, n_failed, n_not_built } = self;
        let mut shown = match n_targets {
            Some(n_targets) => format!("{n_built} of {} built", counted(n_targets, "target")),
            None => format!("{} built", counted(*n_built, "target")),
        };
        if *n_files > 0 {
            let _ = write!(shown, " ({})", counted(*n_files, "file"));
        }
        if *n_failed > 0 {
            let _ = write!(shown, ", {n_failed} failed");
        }
        if *n_not_built > 0 {
            let _ = write!(shown, ", {n_not_built} not built");
        }
        shown
    }
}

pub(super) fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// Prints the documents of one target. Nothing is written.
fn print(
    report: &Report,
    opened: &Opened,
    name: &str,
    flags: &Flags,
    names: &[String],
) -> Result<Exit, UsageError> {
    if !names.is_empty() || flags.shard.is_some() || flags.depfile.is_some() {
        return Err(UsageError {
            message: "--stdout prints one target, and writes nothing".into(),
            help: Some("remove the other targets, --shard and --depfile".into()),
        });
    }
    let sources = opened.session.sources();
    let target = match opened.project.target(name) {
        Ok(target) => target,
        Err(failure) => return Ok(report.failure(&failure, &sources)),
    };
    let finished = opened.run(report, vec![target], Writing::InMemory, Kept::Printed(target));
    let ended = finished.into_iter().find(|it| it.target == target).map(|it| it.ending);
    let Some(Ending::Done(made)) = ended else { return Ok(Exit::Findings) };
    let printed = match (made.shown, &opened.project.targets[target].work) {
        (Some(Shown::Documents(rendered)), Work::Render(render)) => {
            let product = Product::Files(plumb::Printable::Documents(rendered));
            sink::stream(report, &*opened.world, &product, render.format, &sources)
        }
        (Some(Shown::Text(text)), _) => Ok(report.print(&text)),
        _ => Ok(report.summary(&format!("{name}: valid, nothing to print"))),
    };
    Ok(printed.unwrap_or_else(|failure| report.failure(&failure, &sources)))
}
