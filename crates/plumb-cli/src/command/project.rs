//! The common parts of the commands for projects: finding the project file, choosing targets,
//! running them, and reporting findings.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::print::{self, Format};
use plumb::{Cancel, Document, Failure, Session, Sources, World};
use plumb_project::{Finished, Kept, Progress, Project, Request, Shard, Writing};
use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, flags_alone, help, template};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, Report};

/// The flags of all commands over a project.
#[derive(Debug, Default)]
pub(super) struct Flags {
    pub(super) directory: Option<PathBuf>,
    pub(super) shard: Option<String>,
    pub(super) stdout: Option<String>,
    pub(super) depfile: Option<PathBuf>,
    pub(super) depfile_target: Option<PathBuf>,
}

pub(super) const PROJECT: Spec<Flags> = Spec {
    long: "project",
    short: None,
    takes: Takes::One("DIR", |flags, value| flags.directory = Some(value.into())),
    topic: Topic::Input,
    help: "The directory of plumb.yml. Default: the working directory, or the nearest one above it that has a plumb.yml",
};

pub(super) const SHARD: Spec<Flags> = Spec {
    long: "shard",
    short: None,
    takes: Takes::One("K/N", |flags, value| flags.shard = Some(value)),
    topic: Topic::Input,
    help: "Only one of N parts of the targets, so that N machines can share the work: 1/4 is the first of four",
};

/// A project that was read, and the state that its runs share.
pub(super) struct Opened {
    pub(super) project: Project,
    pub(super) session: Session,
    pub(super) world: Arc<dyn World>,
    /// The Git revision that it was read from, instead of the work tree.
    pub(super) revision: Option<String>,
}

/// Finds and reads the project file.
pub(super) fn open(directory: Option<&Path>) -> Result<Opened, (Failure, Session)> {
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let session = Session::default();
    let read =
        path(&*world, directory).and_then(|path| Project::read(&*world, &path, &session.sources()));
    match read {
        Ok(project) => Ok(Opened { project, session, world, revision: None }),
        Err(failure) => Err((failure, session)),
    }
}

/// The path of the project file.
pub(super) fn path(world: &dyn World, directory: Option<&Path>) -> Result<PathBuf, Failure> {
    match directory {
        Some(directory) => Ok(directory.join(plumb_project::FILE_NAME)),
        None => Project::find(world, Path::new(""))
            .ok_or_else(|| Project::not_found(Path::new("")).into()),
    }
}

/// The targets that a command line names.
pub(super) struct Choice<'a> {
    names: &'a [String],
    shard: Option<Shard>,
}

impl<'a> Choice<'a> {
    pub(super) fn new(names: &'a [String], shard: Option<&str>) -> Result<Self, UsageError> {
        Ok(Self { names, shard: self::shard(shard)? })
    }

    /// Whether targets are chosen by name.
    pub(super) fn is_named(&self) -> bool {
        !self.names.is_empty()
    }

    /// The targets with these names, or all targets. With a shard, only those of the shard.
    pub(super) fn targets(&self, project: &Project) -> Result<Vec<usize>, Failure> {
        let found: BTreeSet<usize> =
            self.names.iter().map(|it| project.target(it)).collect::<Result<_, _>>()?;
        let chosen: Vec<usize> = match self.names {
            [] => (0..project.targets.len()).collect(),
            _ => found.into_iter().collect(),
        };
        Ok(match self.shard {
            Some(shard) => shard.of(&chosen),
            None => chosen,
        })
    }
}

impl Opened {
    /// Runs targets, and reports the findings.
    pub(super) fn run(
        &self,
        report: &Report,
        targets: Vec<usize>,
        writing: Writing,
        kept: Kept,
    ) -> Vec<Finished> {
        let line = ProgressLine::new(report);
        let request = Request {
            project: &self.project,
            session: &self.session,
            targets,
            writing,
            denies_warnings: report.denies_warnings(),
            kept,
            cancel: Cancel::default(),
            timer: &template::after,
            progress: &|progress| line.show(progress),
        };
        let finished = plumb_project::run(&self.world, &request);
        line.clear();
        for printed in finished.iter().flat_map(|it| &it.printed) {
            self.world.print(printed);
        }
        let sources = self.session.sources();
        let mut findings = plumb_project::findings(&self.project, &finished, &sources);
        if let Some(revision) = &self.revision {
            for target in findings.iter_mut().flat_map(|it| &mut it.targets) {
                *target = format!("{target} at {revision}");
            }
        }
        report.findings(&findings, &sources);
        finished
    }
}

/// Reads the argument of `--shard`.
pub(super) fn shard(text: Option<&str>) -> Result<Option<Shard>, UsageError> {
    let Some(text) = text else { return Ok(None) };
    let shard = text.parse().map_err(|()| UsageError {
        message: message!(
            "invalid argument {} for \"--shard\" flag",
            plain(format_args!("{text:?}"))
        ),
        help: Some("give K/N, where K is from 1 to N: --shard 1/4".into()),
    })?;
    Ok(Some(shard))
}

/// A line on the terminal with the number of finished targets. It is not shown elsewhere.
pub(super) struct ProgressLine {
    is_shown: bool,
}

impl ProgressLine {
    pub(super) fn new(report: &Report) -> Self {
        let is_shown = report.is_for_people() && !report.is_quiet() && io::stderr().is_terminal();
        Self { is_shown }
    }

    pub(super) fn show(&self, progress: Progress) {
        if !self.is_shown {
            return;
        }
        let Progress { n_targets, n_done, n_running, n_failed } = progress;
        let failed = if n_failed > 0 { format!(", {n_failed} failed") } else { String::new() };
        let text = format!("{n_done} of {n_targets} targets done, {n_running} running{failed}");
        report::say(&format!("\r\x1b[K{text}"));
    }

    pub(super) fn clear(&self) {
        if self.is_shown {
            report::say("\r\x1b[K");
        }
    }
}

/// Shows the help, or rejects an unknown subcommand.
pub(super) fn run(report: &Report, arguments: &[String]) -> Result<Exit, UsageError> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Project)),
        word => Err(UsageError {
            message: message!("no such command: project {}", plain(word)),
            help: Some("use project schema; to build a project, use plumb build".into()),
        }),
    }
}

/// Prints the JSON Schema of project files.
pub(super) fn print_schema(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    if let Err(exit) = flags_alone::<()>(report, Command::ProjectSchema, arguments, &[])? {
        return Ok(exit);
    }
    Ok(print_json_schema(report, &plumb_project::json_schema()))
}

/// Prints a JSON Schema.
pub(super) fn print_json_schema(report: &Report, schema: &Document) -> Exit {
    let style = plumb_project::style(Format::Json);
    let printed = print::stream([schema], style, &Sources::new());
    let stream = printed.expect("a schema has text keys only");
    let schema: serde_json::Value =
        serde_json::from_slice(&stream.bytes).expect("the printer prints JSON");
    report.print(format!("{schema:#}\n").as_bytes())
}
