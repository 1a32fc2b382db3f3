//! `plumb generate SCRIPT`: writes the files that a script describes, if all are valid.

use plumb::GeneratorOptions;
use plumb::generator::Destination;

use super::{Command, script};
use crate::args::{Spec, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn specs() -> Vec<Spec<script::Flags>> {
    plumb_flags::script::generate()
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    script::run(report, Command::Generate, arguments, &specs(), |flags, extra| {
        let Ok([argument]) = <[String; 1]>::try_from(extra) else {
            return Err(UsageError {
                message: "generate requires an input script".into(),
                help: Some("name one script: plumb generate config.js".into()),
            });
        };
        let mut options = GeneratorOptions::script(argument);
        options.destination =
            if flags.to_stdout { Destination::Stdout } else { Destination::Files };
        Ok(options)
    })
}
