//! `plumb vm check`: validates virtual machines and templates against their rules.

use plumb_source::message;
use plumb_source::message::plain;

use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::{MachineOptions, World, check_machines};

use super::super::{Command, help};
use super::json;
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

#[derive(Debug, Default)]
pub(in super::super) struct Flags {
    templates: Vec<String>,
    output: Option<String>,
}

pub(in super::super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "template",
        short: None,
        takes: Takes::Each("PATH", |flags, value| flags.templates.push(value)),
        topic: Topic::Input,
        help: "A template that VirtualMachines refer to. If there is only one, it also applies to VirtualMachines that do not name a template. Can be repeated",
    },
    Spec {
        long: "output",
        short: Some('o'),
        takes: Takes::OneOf("FORMAT", &["text", "json"], |flags, value| flags.output = Some(value)),
        topic: Topic::Output,
        help: "Print findings as text or json",
    },
];

/// The help for users who name files with a flag, as for templates.
const NAMING: &str = "name files without a flag: plumb vm check vm.yaml";

pub(in super::super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let names_file = arguments.iter().any(|it| it == "-f" || it == "--file");
    let Parsed { flags, wants_help, extra } =
        args::parse(arguments, SPECS).map_err(|usage_error| match usage_error.help {
            None if names_file => UsageError { help: Some(NAMING.into()), ..usage_error },
            _ => usage_error,
        })?;
    if wants_help {
        return Ok(help::show(report, Command::VmCheck));
    }
    let is_json = match flags.output.as_deref() {
        None | Some("text") => false,
        Some("json") => true,
        Some(other) => {
            return Err(message!(
                "unknown output format {}: text or json",
                plain(format_args!("{other:?}"))
            )
            .into());
        }
    };
    if flags.templates.is_empty() && extra.is_empty() {
        let message = "vm check requires a file with VirtualMachines, or a --template".into();
        return Err(UsageError { message, help: Some(NAMING.into()) });
    }
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let mut options = MachineOptions::new();
    options.templates = flags.templates;
    options.files = extra;
    let outcome = check_machines(&world, &options);
    let sources = &outcome.sources;
    let mut inspection = match outcome.result {
        Ok(inspection) => inspection,
        Err(failure) => return Ok(report.failure(&failure, sources)),
    };
    if report.denies_warnings() {
        inspection.deny_warnings();
    }
    let printed = if is_json {
        let text = json::text(&inspection, sources, report.shows_values());
        report.print(text.as_bytes())
    } else {
        report.findings(&inspection.diagnostics, sources);
        report.summary(&inspection.summary.to_string())
    };
    Ok(if inspection.is_ok() { printed } else { Exit::Findings })
}
