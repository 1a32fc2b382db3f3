//! `plumb check`: all that making the configuration does, and nothing written.

use std::path::{Path, PathBuf};

use plumb::Sources;
use plumb_generate::{Action, Destination, Script};
use plumb_kubevirt::inspect;

use super::template_flags::{self, Flags};
use super::vm::{self, Reader};
use super::{Command, help, script, template};
use crate::args::{self, Misuse, Parsed, Spec};
use crate::exit::Exit;
use crate::report::Report;

/// Endings of the names of scripts.
const SCRIPTS: [&str; 4] = ["js", "mjs", "ts", "mts"];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    match Subject::of(&arguments) {
        Subject::Templates => templates(report, arguments),
        Subject::Script => generator(report, arguments),
        Subject::Machines => vm::check::run(report, arguments),
    }
}

/// What is checked, told by how it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Templates,
    Script,
    Machines,
}

impl Subject {
    fn of(arguments: &[String]) -> Self {
        // Scripts have a flag -f too: behind the script, it is theirs.
        let is_template_flag = |it: &&String| it.starts_with("-f") || it.starts_with("--file");
        let is_machine_flag = |it: &&String| it.starts_with("--template");
        let named = arguments.iter().find(|it| {
            is_template_flag(it) || is_machine_flag(it) || !it.starts_with('-') && is_told(it)
        });
        match named {
            Some(script) if is_script(script) => Self::Script,
            Some(flag) if is_template_flag(&flag) => Self::Templates,
            Some(_) => Self::Machines,
            None => Self::Templates,
        }
    }
}

/// Whether the path alone tells what is checked.
fn is_told(path: &str) -> bool {
    is_script(path) || holds_machines(path)
}

fn is_script(path: &str) -> bool {
    let extension = Path::new(path).extension();
    !path.starts_with('-') && extension.is_some_and(|it| SCRIPTS.iter().any(|script| it == *script))
}

/// Whether a file holds machines, or templates of machines.
fn holds_machines(path: &str) -> bool {
    let is_yaml =
        Path::new(path).extension().is_some_and(|it| vm::EXTENSIONS.iter().any(|yaml| it == *yaml));
    if !is_yaml {
        return false;
    }
    let sources = Sources::new();
    let files = Reader::new(&sources).read(&[path.to_owned()]);
    inspect::holds_machines(&sources, &files)
}

fn templates(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    let Parsed { mut flags, wants_help, extra } = args::parse(arguments, template_flags::SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::Check));
    }
    flags.files.extend(extra);
    if flags.files.is_empty() && flags.bulk_in.is_empty() {
        return Err(Misuse {
            message: "check requires something to check".to_owned(),
            help: Some(
                "name templates, a script or machines: plumb check -f config/, plumb check x.js, \
                 plumb check vm.yaml"
                    .to_owned(),
            ),
        });
    }
    refuse_output(&flags)?;
    template::check(report, flags)
}

/// Flags that say where output goes have no meaning here.
fn refuse_output(flags: &Flags) -> Result<(), Misuse> {
    let given = [
        ("output-files", !flags.output_files.is_empty()),
        ("dangerous-emptied-output-directory", !flags.emptied_directory.is_empty()),
        ("bulk-out", flags.bulk_out),
        ("files-inspect", flags.inspects_files),
        ("data-values-inspect", flags.inspects_values),
        ("data-values-schema-inspect", flags.inspects_schema),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Misuse {
            message: format!("check writes and shows no output: it takes no --{flag}"),
            help: Some("leave the flag out, or the word check".to_owned()),
        }),
    }
}

fn generator(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    let mut specs: Vec<Spec<script::Flags>> = script::common();
    specs.extend([script::input_directory(), script::validate(), script::schema()]);
    script::run(report, Command::Check, arguments, &specs, |flags, extra| {
        flags.is_dry = true;
        let Ok([argument]) = <[String; 1]>::try_from(extra) else {
            return Err(Misuse {
                message: "check takes one script at a time".to_owned(),
                help: Some("templates and machines are checked by themselves".to_owned()),
            });
        };
        Ok(Action::Generate {
            script: Script::File(PathBuf::from(argument)),
            to: Destination::Files,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_tells_what_is_checked() {
        let subject = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            Subject::of(&words)
        };
        assert_eq!(subject("-f config"), Subject::Templates);
        assert_eq!(subject("-f data.js"), Subject::Templates);
        assert_eq!(subject("config/"), Subject::Templates);
        assert_eq!(subject("x.ts -f parameters.json"), Subject::Script);
        assert_eq!(subject("-p a=b x.js"), Subject::Script);
        assert_eq!(subject("--template t.yaml vm.yaml"), Subject::Machines);
    }
}
