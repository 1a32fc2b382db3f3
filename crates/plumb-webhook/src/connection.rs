//! One connection: handshake, requests, close.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch as signal;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::Limits;
use crate::activity::Watched;
use crate::connections::ConnectionSlot;
use crate::metrics::Metrics;
use crate::routes::Client;

/// The maximum number of concurrent requests on one HTTP/2 connection. Each of them takes some
/// kilobytes until its answer is read. A client that needs more opens another connection.
const MAX_STREAMS: u32 = 32;

/// The buffer size of a connection for unread heads and parts of bodies.
const MAX_BUFFER: usize = 64 << 10;
const STREAM_WINDOW: u32 = 64 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// How long a closing connection may still send pending data.
const LINGER: Duration = Duration::from_millis(200);

/// The state that all connections share.
#[derive(Clone)]
pub(crate) struct Server {
    pub router: Router,
    pub metrics: Arc<Metrics>,
    pub limits: Limits,
}

impl Server {
    /// Serves a connection to its end.
    pub(crate) async fn connection(
        self,
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        place: ConnectionSlot,
        stopping: signal::Receiver<bool>,
    ) {
        self.metrics.connections.increase();
        // Answers are small, and clients wait for them, so they are not delayed.
        let _ = stream.set_nodelay(true);
        let Some(tls) = tls else { return self.requests(stream, &place, stopping).await };
        let handshake = TlsAcceptor::from(tls).accept(stream);
        let accepted = tokio::select! {
            accepted = handshake => accepted.ok(),
            () = place.activity.ended(&self.limits) => None,
        };
        match accepted {
            Some(stream) => {
                place.activity.opened();
                self.requests(stream, &place, stopping).await;
            }
            None => self.metrics.failed_handshakes.increase(),
        }
    }

    async fn requests<S>(
        self,
        stream: S,
        place: &ConnectionSlot,
        mut stopping: signal::Receiver<bool>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let activity = &place.activity;
        let mut builder = auto::Builder::new(TokioExecutor::new());
        // A client that has closed its sending side still waits for its answer.
        builder.http1().timer(TokioTimer::new()).half_close(true).max_buf_size(MAX_BUFFER);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(self.limits.time)
            .keep_alive_timeout(self.limits.time)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_send_buf_size(MAX_BUFFER)
            .max_header_list_size(16 << 10)
            .max_concurrent_streams(MAX_STREAMS);
        let client = Client { address: place.client, activity: Arc::clone(activity) };
        let service = TowerToHyperService::new(self.router.layer(Extension(client)));
        let stream = Watched { stream, activity: Arc::clone(activity) };
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        let mut closing: Option<Instant> = None;
        let mut is_stopping = false;
        loop {
            tokio::select! {
                // An error of a connection only affects its client.
                _ = connection.as_mut() => return,
                () = activity.ended(&self.limits), if closing.is_none() => {
                    connection.as_mut().graceful_shutdown();
                    closing = Some(Instant::now() + LINGER);
                }
                () = until(closing) => return,
                () = stop_signal(&mut stopping), if !is_stopping => {
                    is_stopping = true;
                    activity.stop();
                    // With HTTP/2, the server can announce which requests it still answers. With
                    // HTTP/1, the next answer tells the client.
                    if activity.is_http2() {
                        connection.as_mut().graceful_shutdown();
                    }
                }
            }
        }
    }
}

/// Waits until a time. Never returns if there is no time.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Returns once the server is asked to stop, or no longer exists.
async fn stop_signal(stopping: &mut signal::Receiver<bool>) {
    let _ = stopping.wait_for(|it| *it).await;
}
