//! What the flags of `plumb vm webhook` mean for the server.

use std::path::PathBuf;
use std::sync::Arc;

use plumb_source::message;
use plumb_source::message::plain;
use plumb_webhook::{ApiServer, Limits, Options, TemplateSource, TlsFiles};

use super::Flags;
use crate::args::UsageError;
use crate::report;

/// The options of the server that flags select.
pub(super) fn options(flags: Flags, shows_values: bool) -> Result<Options, UsageError> {
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
