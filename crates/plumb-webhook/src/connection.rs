//! One connection: handshake, requests, end.

use std::sync::Arc;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::Watcher;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::Limits;
use crate::metrics::Metrics;

/// Requests on one HTTP/2 connection at a time.
const MAX_STREAMS: u32 = 250;

/// What every connection needs.
#[derive(Clone)]
pub(crate) struct Server {
    pub router: Router,
    pub metrics: Arc<Metrics>,
    pub limits: Limits,
}

impl Server {
    /// Serves a connection to its end, or until the watcher says that the server stops and the
    /// requests under way are answered.
    pub(crate) async fn connection(
        self,
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        watcher: Watcher,
    ) {
        self.metrics.connections.increase();
        // Answers are small, and waited for.
        let _ = stream.set_nodelay(true);
        let Some(tls) = tls else { return self.requests(stream, watcher).await };
        let handshake = TlsAcceptor::from(tls).accept(stream);
        match tokio::time::timeout(self.limits.time, handshake).await {
            Ok(Ok(stream)) => self.requests(stream, watcher).await,
            Ok(Err(_)) | Err(_) => self.metrics.failed_handshakes.increase(),
        }
    }

    async fn requests<S>(self, stream: S, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(self.limits.time);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(self.limits.time)
            .keep_alive_timeout(self.limits.time)
            .max_concurrent_streams(MAX_STREAMS);
        let service = TowerToHyperService::new(self.router);
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        // A connection that ends badly is the client's loss alone.
        let _ = watcher.watch(connection).await;
    }
}
