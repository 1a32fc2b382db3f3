//! `plumb check`: does everything that a render does, but prints and writes nothing.

use std::path::Path;
use std::sync::Arc;

use plumb::machines::contains_machines;
use plumb::native::NativeWorld;
use plumb::{GeneratorOptions, World};
use plumb_project::{Kept, NO_PROJECT, Writing};
use plumb_source::message;
use plumb_source::message::plain;

use super::project::Choice;
use super::template::IsChecked;
use super::template_flags::{self, CrdFlags, Flags};
use super::{Command, help, project, script, template, vm, watch, without_effect};
use crate::args::{self, Flag, Parsed, Spec, UsageError};
use crate::exit::Exit;
use crate::report::Report;

/// The flags for a project.
const PROJECT_SPECS: &[Spec<project::Flags>] = &[project::PROJECT, project::SHARD];

/// Extensions of scripts.
const SCRIPTS: [&str; 4] = ["js", "mjs", "ts", "mts"];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    match CheckTarget::of(&arguments) {
        CheckTarget::Templates => match of_project(&arguments) {
            Some((flags, names)) => targets(report, &flags, &names),
            None => templates(report, arguments),
        },
        CheckTarget::Script | CheckTarget::Machines if report.watches() => Err(UsageError {
            message: "--watch is for projects and templates".into(),
            help: Some(
                "add the script or the virtual machines to a plumb.yml, or remove --watch".into(),
            ),
        }),
        CheckTarget::Script => generator(report, arguments),
        CheckTarget::Machines => vm::check::run(report, arguments),
    }
}

/// What is checked, which depends on how it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckTarget {
    Templates,
    Script,
    Machines,
}

impl CheckTarget {
    fn of(arguments: &[String]) -> Self {
        // Scripts have a flag -f too: after the script, it belongs to the script.
        let is_template_flag = |it: &&String| it.starts_with("-f") || it.starts_with("--file");
        let is_machine_flag = |it: &&String| it.starts_with("--template");
        let named = arguments.iter().find(|it| {
            is_template_flag(it)
                || is_machine_flag(it)
                || !it.starts_with('-') && is_check_target(it)
        });
        match named {
            Some(script) if is_script(script) => Self::Script,
            Some(flag) if is_template_flag(&flag) => Self::Templates,
            Some(_) => Self::Machines,
            None => Self::Templates,
        }
    }
}

/// Whether the path alone determines what is checked.
fn is_check_target(path: &str) -> bool {
    is_script(path) || is_of_machines(path)
}

fn is_script(path: &str) -> bool {
    let extension = Path::new(path).extension();
    !path.starts_with('-') && extension.is_some_and(|it| SCRIPTS.iter().any(|script| it == *script))
}

/// Whether a file contains virtual machines, or templates of them.
fn is_of_machines(path: &str) -> bool {
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    contains_machines(&world, path)
}

/// The flags and the targets, if the arguments refer to a project: there are no names, or only
/// names of targets.
fn of_project(arguments: &[String]) -> Option<(project::Flags, Vec<String>)> {
    let parsed = args::parse(arguments.to_vec(), PROJECT_SPECS).ok()?;
    let Parsed { flags, wants_help: false, extra } = parsed else { return None };
    let directory = flags.directory.as_deref();
    let is_project = match project::open(directory) {
        Ok(opened) => {
            let are_targets = extra.iter().all(|it| opened.project.target(it).is_ok());
            are_targets || !extra.iter().all(|it| Path::new(it).exists())
        }
        // The mistakes in the project file are reported, unless the arguments are files.
        Err((failure, _)) => {
            let is_missing = failure.findings().iter().any(|it| it.code == NO_PROJECT);
            let are_files = !extra.is_empty() && extra.iter().all(|it| Path::new(it).exists());
            directory.is_some() || flags.shard.is_some() || !is_missing && !are_files
        }
    };
    is_project.then_some((flags, extra))
}

/// Runs all targets of a project, or some of them. Nothing is written.
fn targets(report: &Report, flags: &project::Flags, names: &[String]) -> Result<Exit, UsageError> {
    let choice = Choice::new(names, flags.shard.as_deref())?;
    if report.watches() {
        let directory = flags.directory.as_deref();
        return Ok(watch::targets(report, directory, &choice, Writing::InMemory));
    }
    let opened = match project::open(flags.directory.as_deref()) {
        Ok(opened) => opened,
        Err((failure, session)) => return Ok(report.failure(&failure, &session.sources())),
    };
    let targets = match choice.targets(&opened.project) {
        Ok(targets) => targets,
        Err(failure) => return Ok(report.failure(&failure, &opened.session.sources())),
    };
    let finished = opened.run(report, targets, Writing::InMemory, Kept::Nothing);
    let n_targets = finished.len();
    let targets = if n_targets == 1 { "target" } else { "targets" };
    let reported = report.summary(&format!("{n_targets} {targets} checked: {}", report.counts()));
    let is_valid = finished.iter().all(|it| it.ending.is_done());
    Ok(if is_valid { reported } else { Exit::Findings })
}

