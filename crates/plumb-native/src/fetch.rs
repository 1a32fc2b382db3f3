//! Downloads files from the network when their bytes are needed.

use std::fmt;
use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use plumb_source::{WorldError, WorldErrorKind};

/// The maximum time until a server answers. Receiving the body may take longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the body of a GET request, of at most `max_size` bytes. Redirects are followed. Any
/// status other than success is an error. A body that the server compressed with gzip is
/// decompressed, although Plumb does not request compression: ytt does so too, and users expect the
/// same file.
pub(crate) fn get(url: &str, max_size: u64) -> Result<Arc<[u8]>, WorldError> {
    let tls = ureq::tls::TlsConfig::builder()
        .root_certs(ureq::tls::RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .user_agent(concat!("plumb/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .build();
    let requesting = |why: String| failed(url, false, why);
    let response = ureq::Agent::new_with_config(config).get(url).call();
    let mut response = response.map_err(|error| requesting(error.to_string()))?;
    let status = response.status();
    if !status.is_success() {
        return Err(requesting(status.to_string()));
    }
    let encoding = response.headers().get("content-encoding");
    let is_gzip = encoding.is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"gzip"));
    let reading = |why: String| failed(url, true, why);
    let body = response.body_mut().with_config().limit(max_size).read_to_vec();
    let body = body.map_err(|error| reading(error.to_string()))?;
    if is_gzip && !body.is_empty() {
        return decompressed(&body, max_size).map_err(|error| reading(error.to_string()));
    }
    Ok(body.into())
}

/// Why a body cannot be decompressed.
#[derive(Debug)]
enum DecompressError {
    Gzip(io::Error),
    /// It is larger than this many bytes.
    TooLarge(u64),
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gzip(error) => match error.kind() {
                io::ErrorKind::UnexpectedEof => f.write_str("unexpected EOF"),
                io::ErrorKind::InvalidInput => f.write_str("gzip: invalid header"),
                _ => write!(f, "gzip: {error}"),
            },
            Self::TooLarge(max_size) => {
                write!(f, "the decompressed body is larger than {max_size} bytes")
            }
        }
    }
}

/// Decompresses a body to at most `max_size` bytes.
fn decompressed(body: &[u8], max_size: u64) -> Result<Arc<[u8]>, DecompressError> {
    let mut bytes = Vec::new();
    let mut limited = MultiGzDecoder::new(body).take(max_size.saturating_add(1));
    limited.read_to_end(&mut bytes).map_err(DecompressError::Gzip)?;
    if u64::try_from(bytes.len()).is_ok_and(|it| it > max_size) {
        return Err(DecompressError::TooLarge(max_size));
    }
    Ok(bytes.into())
}

fn failed(url: &str, is_answered: bool, why: String) -> WorldError {
    WorldError::new("", url, WorldErrorKind::Network { is_answered, why })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("writing to memory does not fail");
        encoder.finish().expect("writing to memory does not fail")
    }

    #[test]
    fn parts_that_follow_each_other_are_one_body() {
        let body = [compressed(b"a: 1\n"), compressed(b"b: 2\n")].concat();
        let whole = decompressed(&body, 10).expect("right parts");
        assert_eq!(&*whole, b"a: 1\nb: 2\n");
    }

    #[test]
    fn a_body_that_is_too_large_or_cut_off_is_refused() {
        let body = compressed(&[b'x'; 1000]);
        assert_eq!(
            decompressed(&body, 999).expect_err("it is too large").to_string(),
            "the decompressed body is larger than 999 bytes"
        );
        let cut = &body[..body.len() - 6];
        assert_eq!(
            decompressed(cut, 1000).expect_err("it is cut off").to_string(),
            "unexpected EOF"
        );
    }
}
