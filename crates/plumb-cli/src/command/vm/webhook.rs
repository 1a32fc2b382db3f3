//! `plumb vm webhook`: validates virtual machines when a cluster asks.

use std::path::PathBuf;
use std::sync::Arc;

use plumb::{Code, Diagnostic, Sources};
use plumb_source::message;
use plumb_source::message::plain;
use plumb_webhook::{Limits, Options, TlsFiles};

use super::super::{Command, flags_alone};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, Report};

/// The webhook cannot start.
///
/// The address is invalid or in use, or the templates or the certificate cannot be read; the message
/// says which. No request has been answered yet.
pub(crate) const NOT_SERVED: Code = Code::new("webhook/not-served");

#[derive(Debug, Default)]
pub(in super::super) struct Flags {
    listen: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
    templates: Option<String>,
    machines: Option<String>,
}

pub(in super::super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "listen",
        short: None,
        takes: Takes::One("ADDRESS", |flags, value| flags.listen = Some(value)),
        topic: Topic::Other,
        help: "The address and port to listen on, such as 0.0.0.0:9443, or just a port",
    },
    Spec {
        long: "tls-cert",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.certificate = Some(value)),
        topic: Topic::Input,
        help: "The TLS certificate in PEM format; reloaded when it changes. Without it, the webhook serves plain HTTP",
    },
    Spec {
        long: "tls-key",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.key = Some(value)),
        topic: Topic::Input,
        help: "The key of the certificate in PEM format",
    },
    Spec {
        long: "templates",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.templates = Some(value)),
        topic: Topic::Input,
        help: "The directory with the templates of VirtualMachines; reloaded when it changes",
    },
    Spec {
        long: "machines",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.machines = Some(value)),
        topic: Topic::Input,
        help: "A directory with the VirtualMachines of the cluster: a template that one of them refers to cannot be deleted",
    },
];

pub(in super::super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let flags = match flags_alone(report, Command::VmWebhook, arguments, SPECS)? {
        Ok(flags) => flags,
        Err(exit) => return Ok(exit),
    };
    let options = options(flags, report.shows_values())?;
    // The address is in the log.
    let served = plumb_webhook::serve(options, |_| {});
    Ok(match served {
        Ok(()) => Exit::Fine,
        Err(error) => {
            let finding = Diagnostic::error(NOT_SERVED, plain(error));
            report.failure(&finding.into(), &Sources::new())
        }
    })
}

fn options(flags: Flags, shows_values: bool) -> Result<Options, UsageError> {
    let missing = |flag: &'static str| UsageError::from(message!("vm webhook requires --{flag}"));
    let tls = match (flags.certificate, flags.key) {
        (Some(certificate), Some(key)) => {
            Some(TlsFiles { certificate: certificate.into(), key: key.into() })
        }
        (None, None) => None,
        (Some(_), None) => return Err(missing("tls-key")),
        (None, Some(_)) => return Err(missing("tls-cert")),
    };
    Ok(Options {
        listen: flags.listen.ok_or_else(|| missing("listen"))?,
        tls,
        templates: flags.templates.ok_or_else(|| missing("templates"))?.into(),
        machines: flags.machines.map(PathBuf::from),
        shows_values,
        limits: Limits::default(),
        log: Arc::new(|line| report::say(&format!("{line}\n"))),
    })
}
