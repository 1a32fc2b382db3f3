//! Errors of the templates and the certificate.

use std::fmt;
use std::io;
use std::path::PathBuf;

use plumb_source::{Message, WorldError, lexical};
use plumb_yaml::json::SyntaxError;
use tokio_rustls::rustls::{self, pki_types::pem};

/// Why the templates and virtual machines of a cluster cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// A directory cannot be listed.
    NotListed { directory: PathBuf, error: io::Error },
    /// A file cannot be read.
    NotRead { path: PathBuf, error: WorldError },
    /// A link cannot be followed.
    NotFollowed { path: PathBuf, error: WorldError },
    /// A link leads out of its directory.
    LeadsOut { path: PathBuf },
    /// A file is not YAML.
    Syntax { path: PathBuf, message: Message },
    /// The API server cannot be asked for templates.
    Api(ApiError),
    /// Changes of a kind no longer arrive, or the kind cannot be listed. The known objects stay in
    /// use.
    NotWatched { kind: &'static str, why: String },
    /// Rules of templates are not valid, while those in use are. Contains the findings, which are
    /// never empty.
    NewFaults(Vec<String>),
}

/// Why the API server did not answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum ApiError {
    /// The certificates of the server's authority cannot be used.
    Authority { path: PathBuf, why: String },
    /// The token cannot be read.
    Token { path: PathBuf, error: io::Error },
    /// The server cannot be reached, or the connection was lost.
    Request(String),
    /// The server rejected the request with this status.
    Status(u16),
    /// The answer is not JSON.
    Syntax(SyntaxError),
    /// The server no longer has the changes since the given version.
    Expired,
    /// No thread could be started.
    Thread(io::Error),
}

/// Why the certificate cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file is not readable, or not in PEM format.
    NotRead { path: PathBuf, error: pem::Error },
    /// A file contains no certificate.
    Missing { path: PathBuf },
    /// The certificate and the key do not match, or one of them is not supported.
    Unusable { path: PathBuf, error: rustls::Error },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotListed { directory, error } => {
                write!(f, "cannot list {}: {error}", lexical::shown(directory))
            }
            Self::NotRead { path, error } => {
                write!(f, "cannot read {}: {}", lexical::shown(path), error.kind)
            }
            Self::NotFollowed { path, error } => {
                write!(f, "cannot read {}: {}", lexical::shown(path), error.words())
            }
            Self::LeadsOut { path } => {
                write!(
                    f,
                    "cannot read {}: the link leads out of its directory",
                    lexical::shown(path)
                )
            }
            Self::Syntax { path, message } => {
                write!(f, "cannot read {}: {}", lexical::shown(path), message.masked())
            }
            Self::Api(error) => write!(f, "cannot read templates from the API server: {error}"),
            Self::NotWatched { kind, why } => {
                write!(f, "cannot watch {kind} objects, known ones are used: {why}")
            }
            Self::NewFaults(findings) => match &**findings {
                [] => f.write_str("rules of templates are not valid"),
                [first] => f.write_str(first),
                [first, more @ ..] => write!(f, "{first} (and {} more)", more.len()),
            },
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority { path, why } => {
                write!(f, "cannot use {}: {why}", lexical::shown(path))
            }
            Self::Token { path, error } => {
                write!(f, "cannot read {}: {error}", lexical::shown(path))
            }
            Self::Request(why) => f.write_str(why),
            Self::Status(status @ (401 | 403)) => {
                write!(
                    f,
                    "status {status}: the service account must be allowed to list and watch them"
                )
            }
            Self::Status(status) => write!(f, "status {status}"),
            Self::Syntax(error) => {
                write!(f, "the answer is not JSON: {}", error.words().masked())
            }
            Self::Expired => f.write_str("the server no longer has these changes"),
            Self::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead { path, error } => {
                write!(f, "cannot use {}: {error}", lexical::shown(path))
            }
            Self::Missing { path } => {
                write!(f, "cannot use {}: it contains no certificate", lexical::shown(path))
            }
            Self::Unusable { path, error } => {
                write!(f, "cannot use {}: {error}", lexical::shown(path))
            }
        }
    }
}

impl std::error::Error for ApiError {}

impl std::error::Error for ClusterError {}

impl std::error::Error for CertificateError {}
