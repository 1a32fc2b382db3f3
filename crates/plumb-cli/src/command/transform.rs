//! `plumb transform SCRIPT FILE…`: applies a function to every value in files.

use plumb::GeneratorOptions;
use plumb::generator::Destination;

use super::{Command, script};
use crate::args::{Misuse, Spec};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn specs() -> Vec<Spec<script::Flags>> {
    let mut specs = script::common();
    specs.extend([script::module(), script::exec(), script::stdout(), script::overwrite()]);
    specs.extend([script::emit_dependencies(), script::validate(), script::schema()]);
    specs
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    script::run(report, Command::Transform, arguments, &specs(), |flags, mut extra| {
        if extra.is_empty() {
            return Err("transform requires an input script".into());
        }
        let mut options = GeneratorOptions::without_script();
        options.script = Some(script::script(flags, extra.remove(0))?);
        options.files = extra;
        options.destination = match (flags.to_stdout, flags.overwrites) {
            (true, _) => Destination::Stdout,
            (false, true) => Destination::InPlace,
            (false, false) => Destination::Files,
        };
        Ok(options)
    })
}
