//! Files from the network, when their bytes are asked for.

use std::sync::Arc;
use std::time::Duration;

use plumb::world::{Fault, WorldError};

/// How long a server may take to answer at all; how long it takes to send is its own affair.
const PATIENCE: Duration = Duration::from_secs(30);

/// The body of a GET, of at most so many bytes. Redirects are followed; anything but success is an
/// error.
pub(crate) fn get(url: &str, max_size: u64) -> Result<Arc<[u8]>, WorldError> {
    let tls =
        ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build();
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .user_agent(concat!("plumb/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .build();
    let requesting = |words: String| failed("Requesting", url, &words);
    let response = ureq::Agent::new_with_config(config).get(url).call();
    let mut response = response.map_err(|error| requesting(error.to_string()))?;
    let status = response.status();
    if !status.is_success() {
        return Err(requesting(status.to_string()));
    }
    let body = response.body_mut().with_config().limit(max_size).read_to_vec();
    Ok(body.map_err(|error| failed("Reading", url, &error.to_string()))?.into())
}

fn failed(doing: &str, url: &str, words: &str) -> WorldError {
    WorldError::new("", "", Fault::Other(format!("{doing} URL '{url}': {words}")))
}
