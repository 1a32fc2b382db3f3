//! `plumb vm webhook`: validates virtual machines on requests of a cluster.

use std::path::PathBuf;
use std::sync::Arc;

use plumb::{Code, Diagnostic, Sources};
use plumb_source::message;
use plumb_source::message::plain;
use plumb_webhook::{ApiServer, Limits, Options, TemplateSource, TlsFiles};

use super::super::{Command, flags_alone};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, Report};

/// The webhook cannot start.
///
/// The address is invalid or in use, or the templates or the certificate cannot be read; the
/// message says which. The server stopped before it answered a request.
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
    let options = options(flags, report.shows_values())?;
    // The log contains the address.
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
    let listen = flags.listen.ok_or_else(|| UsageError {
        help: Some("add an address and a port, such as --listen 0.0.0.0:8443".into()),
        ..missing("listen")
    })?;
    if !flags.watches_templates {
        let of_api = [("server", &flags.server), ("token", &flags.token), ("ca", &flags.authority)];
        if let Some((name, _)) = of_api.iter().find(|(_, it)| it.is_some()) {
            return Err(UsageError {
                message: message!("--api-{} has no effect without --watch-templates", plain(name)),
                help: Some("add --watch-templates, or remove the flag".into()),
            });
        }
    }
    let templates = match (flags.templates, flags.watches_templates) {
        (Some(_), true) => {
            return Err(
                message!("vm webhook takes --templates or --watch-templates, not both").into()
            );
        }
        (Some(directory), false) => TemplateSource::Directory(directory.into()),
        (None, true) => {
            TemplateSource::Api(api_server(flags.server, flags.token, flags.authority)?)
        }
        (None, false) => return Err(missing("templates, or --watch-templates")),
    };
    Ok(Options {
        listen,
        tls,
        templates,
        machines: flags.machines.map(PathBuf::from),
        shows_values,
        limits: Limits::default(),
        log: Arc::new(|line| report::say(&format!("{line}\n"))),
    })
}

/// Where Kubernetes mounts the files of the service account.
const ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The API server that the flags name, or the one of the pod's cluster.
fn api_server(
    address: Option<String>,
    token: Option<String>,
    authority: Option<String>,
) -> Result<ApiServer, UsageError> {
    let path = |it: String| PathBuf::from(it);
    if let Some(address) = address {
        let address = address.trim_end_matches('/').to_owned();
        let (token, authority) = (token.map(path), authority.map(path));
        return Ok(ApiServer { address, token, authority });
    }
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
    let host = variable("KUBERNETES_SERVICE_HOST");
    let Some((host, port)) = host.zip(variable("KUBERNETES_SERVICE_PORT")) else {
        let text =
            "vm webhook --watch-templates requires --api-server outside a pod of the cluster";
        return Err(message!("{}", plain(text)).into());
    };
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    let of_account = |file: &str| format!("{ACCOUNT}/{file}");
    Ok(ApiServer {
        address: format!("https://{host}:{port}"),
        token: Some(token.unwrap_or_else(|| of_account("token")).into()),
        authority: Some(authority.unwrap_or_else(|| of_account("ca.crt")).into()),
    })
}
