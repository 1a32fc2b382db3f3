//! The certificate.

use std::sync::Arc;

use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::TlsFiles;
use crate::error::CertificateError;

/// Reads the certificate and its key. Supports TLS 1.2 and 1.3, HTTP/1.1 and HTTP/2.
pub(crate) fn read(files: &TlsFiles) -> Result<Arc<ServerConfig>, CertificateError> {
    let path = || files.certificate.clone();
    let certificates = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| CertificateError::NotRead { path: path(), error })?;
    if certificates.is_empty() {
        return Err(CertificateError::Missing { path: path() });
    }
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| CertificateError::NotRead { path: files.key.clone(), error })?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(|error| CertificateError::Unusable { path: path(), error })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
