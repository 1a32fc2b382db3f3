//! Listens, accepts connections, and shuts down.

use std::future::ready;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use crate::assets::Site;
use crate::{Options, StartError, answer};

/// The maximum number of connections. Others wait.
const MAX_CONNECTIONS: usize = 256;

/// The time limit for the head of a request, and between two requests.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The time limit for a connection, so that slow readers do not block a slot.
const CONNECTION_TIME: Duration = Duration::from_mins(5);

/// The pause after an error in accepting a connection.
const AFTER_ERROR: Duration = Duration::from_millis(10);

/// A listening server. Dropping it stops it.
#[derive(Debug)]
pub struct Running {
    runtime: Option<Runtime>,
    pub address: SocketAddr,
}

/// Serves until the process gets SIGTERM or SIGINT. Calls `ready` with the address once the server
/// listens.
///
/// # Errors
///
/// If the server cannot start.
pub fn serve(options: &Options, ready: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let running = start(options)?;
    let runtime = running.runtime.as_ref().expect("a running server has its runtime");
    // A client that reads the address may send the signal immediately.
    let stop_requested = {
        let _inside = runtime.enter();
        stop_requested()
    };
    ready(running.address);
    runtime.block_on(stop_requested);
    Ok(())
}

/// Starts a server and returns once it listens.
///
/// # Errors
///
/// If the address cannot be used.
pub fn start(options: &Options) -> Result<Running, StartError> {
    let site = Arc::new(Site::new(options.files)?);
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .thread_name("plumb-website")
        .build()
        .map_err(StartError::Runtime)?;
    let (listener, address) = runtime.block_on(listen(&options.listen))?;
    runtime.spawn(accept(listener, site, options.redirects_to_https));
    Ok(Running { runtime: Some(runtime), address })
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn listen(text: &str) -> Result<(TcpListener, SocketAddr), StartError> {
    let whole = whole_address(text);
    let found = lookup_host(&whole).await;
    let found = found.map_err(|error| StartError::Address { address: text.to_owned(), error })?;
    // A name such as `localhost` often has an address of both kinds; IPv4 works everywhere.
    let Some(address) = found.min_by_key(SocketAddr::is_ipv6) else {
        let error = std::io::ErrorKind::AddrNotAvailable.into();
        return Err(StartError::Address { address: text.to_owned(), error });
    };
    let bound = TcpListener::bind(address).await;
    let bound = bound.and_then(|it| it.local_addr().map(|address| (it, address)));
    bound.map_err(|error| StartError::Listen { address: address.to_string(), error })
}

/// A port alone is on this machine; `:8080` means all addresses, as in ytt.
fn whole_address(text: &str) -> String {
    let is_port = |it: &str| it.parse::<u16>().is_ok();
    match text.strip_prefix(':') {
        Some(port) if is_port(port) => format!("0.0.0.0:{port}"),
        None if is_port(text) => format!("127.0.0.1:{text}"),
        _ => text.to_owned(),
    }
}

async fn accept(listener: TcpListener, site: Arc<Site>, redirects_to_https: bool) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.expect("it is never closed");
        let Ok((stream, client)) = listener.accept().await else {
            // An error of one connection, or too many open files.
            tokio::time::sleep(AFTER_ERROR).await;
            continue;
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            let _place = place;
            let served = connection(stream, client, site, redirects_to_https);
            let _ = tokio::time::timeout(CONNECTION_TIME, served).await;
        });
    }
}

/// Serves a connection to its end. An error only affects its client.
async fn connection(stream: TcpStream, client: SocketAddr, site: Arc<Site>, redirects: bool) {
    let router = Router::new().fallback(move |request: Request| {
        ready(answer::answer(&site, &request, client.ip(), redirects))
    });
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let _ = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
}

/// Listens for signals from the time of this call.
#[cfg(unix)]
fn stop_requested() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
fn stop_requested() -> impl Future<Output = ()> {
    async {
        let _ = tokio::signal::ctrl_c().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        assert_eq!(whole_address("8080"), "127.0.0.1:8080");
        assert_eq!(whole_address(":8080"), "0.0.0.0:8080");
        assert_eq!(whole_address("localhost:0"), "localhost:0");
        assert_eq!(whole_address("[::1]:80"), "[::1]:80");
        assert_eq!(whole_address("70000"), "70000");
    }
}
