//! `plumb vm webhook`: validates virtual machines on requests of a cluster, if the program contains the server.

#[cfg(feature = "webhook")]
mod serving;

use plumb::{Code, Diagnostic, Sources};
use plumb_source::Message;

use super::super::{Command, flags_alone};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

/// The webhook cannot start.
///
/// The address is invalid or in use, or the templates or the certificate cannot be read; the
/// message says which. The server stopped before it answered a request. Or the program was built
/// without the webhook.
pub(crate) const NOT_SERVED: Code = Code::new("webhook/not-served");

#[derive(Debug, Default)]
pub(in super::super) struct Flags {
    listen: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
    templates: Option<String>,
    watches_templates: bool,
    server: Option<String>,
    token: Option<String>,
    authority: Option<String>,
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
        long: "watch-templates",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.watches_templates),
        topic: Topic::Input,
        help: "Instead of --templates: read the templates from the API server, and watch them for changes",
    },
    Spec {
        long: "api-server",
        short: None,
        takes: Takes::One("URL", |flags, value| flags.server = Some(value)),
        topic: Topic::Input,
        help: "The API server for --watch-templates, such as http://127.0.0.1:8001 of `kubectl proxy`; default: the server of the pod's cluster",
    },
    Spec {
        long: "api-token",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.token = Some(value)),
        topic: Topic::Input,
        help: "The file with the token for --api-server; default: the token of the service account",
    },
    Spec {
        long: "api-ca",
        short: None,
        takes: Takes::One("PATH", |flags, value| flags.authority = Some(value)),
        topic: Topic::Input,
        help: "The certificates, in PEM format, with which --api-server is verified; default: those of the service account",
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
    Ok(match serve(flags, report.shows_values())? {
        Ok(()) => Exit::Fine,
        Err(message) => {
            report.failure(&Diagnostic::error(NOT_SERVED, message).into(), &Sources::new())
        }
    })
}

#[cfg(feature = "webhook")]
fn serve(flags: Flags, shows_values: bool) -> Result<Result<(), Message>, UsageError> {
    let options = serving::options(flags, shows_values)?;
    // The log contains the address.
    let served = plumb_webhook::serve(options, |_| {});
    Ok(served.map_err(|it| plumb_source::message::plain(it).into()))
}

#[cfg(not(feature = "webhook"))]
fn serve(_: Flags, _: bool) -> Result<Result<(), Message>, UsageError> {
    Ok(Err("this program was built without the webhook: build it with the feature `webhook`, \
            which is on by default"
        .into()))
}
