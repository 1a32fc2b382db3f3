//! Requests to the API server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use super::ApiServer;
use super::page::{Event, Page};
use crate::api::TemplateKind;
use crate::error::ApiError;

/// The number of objects in one page of a list.
const PAGE: usize = 200;

/// The largest size of a page or of one event, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// The time limit until an answer begins, and for a whole list.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long the server sends changes before a new request is needed.
const WATCH: Duration = Duration::from_mins(4);

pub(crate) struct Client {
    agent: Agent,
    server: ApiServer,
}

/// The changes of a kind, as the server sends them.
pub(crate) struct Events {
    lines: BufReader<Box<dyn Read + Send>>,
    kind: TemplateKind,
}

impl Client {
    pub(crate) fn new(server: &ApiServer) -> Result<Self, ApiError> {
        let roots = match &server.authority {
            None => RootCerts::PlatformVerifier,
            Some(path) => {
                let unusable = |why: String| ApiError::Authority { path: path.clone(), why };
                let text = fs::read(path).map_err(|error| unusable(error.to_string()))?;
                let mut certificates = Vec::new();
                for item in parse_pem(&text) {
                    let item = item.map_err(|error| unusable(error.to_string()))?;
                    if let PemItem::Certificate(certificate) = item {
                        certificates.push(certificate);
                    }
                }
                if certificates.is_empty() {
                    return Err(unusable("it contains no certificate".to_owned()));
                }
                RootCerts::new_with_certs(&certificates)
            }
        };
        let tls = TlsConfig::builder()
            .root_certs(roots)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .user_agent(concat!("plumb/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls);
        Ok(Self { agent: config.build().into(), server: server.clone() })
    }

    /// Lists all objects of a kind. Returns `None` if the server does not have the kind.
    pub(crate) fn list(&self, kind: TemplateKind) -> Result<Option<Page>, ApiError> {
        let mut all = Page::default();
        loop {
            let path = format!("{}?limit={PAGE}&continue={}", kind.path(), all.next);
            let Some(mut body) = self.get(&path, PATIENCE)? else { return Ok(None) };
            let body = body.with_config().limit(MAX_SIZE).read_to_vec();
            let body = body.map_err(|error| ApiError::Request(error.to_string()))?;
            let page = Page::read(&body, kind)?;
            all.items.extend(page.items);
            all.version = page.version;
            if page.next.is_empty() {
                return Ok(Some(all));
            }
            all.next = page.next;
        }
    }

    /// Asks for the changes since a version.
    pub(crate) fn watch(&self, kind: TemplateKind, version: &str) -> Result<Events, ApiError> {
        let seconds = WATCH.as_secs();
        let path = format!(
            "{}?watch=true&allowWatchBookmarks=true&timeoutSeconds={seconds}&resourceVersion={version}",
            kind.path()
        );
        let body = self.get(&path, WATCH + PATIENCE)?.ok_or(ApiError::Expired)?;
        let reader: Box<dyn Read + Send> = Box::new(body.into_reader());
        Ok(Events { lines: BufReader::new(reader), kind })
    }

    /// Returns the body of the answer, or `None` if there is nothing at the path.
    fn get(&self, path: &str, within: Duration) -> Result<Option<ureq::Body>, ApiError> {
        let request = self.agent.get(format!("{}{path}", self.server.address));
        let mut request = request.config().timeout_global(Some(within)).build();
        let is_private = self.server.address.starts_with("https://");
        if let Some(path) = self.server.token.as_ref().filter(|_| is_private) {
            let token = fs::read_to_string(path);
            let token = token.map_err(|error| ApiError::Token { path: path.clone(), error })?;
            request = request.header("Authorization", format!("Bearer {}", token.trim()));
        }
        let response = request.header("Accept", "application/json").call();
        let response = response.map_err(|error| ApiError::Request(error.to_string()))?;
        match response.status().as_u16() {
            200 => Ok(Some(response.into_body())),
            404 => Ok(None),
            410 => Err(ApiError::Expired),
            status => Err(ApiError::Status(status)),
        }
    }
}

impl Events {
    /// The next change, or `None` if the server has ended the answer.
    pub(crate) fn next(&mut self) -> Result<Option<Event>, ApiError> {
        let mut line = Vec::new();
        let read = self.lines.by_ref().take(MAX_SIZE).read_until(b'\n', &mut line);
        read.map_err(|error| ApiError::Request(error.to_string()))?;
        // The server may end the answer in the middle of a line. It sends the change again.
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        Event::read(&line, self.kind).map(Some)
    }
}
