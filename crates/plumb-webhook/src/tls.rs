//! The certificate.

use std::sync::Arc;

use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::TlsFiles;

/// Reads the certificate and its key. Supports TLS 1.2 and 1.3, HTTP/1.1 and HTTP/2.
pub(crate) fn read(files: &TlsFiles) -> Result<Arc<ServerConfig>, String> {
    let problem = |path: &std::path::Path, error: &dyn std::fmt::Display| {
        format!("cannot use {}: {error}", path.display())
    };
    let certificates = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| problem(&files.certificate, &error))?;
    if certificates.is_empty() {
        return Err(problem(&files.certificate, &"it contains no certificate"));
    }
    let key =
        PrivateKeyDer::from_pem_file(&files.key).map_err(|error| problem(&files.key, &error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(|error| problem(&files.certificate, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
