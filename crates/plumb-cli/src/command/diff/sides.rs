//! The two sides of a comparison: the current output of targets, and the output that it is compared
//! with.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use plumb::document::Span;
use plumb::{Code, Diagnostic, Failure, Session, Sources, World};
use plumb_project::diff::{self, Side};
use plumb_project::{Ending, Finished, Kept, Output, Project, Shown, Writing};
use plumb_source::message::plain;
use plumb_source::{lexical, message};

use super::super::project::{Choice, Opened};
use super::TargetDiff;
use crate::git::GitWorld;
use crate::report::Report;

/// The output of another program cannot be compared.
///
/// `plumb diff --against-command` runs a command in the directory of the project and reads the YAML
/// documents that it prints. The command must succeed; its standard error is shown.
pub(crate) const COMMAND_FAILED: Code = Code::new("cli/command-failed");

/// A target cannot be compared.
///
/// Without flags, `plumb diff` compares each target with its output directory, but this target has
/// no output directory. Add one, or use `--against REV` or `--against-command COMMAND`, which do
/// not need it. A target that only validates virtual machines has no output to compare.
/// `--against-command` compares exactly one target.
pub(crate) const NOTHING_TO_COMPARE: Code = Code::new("cli/nothing-to-compare");

/// What targets are compared with.
pub(super) enum Old<'a> {
    /// Their output directories.
    Disk,
    /// Their output in a Git revision.
    Revision(&'a str),
    /// The documents that a command prints.
    Program(&'a str),
}

pub(super) struct Compared {
    pub(super) targets: Vec<TargetDiff>,
    /// Whether both sides of all targets could be rendered.
    pub(super) is_complete: bool,
}

/// How the places of a side are shown.
pub(super) struct Places {
    sources: Arc<Sources>,
    /// A prefix for the name of each file.
    prefix: String,
}

impl Places {
    /// The file and the line of a place.
    pub(super) fn file_and_line(&self, place: Span) -> (String, u32) {
        let source = self.sources.get(place.file);
        (format!("{}{}", self.prefix, source.location()), source.line(place.start))
    }
}

/// Renders both sides of the chosen targets, and compares them. Reports what cannot be rendered,
/// and compares the rest.
pub(super) fn compare(
    report: &Report,
    opened: &Opened,
    choice: &Choice<'_>,
    old: &Old<'_>,
) -> Compared {
    let failed = |failure: &Failure, sources: &Sources| {
        report.failure(failure, sources);
        Compared { targets: Vec::new(), is_complete: false }
    };
    let sources = opened.session.sources();
    let targets = match choice.targets(&opened.project) {
        Ok(targets) => comparable(&opened.project, choice, targets, old),
        Err(failure) => Err(failure),
    };
    let targets = match targets {
        Ok(targets) => targets,
        Err(failure) => return failed(&failure, &sources),
    };
    match old {
        Old::Disk => of_disk(report, opened, targets),
        Old::Program(command) => match of_program(report, opened, targets, command) {
            Ok(compared) => compared,
            Err((failure, sources)) => failed(&failure, &sources),
        },
        Old::Revision(revision) => match before(opened, revision) {
            Ok(before) => of_revision(report, opened, &before, choice, &targets),
            Err((failure, sources)) => failed(&failure, &sources),
        },
    }
}

/// The targets that can be compared. Fails if a target that was named cannot be compared, or if no
/// target can.
fn comparable(
    project: &Project,
    choice: &Choice<'_>,
    targets: Vec<usize>,
    old: &Old<'_>,
) -> Result<Vec<usize>, Failure> {
    let can_be = |at: &usize| match old {
        Old::Disk => project.targets[*at].output().is_some(),
        Old::Revision(_) | Old::Program(_) => project.targets[*at].has_documents(),
    };
    if let Some(&other) = targets.iter().find(|it| !can_be(it)).filter(|_| choice.is_named()) {
        let target = &project.targets[other];
        let message = message!("there is nothing to compare `{}` with", plain(&target.name));
        let finding = Diagnostic::error(NOTHING_TO_COMPARE, message).at(target.place, "");
        let help = match old {
            Old::Disk => "add `output-files` to the target, or use --against or --against-command",
            Old::Revision(_) | Old::Program(_) => "name a target that creates documents or files",
        };
        return Err(finding.help(help).into());
    }
    let targets: Vec<usize> = targets.into_iter().filter(can_be).collect();
    match (old, targets.len()) {
        (_, 0) => {
            let message = "no target has an output directory to compare with";
            let finding = Diagnostic::error(NOTHING_TO_COMPARE, message);
            Err(finding.help("add `output-files` to a target, or use --against REV").into())
        }
        (Old::Program(_), n) if n > 1 => {
            let message = "--against-command compares exactly one target";
            let finding = Diagnostic::error(NOTHING_TO_COMPARE, message);
            Err(finding.help("name the target: plumb diff TARGET --against-command …").into())
        }
        _ => Ok(targets),
    }
}

/// The results of targets, by their indices.
struct Results {
    shown: HashMap<usize, Shown>,
    is_complete: bool,
}

/// Renders targets without writing.
fn rendered(report: &Report, opened: &Opened, targets: &[usize]) -> Results {
    let finished = opened.run(report, targets.to_vec(), Writing::InMemory, Kept::Everything);
    let mut shown = HashMap::new();
    for Finished { target, ending, .. } in finished {
        if let Ending::Done(product) = ending {
            shown.extend(product.shown.map(|it| (target, it)));
        }
    }
    let is_complete = targets.iter().all(|it| shown.contains_key(it));
    Results { shown, is_complete }
}

fn of_disk(report: &Report, opened: &Opened, targets: Vec<usize>) -> Compared {
    let Results { shown, is_complete } = rendered(report, opened, &targets);
    let one = |at: usize| {
        let (target, shown) = (&opened.project.targets[at], shown.get(&at)?);
        let output: &Output = target.output()?;
        let old = Side::on_disk(&*opened.world, output, shown);
        let new = Side::rendered(shown, opened.session.sources());
        let against = lexical::shown(&output.directory);
        Some(target_diff(&target.name, against, (&old, ""), &new))
    };
    Compared { targets: targets.into_iter().filter_map(one).collect(), is_complete }
}

fn target_diff(name: &str, against: String, old: (&Side, &str), new: &Side) -> TargetDiff {
    let (old, prefix) = old;
    let places = |side: &Side, prefix: &str| Places {
        sources: Arc::clone(&side.sources),
        prefix: prefix.to_owned(),
    };
    TargetDiff {
        name: name.to_owned(),
        against,
        documents: diff::compare(&old.documents, &new.documents),
        old: places(old, prefix),
        new: places(new, ""),
    }
}

type Failed = (Failure, Arc<Sources>);

fn of_program(
    report: &Report,
    opened: &Opened,
    targets: Vec<usize>,
    command: &str,
) -> Result<Compared, Failed> {
    let without_sources = |it: Failure| (it, Arc::default());
    let output = printed_by(opened, command).map_err(without_sources)?;
    let old = Side::printed("(output of the command)", &output.into());
    let old = old.map_err(|failure| (failure, Arc::default()))?;
    let Results { shown, is_complete } = rendered(report, opened, &targets);
    let one = |at: usize| {
        let new = Side::rendered(shown.get(&at)?, opened.session.sources());
        let name = &opened.project.targets[at].name;
        Some(target_diff(name, command.to_owned(), (&old, ""), &new))
    };
    Ok(Compared { targets: targets.into_iter().filter_map(one).collect(), is_complete })
}

/// Runs a command in the directory of the project and returns its output.
fn printed_by(opened: &Opened, command: &str) -> Result<Vec<u8>, Failure> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    shell.args([if cfg!(windows) { "/C" } else { "-c" }, command]);
    let above = opened.project.path.parent().filter(|it| !it.as_os_str().is_empty());
    shell.current_dir(above.unwrap_or(Path::new("."))).stdin(Stdio::null());
    let failed = |message| Diagnostic::error(COMMAND_FAILED, message);
    let output = shell.stderr(Stdio::inherit()).output().map_err(|error| {
        Failure::from(failed(message!("the command cannot be run: {}", plain(error))))
    })?;
    match output.status.code() {
        Some(0) => Ok(output.stdout),
        Some(code) => Err(failed(message!("the command failed with exit code {}", plain(code)))
            .help("run it alone to see why: it must print YAML documents and succeed")
            .into()),
        None => Err(failed("the command was killed by a signal".into()).into()),
    }
}

