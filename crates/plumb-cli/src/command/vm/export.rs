//! `plumb vm export`: rules of templates as admission policies.

use std::sync::Arc;

use plumb::machines::ExportOptions;
use plumb::native::NativeWorld;
use plumb::{MachineOptions, World, export_policies, print};

use plumb_source::message;
use plumb_source::message::plain;

use super::super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

#[derive(Debug, Default)]
pub(in super::super) struct Flags {
    machines: Vec<String>,
    name: Option<String>,
    namespace: Option<String>,
}

pub(in super::super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "check",
        short: None,
        takes: Takes::Each("PATH", |flags, value| flags.machines.push(value)),
        topic: Topic::Input,
        help: "Instead of printing policies, compare their verdicts on these VirtualMachines with those of vm check. Can be repeated",
    },
    Spec {
        long: "name",
        short: None,
        takes: Takes::One("PREFIX", |flags, value| flags.name = Some(value)),
        topic: Topic::Output,
        help: "The names of policies start with this (default: plumb-vm)",
    },
    Spec {
        long: "namespace",
        short: None,
        takes: Takes::One("NAME", |flags, value| flags.namespace = Some(value)),
        topic: Topic::Output,
        help: "The namespace of ConfigMaps with limits and names of templates (default: kubevirt)",
    },
];

/// The maximum length of a namespace, and of the prefix of a policy's name.
const MAX_LABEL: usize = 63;
const MAX_PREFIX: usize = 40;

pub(in super::super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::VmExport));
    }
    if extra.is_empty() {
        let message = "vm export requires a file or directory with templates".into();
        let help = "name it without a flag: plumb vm export templates/".into();
        return Err(UsageError { message, help: Some(help) });
    }
    let how = ExportOptions {
        prefix: named("name", flags.name, "plumb-vm", MAX_PREFIX)?,
        namespace: named("namespace", flags.namespace, "kubevirt", MAX_LABEL)?,
    };
    let is_comparison = !flags.machines.is_empty();
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let mut options = MachineOptions::new();
    options.templates = extra;
    options.files = flags.machines;
    let outcome = export_policies(&world, &options, &how);
    let sources = &outcome.sources;
    let export = match outcome.result {
        Ok(export) => export,
        Err(failure) => return Ok(report.failure(&failure, sources)),
    };
    let is_refused = report.denies_warnings() && !export.diagnostics.is_empty();
    report.findings(&export.diagnostics, sources);
    if !export.is_ok() || is_refused {
        if is_comparison {
            report.summary(&export.comparison.to_string());
        }
        return Ok(Exit::Findings);
    }
    if is_comparison {
        return Ok(report.summary(&export.comparison.to_string()));
    }
    Ok(report.print(&print::yaml(&export.documents)))
}

/// A name that Kubernetes accepts, given by a flag or by default.
fn named(
    flag: &'static str,
    given: Option<String>,
    default: &str,
    max_length: usize,
) -> Result<String, UsageError> {
    let name = given.unwrap_or_else(|| default.to_owned());
    let is_part = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    let is_name = name.bytes().all(is_part)
        && name.starts_with(|it: char| it.is_ascii_lowercase())
        && !name.ends_with('-');
    if is_name && name.len() <= max_length {
        return Ok(name);
    }
    let message = message!("--{flag} is not a valid name in Kubernetes: {}", plain(&name));
    let help = message!(
        "use up to {max_length} lower-case letters, digits and hyphens, and start with a letter"
    );
    Err(UsageError { message, help: Some(help) })
}
