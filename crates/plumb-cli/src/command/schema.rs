//! `plumb schema import`: imports foreign schemas as schemas of data values.

use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::{Options, SchemaChoice, World};
use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) const SPECS: &[Spec<SchemaChoice>] = &[
    Spec {
        long: "name",
        short: None,
        takes: Takes::One("NAME", |choice, value| choice.name = Some(value)),
        topic: Topic::Input,
        help: "The schema to use, if there are several: the kind of a custom resource, or the name of an API component",
    },
    Spec {
        long: "version",
        short: None,
        takes: Takes::One("VERSION", |choice, value| choice.version = Some(value)),
        topic: Topic::Input,
        help: "The version of the custom resource. Default: the storage version",
    },
];

/// Shows the help, or rejects an unknown subcommand.
pub(super) fn run(report: &Report, arguments: &[String]) -> Result<Exit, UsageError> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Schema)),
        word => Err(UsageError {
            message: message!("no such command: schema {}", plain(word)),
            help: Some(
                "use schema docs or schema import; to export a schema, use --data-values-schema-inspect"
                    .into(),
            ),
        }),
    }
}

pub(super) fn import(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::SchemaImport));
    }
    let [path] = extra.as_slice() else {
        let message = match extra.len() {
            0 => "schema import requires a file: a CRD, an OpenAPI document or a JSON Schema",
            _ => "schema import takes one file or directory",
        };
        let help = "use - for standard input: plumb schema import -";
        return Err(UsageError { message: message.into(), help: Some(help.into()) });
    };
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let outcome = plumb::import_schema(&world, &Options::new().path(path), &flags);
    Ok(match outcome.result {
        Ok(text) => report.print(text.as_bytes()),
        Err(failure) => report.failure(&failure, &outcome.sources),
    })
}
