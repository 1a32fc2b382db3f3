//! `plumb schema import`: schemas of others as schemas of data values.

use plumb::{SchemaChoice, Sources};

use super::{Command, help, misuse};
use crate::args::{self, Flag, Misuse, Parsed, Spec, Takes, Topic};
use crate::exit::Exit;
use crate::report::Report;
use crate::world::Machine;

const SPECS: &[Spec<SchemaChoice>] = &[
    Spec {
        long: "name",
        short: None,
        takes: Takes::One("NAME", |choice, value| choice.name = Some(value)),
        topic: Topic::Input,
        help: "Which of several schemas: the kind of a custom resource, or the name of a component of an API",
    },
    Spec {
        long: "version",
        short: None,
        takes: Takes::One("VERSION", |choice, value| choice.version = Some(value)),
        topic: Topic::Input,
        help: "Which version of a custom resource. Default: the one that is stored",
    },
];

pub(super) fn import_flags() -> Vec<Flag> {
    SPECS.iter().map(Spec::flag).collect()
}

pub(super) fn run(report: &Report, mut arguments: Vec<String>) -> Result<Exit, Misuse> {
    let word = arguments.first().cloned().unwrap_or_default();
    match word.as_str() {
        "import" => import(report, arguments.split_off(1)),
        "" | "-h" | "--help" => Ok(help::show(report, Command::Schema)),
        _ => Err(Misuse {
            message: format!("no such command: schema {word}"),
            help: Some("there is schema import; --data-values-schema-inspect exports".to_owned()),
        }),
    }
}

/// Reads all that the flags say, and does nothing.
pub(super) fn understand(mut arguments: Vec<String>) -> Result<(), Misuse> {
    match arguments.first().map(String::as_str) {
        Some("import") => misuse::parse(arguments.split_off(1), SPECS),
        _ => Ok(()),
    }
}

fn import(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::SchemaImport));
    }
    let [path] = extra.as_slice() else {
        let message = match extra.len() {
            0 => "schema import requires a file: a CRD, an OpenAPI document or a JSON Schema",
            _ => "schema import takes one file; a directory stands for all in it",
        };
        let help = "standard input is -, as in: plumb schema import -";
        return Err(Misuse { message: message.to_owned(), help: Some(help.to_owned()) });
    };
    let sources = Sources::new();
    Ok(match plumb::import_schema(&Machine::default(), path, &flags, &sources) {
        Ok(text) => report.print(text.as_bytes()),
        Err(failure) => report.failure(&failure, &sources),
    })
}