/// The project in a revision.
fn before(opened: &Opened, revision: &str) -> Result<Opened, Failed> {
    let path = opened.project.path.clone();
    let directory = path.parent().unwrap_or(Path::new(""));
    let world = GitWorld::new(Arc::clone(&opened.world), directory, revision)
        .map_err(|failure| (failure, Arc::default()))?;
    let world: Arc<dyn World> = Arc::new(world);
    let session = Session::default();
    let sources = session.sources();
    match Project::read(&*world, &path, &sources) {
        Ok(project) => Ok(Opened { project, session, world, revision: Some(revision.to_owned()) }),
        Err(failure) => Err((failure, sources)),
    }
}

fn of_revision(
    report: &Report,
    opened: &Opened,
    before: &Opened,
    choice: &Choice<'_>,
    targets: &[usize],
) -> Compared {
    let revision = before.revision.as_deref().unwrap_or_default();
    let new = rendered(report, opened, targets);
    let index = |project: &Project, name: &str| {
        project.targets.iter().position(|it| it.name == name && it.has_documents())
    };
    let name = |at: usize| opened.project.targets[at].name.as_str();
    let mut pairs: Vec<(Option<usize>, Option<usize>)> =
        targets.iter().map(|&at| (index(&before.project, name(at)), Some(at))).collect();
    // Targets that no longer exist.
    if !choice.is_named() {
        let all = before.project.targets.iter().enumerate().filter(|it| it.1.has_documents());
        let gone = all.filter(|it| index(&opened.project, &it.1.name).is_none());
        pairs.extend(gone.map(|(at, _)| (Some(at), None)));
    }
    let old_targets: Vec<usize> = pairs.iter().filter_map(|it| it.0).collect();
    let old = rendered(report, before, &old_targets);
    let mut compared = Vec::new();
    for (in_old, in_new) in pairs {
        let side = |at: Option<usize>, results: &Results, opened: &Opened| match at {
            None => Some(Side::default()),
            Some(at) => Some(Side::rendered(results.shown.get(&at)?, opened.session.sources())),
        };
        let sides = (side(in_old, &old, before), side(in_new, &new, opened));
        let (Some(old), Some(new)) = sides else { continue };
        let of_old = in_old.map(|at| before.project.targets[at].name.as_str());
        let name = in_new.map(name).or(of_old).unwrap_or_default();
        let prefix = format!("{revision}:");
        compared.push(target_diff(name, revision.to_owned(), (&old, &prefix), &new));
    }
    Compared { targets: compared, is_complete: old.is_complete && new.is_complete }
}
