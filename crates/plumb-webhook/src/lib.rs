//! The admission webhook: HTTP and TLS around the verdicts of [`plumb_kubevirt::admission`].
//!
//! [`serve`] listens until it is told to stop. Templates, machines and the certificate are looked
//! at again and again; what changed is read as a whole and put in place at once, so that a request
//! sees either all of the old or all of the new. What cannot be read, or has faulty rules, changes
//! nothing.
//!
//! No client brings the server down or keeps others out: every phase of a connection has a deadline,
//! connections, bodies, reviews and what they may cost are limited, and a panic is an error of the one
//! request that met it.

#![expect(
    clippy::disallowed_methods,
    reason = "a front end: templates and certificates are files of the machine it runs on"
)]

mod activity;
mod bodies;
mod cluster;
mod connection;
mod connections;
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

pub use server::{Running, serve, start};

/// What to serve, and where.
pub struct Options {
    /// The address, such as `0.0.0.0:9443`, or a port alone; port 0 takes any that is free.
    pub listen: String,
    /// Without, the server speaks plain HTTP.
    pub tls: Option<TlsFiles>,
    /// The directory with templates.
    pub templates: PathBuf,
    /// The directory with the machines of the cluster, on which it depends whether a template may
    /// be deleted. Without, every template may.
    pub machines: Option<PathBuf>,
    /// Whether denials show values of the machine, in the words of KubeVirt's validator.
    pub shows_values: bool,
    pub limits: Limits,
    /// What to do with a line of the log.
    pub log: Log,
}

/// Files in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate, and those that it hangs on.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How much anyone may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a body.
    pub body: usize,
    /// Connections at a time, and those of one client. For another, the one that has been idle
    /// longest is closed.
    pub connections: usize,
    pub connections_of_client: usize,
    /// For each of a handshake, the first request up to its body, the head of another one, and a
    /// body.
    pub time: Duration,
    /// For a review whose body has arrived.
    pub review: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// For requests that arrive or are under way when the server is told to stop.
    pub farewell: Duration,
    /// Between two looks at files.
    pub refresh: Duration,
}

/// Why there is no server.
#[derive(Debug)]
pub enum StartError {
    /// The address cannot be listened on.
    Listen { address: String, error: io::Error },
    /// Templates or machines cannot be read.
    Cluster(String),
    /// The certificate or its key cannot be used.
    Certificate(String),
    /// The system gives no threads.
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

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, error } => write!(f, "cannot listen on {address}: {error}"),
            Self::Cluster(message) | Self::Certificate(message) => f.write_str(message),
            Self::Runtime(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
