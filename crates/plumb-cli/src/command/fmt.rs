//! `plumb fmt`: YAML files in one layout: printed, written in place, or only compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use plumb::lexical;
use plumb::native::NativeWorld;
use plumb::world::{Access, Occupant, OutputTree, WorldError};
use plumb::{Dialect, Failures, FormattedFile, FormattedText, Options, Sources, World};
use plumb_source::Comparison;

use super::build::counted;
use super::{Command, flags_alone, help};

use crate::Name;
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, Report};

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Flags {
    files: Vec<String>,
    writes: bool,
    checks: bool,
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
        long: "write",
        short: Some('w'),
        takes: Takes::Nothing(|flags| &mut flags.writes),
        topic: Topic::Output,
        help: "Write the files in place, all or none; those in the right layout are not touched",
    },
    Spec {
        long: "check",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.checks),
        topic: Topic::Output,
        help: "Write nothing: print what would change, and exit with 1 if anything would",
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
        help: "Print to standard error how long it took",
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
        Name::Ytt => match flags_alone::<Flags>(report, Command::Fmt, arguments, SPECS)? {
            Ok(flags) => flags,
            Err(exit) => return Ok(exit),
        },
    };
    let purpose = Purpose::of(&flags, report.name())?;
    let mut options = Options::new().paths(flags.files);
    options.dialect = if flags.is_strict { Dialect::Strict } else { Dialect::Full };
    options.silent_drops = report.name().silent_drops();
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let outcome = plumb::format(&world, &options, report.name().flavour());
    let sources = outcome.sources;
    let exit = match outcome.result {
        Ok(files) => match purpose {
            Purpose::Print => deliver(report, files, &sources),
            Purpose::Write => write(report, &*world, files, &sources),
            Purpose::Check => check(report, files, &sources),
        },
        Err(failure) => report.failure(&failure, &sources),
    };
    if flags.debug {
        report::say(&format!("total: {:?}\n", started.elapsed()));
    }
    Ok(exit)
}

/// What happens to the formatted texts.
#[derive(Clone, Copy)]
enum Purpose {
    Print,
    Write,
    Check,
}

impl Purpose {
    fn of(flags: &Flags, name: Name) -> Result<Self, UsageError> {
        let error = |message: &'static str, help: &'static str| {
            Err(UsageError { message: message.into(), help: Some(help.into()) })
        };
        match (flags.writes, flags.checks) {
            (false, false) => Ok(Self::Print),
            _ if name == Name::Ytt => error(
                "ytt's layout loses quotes, anchors and blank lines: it can only be printed",
                "use plumb fmt, which changes only white space",
            ),
            (true, true) => error(
                "--write changes files, --check does not",
                "remove one of them: --check in CI, --write to correct the files",
            ),
            (true, false) if flags.files.iter().any(|it| it == "-") => error(
                "standard input cannot be written in place",
                "remove --write: the result is printed",
            ),
            (true, false) => Ok(Self::Write),
            (false, true) => Ok(Self::Check),
        }
    }
}

/// The files that are not in the right layout, if all could be read.
fn changed(
    files: Vec<FormattedFile>,
) -> Result<Vec<(String, Option<PathBuf>, FormattedText)>, plumb::Failure> {
    let mut changed = Vec::new();
    let mut failures = Failures::default();
    for file in files {
        let text = failures.keep(file.text).filter(|it| it.new != it.old);
        changed.extend(text.map(|text| (file.path, file.disk, text)));
    }
    failures.into_result().map(|()| changed)
}

fn write(report: &Report, world: &dyn World, files: Vec<FormattedFile>, sources: &Sources) -> Exit {
    let n_files = files.len();
    let here = world.directory().unwrap_or_default();
    let absolute = |path: &PathBuf| plumb::lexical::absolute(path, &here);
    let all: Vec<PathBuf> = files.iter().filter_map(|it| it.disk.as_ref()).map(absolute).collect();
    let (paths, texts): (Vec<_>, Vec<_>) = match changed(files) {
        Ok(changed) => {
            changed.into_iter().filter_map(|(_, disk, text)| Some((disk?, text.new))).unzip()
        }
        Err(failure) => return report.failure(&failure, sources),
    };
    if let Err(error) = recover(world, &all) {
        return report.failure(&plumb::not_written(&error), sources);
    }
    let whole: Vec<PathBuf> = paths.iter().map(absolute).collect();
    let Some(directory) = common_directory(&whole) else {
        report.note(&format!("{} formatted: no changes\n", counted(n_files, "file")));
        return Exit::Fine;
    };
    let below = whole.iter().map(|it| it.strip_prefix(&directory).unwrap_or(it).to_owned());
    let files: Vec<(PathBuf, Vec<u8>)> = below.zip(texts).collect();
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    let tree = OutputTree { directory: &directory, occupant, access, files: &files };
    if let Err(error) = world.write(&tree) {
        return report.failure(&plumb::not_written(&error), sources);
    }
    let shown = paths.iter().map(|it| format!("formatted: {}\n", lexical::shown(it)));
    report.note(&shown.collect::<String>());
    Exit::Fine
}

/// Completes or undoes the work of a killed run. Its directory depends on the files that it
/// changed, so all possible directories are tried.
fn recover(world: &dyn World, files: &[PathBuf]) -> Result<(), WorldError> {
    let Some(common) = common_directory(files) else {
        return Ok(());
    };
    let above = |file: &PathBuf| -> Vec<PathBuf> {
        let directories = file.ancestors().skip(1).take_while(|it| it.starts_with(&common));
        directories.map(Path::to_owned).collect()
    };
    let directories: BTreeSet<PathBuf> = files.iter().flat_map(above).collect();
    directories.iter().try_for_each(|directory| {
        let (occupant, access) = (Occupant::Kept, Access::Usual);
        world.write(&OutputTree { directory, occupant, access, files: &[] })
    })
}

/// The innermost directory that contains all files, or `None` if there are none.
fn common_directory(files: &[PathBuf]) -> Option<PathBuf> {
    let mut directories = files.iter().filter_map(|it| it.parent());
    let first = directories.next()?;
    Some(directories.fold(first, common).to_owned())
}

fn common<'a>(one: &'a Path, other: &Path) -> &'a Path {
    one.ancestors().find(|it| other.starts_with(it)).unwrap_or(one)
}

fn check(report: &Report, files: Vec<FormattedFile>, sources: &Sources) -> Exit {
    let n_files = files.len();
    let changed = match changed(files) {
        Ok(changed) => changed,
        Err(failure) => return report.failure(&failure, sources),
    };
    for (path, disk, text) in &changed {
        let path = disk.as_ref().map_or_else(|| path.clone(), |it| lexical::shown(it));
        let [old, new] = [&text.old, &text.new].map(|it| String::from_utf8_lossy(it));
        let diff = Comparison::new(&old, &new).unified(&path, "formatted");
        let printed = report.print(diff.as_bytes());
        if printed != Exit::Fine {
            return printed;
        }
    }
    if changed.is_empty() {
        return Exit::Fine;
    }
    let n = changed.len();
    report.note(&format!(
        "{n} of {} not formatted: run plumb fmt --write\n",
        counted(n_files, "file")
    ));
    Exit::Findings
}

/// Prints the files. If one is malformed, ytt prints those before it; Plumb prints nothing.
fn deliver(report: &Report, files: Vec<FormattedFile>, sources: &Sources) -> Exit {
    let mut texts = Vec::new();
    let mut failures = Failures::default();
    for file in files {
        let text = failures.keep(file.text);
        texts.extend(text.filter(|_| failures.is_empty()).map(|it| it.new));
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
