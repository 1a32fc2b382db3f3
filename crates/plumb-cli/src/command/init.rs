//! `plumb init [DIR]`: writes a small project, or a project file for existing templates.

use std::path::{Path, PathBuf};

use plumb::native::NativeWorld;
use plumb::world::{Access, Occupant, OutputTree, World};
use plumb::{Diagnostic, Sources, lexical};
use plumb_project::FILE_NAME;
use plumb_project::init::{self, EXISTS, STARTER};
use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::args::{self, Parsed, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { wants_help, extra, .. } = args::parse::<()>(arguments, &[])?;
    if wants_help {
        return Ok(help::show(report, Command::Init));
    }
    let directory = match extra.as_slice() {
        [] => Path::new("."),
        [directory] => Path::new(directory),
        _ => {
            return Err(UsageError {
                message: "init takes one directory".into(),
                help: Some("leave it out for the working directory".into()),
            });
        }
    };
    let world = NativeWorld::default();
    let (files, next) = match init::propose(&world, directory) {
        Some(text) => (vec![(FILE_NAME, text)], PROPOSED),
        None => (STARTER.map(|(path, text)| (path, text.to_owned())).to_vec(), STARTED),
    };
    if let Some((path, _)) = files.iter().find(|it| world.entry(&directory.join(it.0)).is_ok()) {
        return Ok(
            report.failure(&exists(&lexical::clean(&directory.join(path))).into(), &Sources::new())
        );
    }
    let files: Vec<(PathBuf, Vec<u8>)> =
        files.into_iter().map(|(path, text)| (path.into(), text.into_bytes())).collect();
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    let tree = OutputTree { directory, occupant, access, files: &files };
    if let Err(error) = world.write(&tree) {
        return Ok(report.failure(&plumb::not_written(&error), &Sources::new()));
    }
    let created = files.iter().map(|it| lexical::clean(&directory.join(&it.0)));
    let mut lines: Vec<String> =
        created.map(|it| format!("created: {}", lexical::shown(&it))).collect();
    lines.push(next.to_owned());
    Ok(report.summary(&lines.join("\n")))
}

const STARTED: &str = "next: plumb build writes both targets, plumb test runs the tests";
const PROPOSED: &str =
    "next: check the contents of plumb.yml, then run plumb check to validate all targets";

fn exists(path: &Path) -> Diagnostic {
    let message = message!("`{}` exists already; nothing was written", plain(lexical::shown(path)));
    let finding = Diagnostic::error(EXISTS, message);
    if path.ends_with(FILE_NAME) {
        finding.help("this is already a project: plumb build writes its targets")
    } else {
        finding.help("name an empty directory: plumb init DIR")
    }
}
