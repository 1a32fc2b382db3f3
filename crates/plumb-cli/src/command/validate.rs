//! `plumb validate SCRIPT FILE…`: validates every value in files.

use plumb::GeneratorOptions;
use plumb::generator::Script;

use super::{Command, script};
use crate::args::{Spec, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn specs() -> Vec<Spec<script::Flags>> {
    let mut specs = script::common();
    specs.extend([script::module(), script::exec(), script::emit_dependencies()]);
    specs.extend([script::validate(), script::schema()]);
    specs
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    script::run(report, Command::Validate, arguments, &specs(), |flags, mut extra| {
        let has_validators = flags.schema.is_some() || !flags.validators.is_empty();
        let first = extra.first().cloned();
        let script = first.map(|it| script::script(flags, it)).transpose()?;
        // With other validators, the first argument is a script only if it looks like one.
        let script = script.filter(|it| !has_validators || is_code(it));
        if script.is_some() {
            extra.remove(0);
        }
        if extra.is_empty() || (script.is_none() && !has_validators) {
            return Err("validate requires a script and at least one file".into());
        }
        let mut options = GeneratorOptions::without_script();
        options.script = script;
        options.files = extra;
        Ok(options)
    })
}

fn is_code(script: &Script) -> bool {
    match script {
        Script::File(path) => {
            path.extension().is_some_and(|it| ["js", "mjs", "ts", "mts"].iter().any(|js| it == *js))
        }
        Script::Module(_) | Script::Text(_) | Script::Stdin => true,
    }
}