fn templates(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { mut flags, wants_help, extra } = args::parse(arguments, template_flags::SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::Check));
    }
    flags.files.extend(extra);
    if flags.files.is_empty() && flags.bulk_in.is_empty() {
        return Err(UsageError {
            message: "no input: there is nothing to check".into(),
            help: Some(
                "write a plumb.yml, or name templates, a script or virtual machines: \
                 plumb check -f config/, plumb check x.js, plumb check vm.yaml"
                    .into(),
            ),
        });
    }
    refuse_output(&flags)?;
    without_effect::refuse_in_checks(&flags)?;
    if report.watches() {
        return template::watch(report, flags, IsChecked::Yes);
    }
    template::check(report, flags)
}

/// Flags of a render that have no effect here, because nothing is printed or written.
const REFUSED: [&str; 12] = [
    "output-files",
    "dangerous-emptied-output-directory",
    "bulk-out",
    "files-inspect",
    "data-values-inspect",
    "data-values-schema-inspect",
    "crd-group",
    "crd-version",
    "crd-kind",
    "crd-plural",
    "crd-drop-null",
    "version",
];

/// The flags for templates.
pub(super) fn template_flags() -> Vec<Flag> {
    let flags = template_flags::SPECS.iter().map(Spec::flag);
    let flags = flags.filter(|it| !REFUSED.contains(&it.long));
    let here = |it: Flag| match it.long {
        "output" => Flag {
            // Schemas are not printed here.
            values: &["yaml", "json", "pos"],
            help: "Check that the results can be printed as yaml (the default), json or pos",
            ..it
        },
        // A render that keeps comments accepts plain ones, so they must be accepted here too.
        "keep-comments" => Flag {
            help: "Check as for a render with this flag, which allows plain # comments",
            ..it
        },
        _ => it,
    };
    flags.map(here).collect()
}

/// The flags for projects, scripts and virtual machines, each with a heading.
pub(super) fn other_flags() -> [(&'static str, Vec<Flag>); 3] {
    [
        ("With a project", PROJECT_SPECS.iter().map(Spec::flag).collect()),
        ("With a script", script_specs().iter().map(Spec::flag).collect()),
        ("With virtual machines", vm::check::SPECS.iter().map(Spec::flag).collect()),
    ]
}

fn script_specs() -> Vec<Spec<script::Flags>> {
    let mut specs = script::common();
    // Nothing is written, so these flags would have no effect.
    specs.retain(|it| !["output-directory", "verbose", "cache"].contains(&it.long));
    specs.extend([script::input_directory(), script::validate(), script::schema()]);
    specs
}

fn refuse_output(flags: &Flags) -> Result<(), UsageError> {
    let CrdFlags { group, version, kind, plural, drops_null } = &flags.crd;
    let given = [
        !flags.output_files.is_empty(),
        !flags.emptied_directory.is_empty(),
        flags.bulk_out,
        flags.inspects_files,
        flags.inspects_values,
        flags.inspects_schema,
        group.is_some(),
        version.is_some(),
        kind.is_some(),
        plural.is_some(),
        *drops_null,
        flags.version,
    ];
    match REFUSED.iter().zip(given).find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(UsageError {
            message: message!(
                "--{} has no effect with check, which prints and writes nothing",
                plain(flag)
            ),
            help: Some("remove the flag, or the word check".into()),
        }),
    }
}

fn generator(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    script::run(report, Command::Check, arguments, &script_specs(), |flags, extra| {
        flags.is_dry = true;
        let Ok([argument]) = <[String; 1]>::try_from(extra) else {
            return Err(UsageError {
                message: "check takes one script at a time".into(),
                help: Some("templates and virtual machines are checked separately".into()),
            });
        };
        Ok(GeneratorOptions::script(argument))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_tells_what_is_checked() {
        let subject = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            CheckTarget::of(&words)
        };
        assert_eq!(subject("-f config"), CheckTarget::Templates);
        assert_eq!(subject("-f data.js"), CheckTarget::Templates);
        assert_eq!(subject("config/"), CheckTarget::Templates);
        assert_eq!(subject("x.ts -f parameters.json"), CheckTarget::Script);
        assert_eq!(subject("-p a=b x.js"), CheckTarget::Script);
        assert_eq!(subject("--template t.yaml vm.yaml"), CheckTarget::Machines);
    }
}
