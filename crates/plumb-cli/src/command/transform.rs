//! `plumb transform SCRIPT FILE…`: applies a function to every value in files.

use plumb::GeneratorOptions;
use plumb::generator::Destination;

use super::{Command, script};
use crate::Name;
use crate::args::{Spec, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn specs() -> Vec<Spec<script::Flags>> {
    let mut specs = script::common();
    specs.extend([script::module(), script::exec(), script::stdout(), script::overwrite()]);
    specs.extend([script::emit_dependencies(), script::validate(), script::schema()]);
    specs
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    script::run(report, Command::Transform, arguments, &specs(), |flags, mut extra| {
        if extra.is_empty() {
            return Err(UsageError {
                message: "transform requires an input script".into(),
                help: Some(
                    "name the script and the files: plumb transform change.js values.yaml".into(),
                ),
            });
        }
        let mut options = GeneratorOptions::without_script();
        options.script = Some(script::script(flags, extra.remove(0))?);
        if report.name() == Name::Plumb && extra.is_empty() {
            return Err("transform requires a script and at least one file".into());
        }
        let reads_stdin = report.name() == Name::Plumb && extra.iter().any(|it| it == "-");
        options.files = extra;
        options.destination = match (flags.to_stdout, flags.overwrites) {
            (true, _) => Destination::Stdout,
            (false, true) => Destination::InPlace,
            (false, false) => Destination::Files,
        };
        if reads_stdin && options.destination != Destination::Stdout {
            let message =
                "transform writes the values of standard input to standard output: add --stdout";
            return Err(message.into());
        }
        Ok(options)
    })
}
