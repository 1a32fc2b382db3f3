//! `plumb run SCRIPT`: evaluates a module for its side effects.

use plumb::GeneratorOptions;
use plumb::generator::Script;

use super::{Command, script};
use crate::args::{Spec, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn specs() -> Vec<Spec<script::Flags>> {
    let mut specs = script::common();
    specs.extend([script::input_directory(), script::module(), script::exec()]);
    specs.push(script::emit_dependencies());
    specs
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    script::run(report, Command::Run, arguments, &specs(), |flags, extra| {
        let Ok([argument]) = <[String; 1]>::try_from(extra) else {
            return Err(UsageError {
                message: "run requires an input script".into(),
                help: Some("name one script: plumb run task.js".into()),
            });
        };
        let mut options = GeneratorOptions::without_script();
        options.script = Some(match script::script(flags, argument)? {
            Script::File(path) if path.as_os_str() == "-" => Script::Stdin,
            script => script,
        });
        Ok(options)
    })
}
