//! The admission webhook: HTTP and TLS around the verdicts of [`plumb_kubevirt::admission`].
//!
//! [`serve`] listens until it is asked to stop. Templates are files, or objects of the cluster that
//! are watched. Files and the certificate are checked for changes regularly. Changed files are read
//! completely, and then replace the old state in one step, so that a request sees either the old or
//! the new state. If changed files cannot be read, or have malformed rules, the old state stays in
//! use. At the start, such files are skipped, logged, counted, and listed by `/readyz?verbose`.
//!
//! No client can crash the server or block others: every phase of a connection has a deadline; the
//! number and the cost of connections, bodies and reviews are limited; and a panic only affects the
//! request that caused it.

#![expect(
    clippy::disallowed_methods,
    reason = "a front end: templates and certificates are files of the machine it runs on"
)]

mod activity;
mod api;
mod bodies;
mod cluster;
mod connection;
mod connections;
mod error;
mod journal;
mod metrics;
mod queue;
mod routes;
mod server;
mod state;
mod tls;
mod watch;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use api::ApiServer;
pub use error::{ApiError, CertificateError, ClusterError};
pub use server::{Running, serve, start};

/// The options of the server.
pub struct Options {
    /// The address, such as `0.0.0.0:9443`, or only a port. With port 0 the system chooses a free
    /// port.
    pub listen: String,
    /// The certificate. If it is `None`, the server uses plain HTTP.
    pub tls: Option<TlsFiles>,
    pub templates: TemplateSource,
    /// The directory with the virtual machines of the cluster. A template cannot be deleted if one
    /// of them depends on it. If it is `None`, every template can be deleted.
    pub machines: Option<PathBuf>,
    /// Whether rejections show values of the virtual machine, as KubeVirt's validator does.
    pub shows_values: bool,
    pub limits: Limits,
    /// Called with each line of the log.
    pub log: Log,
}

/// The source of the templates.
#[derive(Clone, Debug)]
pub enum TemplateSource {
    /// Files in a directory.
    Directory(PathBuf),
    /// Objects of the cluster.
    Api(ApiServer),
}

/// Files in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate, followed by the certificates of its chain.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// A function that is called with each line of the log, without a line break.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Limits for clients, and time limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a body in bytes.
    pub body: usize,
    /// The maximum number of connections in total and of one client. If there are more, the
    /// connection that has been idle longest is closed.
    pub connections: usize,
    pub connections_of_client: usize,
    /// The time limit for each of: the handshake, the first request up to its body, the head of
    /// another request, and a body.
    pub time: Duration,
    /// The time limit for a review whose body has arrived.
    pub review: Duration,
    /// The time limit between two requests.
    pub idle: Duration,
    /// The time limit for requests that arrive or are in progress when the server must stop.
    pub farewell: Duration,
    /// The time between two checks of files for changes.
    pub refresh: Duration,
}

/// Why the server cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The server cannot listen on the address.
    Listen { address: String, error: io::Error },
    /// Templates or virtual machines cannot be read.
    Cluster(ClusterError),
    /// The certificate or its key cannot be used.
    Certificate(CertificateError),
    /// The system cannot create threads.
    Runtime(io::Error),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            connections: 512,
            connections_of_client: 256,
            time: Duration::from_secs(5),
            review: Duration::from_secs(10),
            idle: Duration::from_mins(1),
            farewell: Duration::from_secs(10),
            refresh: Duration::from_secs(1),
        }
    }
}

impl fmt::Display for TemplateSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => path.display().fmt(f),
            Self::Api(server) => f.write_str(&server.address),
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, error } => write!(f, "cannot listen on {address}: {error}"),
            Self::Cluster(error) => error.fmt(f),
            Self::Certificate(error) => error.fmt(f),
            Self::Runtime(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
