//! `plumb diff [TARGET…]`: what would change.

mod json;
mod sides;
mod text;

use plumb_project::diff::DocumentDiff;

use super::project::{self, Choice, PROJECT};
use super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;
use sides::{Compared, Old};

pub(super) use project::Flags as ProjectFlags;

/// The flags of the command.
#[derive(Debug, Default)]
pub(super) struct Flags {
    project: ProjectFlags,
    revision: Option<String>,
    command: Option<String>,
    output: Option<String>,
}

const UNIFIED: &str = "unified";
const JSON: &str = "json";

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: PROJECT.long,
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.project.directory = Some(value.into())),
        topic: PROJECT.topic,
        help: PROJECT.help,
    },
    Spec {
        long: "against",
        short: None,
        takes: Takes::One("REV", |flags, value| flags.revision = Some(value)),
        topic: Topic::Input,
        help: "Compare with the output of the files in a Git revision, instead of the output directories",
    },
    Spec {
        long: "against-command",
        short: None,
        takes: Takes::One("COMMAND", |flags, value| flags.command = Some(value)),
        topic: Topic::Input,
        help: "Compare one target with the documents that another program prints: 'ytt -f config'",
    },
    Spec {
        long: "output",
        short: Some('o'),
        takes: Takes::OneOf("TYPE", &[UNIFIED, JSON], |flags, value| flags.output = Some(value)),
        topic: Topic::Output,
        help: "Print as unified (the default) or json",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::Diff));
    }
    let is_json = match flags.output.as_deref() {
        None | Some(UNIFIED) => false,
        Some(JSON) => true,
        Some(_) => {
            return Err(UsageError {
                message: "expected unified or json after -o".into(),
                help: Some("remove -o, or use -o json".into()),
            });
        }
    };
    let old = match (&flags.revision, &flags.command) {
        (None, None) => Old::Disk,
        (Some(revision), None) => Old::Revision(revision),
        (None, Some(command)) => Old::Program(command),
        (Some(_), Some(_)) => {
            return Err(UsageError {
                message: "--against and --against-command cannot be combined".into(),
                help: Some("remove one of them".into()),
            });
        }
    };
    let opened = match project::open(flags.project.directory.as_deref()) {
        Ok(opened) => opened,
        Err((failure, session)) => {
            report.failure(&failure, &session.sources());
            return Ok(Exit::UsageError);
        }
    };
    let choice = Choice::new(&extra, None)?;
    let Compared { targets, is_complete } = sides::compare(report, &opened, &choice, &old);
    let printed = if is_json {
        report.print(json::text(&targets, report.shows_values()).as_bytes())
    } else {
        let text = text::text(&targets, report.shows_values());
        if !text.is_empty() && !report.shows_values() {
            report.values_were_masked();
        }
        match report.print(text.as_bytes()) {
            Exit::Fine if targets.is_empty() => Exit::Fine,
            Exit::Fine => report.summary(&text::summary(&targets, is_complete)),
            failed => failed,
        }
    };
    let is_same = targets.iter().all(|it| it.documents.is_empty());
    Ok(match (is_complete, is_same, printed) {
        (false, _, _) => Exit::UsageError,
        (true, true, printed) => printed,
        (true, false, _) => Exit::Findings,
    })
}

/// The differences of one target.
struct TargetDiff {
    name: String,
    /// What the new side is compared with, such as `out/prod` or `HEAD`.
    against: String,
    documents: Vec<DocumentDiff>,
    old: sides::Places,
    new: sides::Places,
}
