//! A client with one connection: HTTP/1.1 over TLS.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A time limit that is never reached here.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    stream: StreamOwned<ClientConnection, TcpStream>,
    buffer: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

/// A client that only trusts this certificate.
pub(crate) fn trusting(certificate: &CertificateDer<'static>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).expect("a certificate that was just made");
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

impl Response {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    /// Connects to a server that must present this certificate.
    pub(crate) fn connect(
        address: SocketAddr,
        certificate: &CertificateDer<'static>,
    ) -> io::Result<Self> {
        let config = trusting(certificate);
        Self::over(TcpStream::connect(address)?, Arc::new(config))
    }

    /// Uses TLS over a connection.
    pub(crate) fn over(stream: TcpStream, config: Arc<ClientConfig>) -> io::Result<Self> {
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(config, name).map_err(io::Error::other)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let mut stream = StreamOwned::new(connection, stream);
        stream.flush()?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    /// Closes the sending side, and continues to read.
    pub(crate) fn half_close(&mut self) -> io::Result<()> {
        self.stream.conn.send_close_notify();
        self.stream.flush()?;
        self.stream.sock.shutdown(Shutdown::Write)
    }

    /// Waits until the server closes the connection, and returns what it sent before.
    pub(crate) fn end(&mut self) -> Vec<u8> {
        while self.more().is_ok() {}
        std::mem::take(&mut self.buffer)
    }

    pub(crate) fn post(&mut self, path: &str, body: &str) -> io::Result<Response> {
        self.request("POST", path, "application/json", body)
    }

    pub(crate) fn get(&mut self, path: &str) -> io::Result<Response> {
        self.request("GET", path, "", "")
    }

    pub(crate) fn request(
        &mut self,
        method: &str,
        path: &str,
        content_type: &str,
        body: &str,
    ) -> io::Result<Response> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        if !content_type.is_empty() {
            let _ = write!(head, "Content-Type: {content_type}\r\n");
        }
        self.send(&head, body.len(), body)?;
        self.response()
    }

    /// Sends the head of a request that posts JSON to a path, with this length, and a body, which may
    /// be shorter.
    pub(crate) fn send_json(&mut self, path: &str, length: usize, body: &str) -> io::Result<()> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        );
        self.send(&head, length, body)
    }

    fn send(&mut self, head: &str, length: usize, body: &str) -> io::Result<()> {
        let request = format!("{head}Content-Length: {length}\r\n\r\n{body}");
        self.stream.write_all(request.as_bytes())?;
        self.stream.flush()
    }

    pub(crate) fn response(&mut self) -> io::Result<Response> {
        let end = loop {
            if let Some(at) = self.buffer.windows(4).position(|it| it == b"\r\n\r\n") {
                break at + 4;
            }
            self.more()?;
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        let length = head.lines().find_map(|it| it.strip_prefix("content-length: "));
        let length: usize = length.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
        while self.buffer.len() < end + length {
            self.more()?;
        }
        let body = self.buffer[end..end + length].to_vec();
        self.buffer.drain(..end + length);
        let status = status.ok_or_else(|| io::Error::other("no status"))?;
        Ok(Response { status, head, body })
    }

    fn more(&mut self) -> io::Result<()> {
        let mut bytes = [0; 16 << 10];
        match self.stream.read(&mut bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                self.buffer.extend_from_slice(&bytes[..n]);
                Ok(())
            }
        }
    }
}
