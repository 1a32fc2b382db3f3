//! The server as a whole: start, accept, stop.

use std::borrow::Cow;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use plumb_kubevirt::admission;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch as signal;
use tokio::time::Instant;

use crate::connection::Server;
use crate::connections::Connections;
use crate::journal::Journal;
use crate::routes::{self, Review, Service};
use crate::state::{State, refresh};
use crate::{Options, StartError};

/// A listening server. Dropping it stops it.
pub struct Running {
    runtime: Option<Runtime>,
    stop: signal::Sender<bool>,
    task: Option<tokio::task::JoinHandle<()>>,
    journal: Arc<Journal>,
    pub address: SocketAddr,
}

/// How long the server waits without connections before it ends.
const SILENCE: Duration = Duration::from_millis(50);

/// The time limit for requests that are in progress when the server ends.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// The pause after a connection could not be accepted.
const AFTER_ERROR: Duration = Duration::from_millis(10);

/// Serves until the process gets SIGTERM or SIGINT, then answers the requests in progress and
/// returns. Calls `ready` with the address once the server listens.
///
/// # Errors
///
/// If the server cannot start.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let running = start(options)?;
    let runtime = running.runtime.as_ref().expect("a running server has its runtime");
    // A caller of `ready` may send the signal immediately.
    let stop_requested = {
        let _inside = runtime.enter();
        stop_requested()
    };
    ready(running.address);
    runtime.block_on(stop_requested);
    running.journal.say("stopping");
    running.stop();
    Ok(())
}

/// Starts a server and returns once it listens.
///
/// # Errors
///
/// If the address cannot be used, or the templates or the certificate cannot be read.
pub fn start(options: Options) -> Result<Running, StartError> {
    start_with(options, admission::review_within)
}

pub(crate) fn start_with(options: Options, review: Review) -> Result<Running, StartError> {
    let state = State::read(options, review)?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .thread_name("plumb-webhook")
        .build()
        .map_err(StartError::Runtime)?;
    let listen = state.options.listen.clone();
    let bound = runtime.block_on(async {
        let listener = TcpListener::bind(&*address_of(&listen)).await?;
        listener.local_addr().map(|address| (listener, address))
    });
    let (listener, address) =
        bound.map_err(|error| StartError::Listen { address: listen, error })?;
    let (stop, stopped) = signal::channel(false);
    let state = Arc::new(state);
    let journal = Arc::clone(&state.journal);
    journal.say(&format!("listening on {address}"));
    runtime.spawn(refresh(Arc::clone(&state), stopped.clone()));
    let task = runtime.spawn(accept(state, listener, stopped));
    Ok(Running { runtime: Some(runtime), stop, task: Some(task), journal, address })
}

/// A port alone, such as `:9443`, means all addresses.
fn address_of(listen: &str) -> Cow<'_, str> {
    let port = listen.strip_prefix(':').unwrap_or(listen);
    match port.parse::<u16>() {
        Ok(port) => Cow::Owned(format!("0.0.0.0:{port}")),
        Err(_) => Cow::Borrowed(listen),
    }
}

impl Running {
    /// Answers requests that arrive or are in progress until the time limit, and stops the server.
    pub fn stop(mut self) {
        self.end();
    }

    /// Starts to stop, and returns immediately.
    pub fn begin_stop(&self) {
        let _ = self.stop.send(true);
    }

    fn end(&mut self) {
        let _ = self.stop.send(true);
        if let (Some(runtime), Some(task)) = (&self.runtime, self.task.take()) {
            let _ = runtime.block_on(task);
        }
        // Requests that still run have exceeded their time limit.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Accepts connections until the server is asked to stop, and then finishes the open ones.
async fn accept(state: Arc<State>, listener: TcpListener, mut stopped: signal::Receiver<bool>) {
    let limits = state.options.limits;
    let service = Service::new(&state);
    let (stop, stopping) = signal::channel(false);
    let entrance = Entrance {
        server: Server {
            router: routes::router(service.clone()),
            metrics: Arc::clone(&state.metrics),
            limits,
        },
        connections: Connections::new(&limits),
        stopping,
        state,
    };
    loop {
        tokio::select! {
            accepted = listener.accept() => entrance.admit(accepted).await,
            _ = stopped.changed() => break,
        }
    }
    service.stop();
    let _ = stop.send(true);
    let end = Instant::now() + limits.farewell;
    // Clients that are not informed yet are still answered: those that are about to send a request,
    // and those that wait to be accepted.
    loop {
        tokio::select! {
            accepted = listener.accept() => entrance.admit(accepted).await,
            () = tokio::time::sleep(SILENCE) => {
                if entrance.connections.is_empty() {
                    return;
                }
            }
        }
        if Instant::now() >= end {
            break;
        }
    }
    drop(listener);
    let last = end + LAST_ANSWERS;
    while !entrance.connections.is_empty() && Instant::now() < last {
        tokio::time::sleep(SILENCE).await;
    }
}

/// Accepts incoming connections.
struct Entrance {
    state: Arc<State>,
    server: Server,
    connections: Arc<Connections>,
    stopping: signal::Receiver<bool>,
}

impl Entrance {
    async fn admit(&self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        let metrics = &self.state.metrics;
        let Ok((stream, client)) = accepted else {
            // An error of one connection, or too many open files.
            if self.connections.close_oldest() {
                metrics.closed_connections.increase();
            }
            return tokio::time::sleep(AFTER_ERROR).await;
        };
        let (place, n_closed) = self.connections.open(client.ip());
        (0..n_closed).for_each(|_| metrics.closed_connections.increase());
        let Some(place) = place else { return metrics.refused_connections.increase() };
        let tls = self.state.tls.as_ref().map(|tls| Arc::clone(&*tls.get()));
        let server = self.server.clone();
        tokio::spawn(server.connection(stream, tls, place, self.stopping.clone()));
    }
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
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::atomic::{AtomicBool, Ordering};

    use plumb_kubevirt::admission::{Cluster, Decision, Reply, ReviewSubject, Terms};

    use super::*;
    use crate::{Limits, TemplateSource};

    /// A review that hits a bug, or takes long.
    fn failing_review(_: ReviewSubject, body: &[u8], _: &Cluster, terms: &Terms) -> Option<Reply> {
        match body {
            b"panic" => panic!("a bug"),
            b"slow" | b"endless" if terms.effort < routes::LITTLE_EFFORT => return None,
            b"slow" => std::thread::sleep(Duration::from_millis(500)),
            b"endless" => {
                while !terms.stop.is_requested() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                STOPPED.store(true, Ordering::Relaxed);
            }
            b"laborious" if terms.effort < Terms::FULL_EFFORT => return None,
            _ => {}
        }
        let why = plumb_source::Message::new();
        Some(Reply::Answer {
            decision: Decision::Admitted,
            body: b"{}".to_vec(),
            why,
            lacks_template: false,
        })
    }

    /// Whether an endless review was stopped.
    static STOPPED: AtomicBool = AtomicBool::new(false);

    fn options(limits: Limits) -> Options {
        let templates =
            std::env::temp_dir().join(format!("plumb-templates-{}", std::process::id()));
        std::fs::create_dir_all(&templates).expect("a writable temporary directory");
        Options {
            listen: "127.0.0.1:0".to_owned(),
            tls: None,
            templates: TemplateSource::Directory(templates),
            machines: None,
            shows_values: false,
            limits,
            log: Arc::new(|_| {}),
        }
    }

    fn server(limits: Limits) -> Running {
        start_with(options(limits), failing_review).expect("the server starts")
    }

    fn ask(address: SocketAddr, body: &str) -> String {
        let mut stream = TcpStream::connect(address).expect("the server accepts");
        let request = format!(
            "POST /virtualmachine-validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        answer
    }

    #[test]
    fn a_panic_is_an_error_of_its_request_alone() {
        let running = server(Limits::default());
        let address = running.address;
        for _ in 0..3 {
            assert!(ask(address, "panic").starts_with("HTTP/1.1 500 "));
            assert!(ask(address, "fine").starts_with("HTTP/1.1 200 "));
        }
        running.stop();
    }

    #[test]
    fn a_review_that_takes_too_long_is_given_up() {
        let running = server(Limits { review: Duration::from_millis(100), ..Limits::default() });
        assert!(ask(running.address, "slow").starts_with("HTTP/1.1 503 "));
        assert!(ask(running.address, "fine").starts_with("HTTP/1.1 200 "));
        let answer = ask(running.address, "endless");
        assert!(answer.ends_with("the review took too long\n"), "{answer}");
        running.stop();
        assert!(STOPPED.load(Ordering::Relaxed), "nobody waits for it, and it is not worked out");
    }

    #[test]
    fn a_review_that_needs_more_effort_gets_it() {
        let running = server(Limits::default());
        assert!(ask(running.address, "laborious").starts_with("HTTP/1.1 200 "));
        running.stop();
    }

    #[test]
    fn what_is_under_way_is_answered_before_the_server_stops() {
        let running = server(Limits::default());
        let address = running.address;
        let asking = std::thread::spawn(move || ask(address, "slow"));
        std::thread::sleep(Duration::from_millis(150));
        running.stop();
        assert!(asking.join().expect("no panic").starts_with("HTTP/1.1 200 "));
        assert!(TcpStream::connect(address).is_err(), "no one listens any more");
    }

    #[test]
    #[cfg(unix)]
    fn a_server_can_be_ended_as_soon_as_it_is_ready() {
        let ended = serve(options(Limits::default()), |_| {
            let id = std::process::id().to_string();
            std::process::Command::new("kill").arg(id).status().expect("kill is there");
        });
        assert!(ended.is_ok());
    }

    #[test]
    fn a_port_alone_is_that_of_every_address() {
        assert_eq!(address_of(":9443"), "0.0.0.0:9443");
        assert_eq!(address_of("9443"), "0.0.0.0:9443");
        assert_eq!(address_of("[::]:9443"), "[::]:9443");
    }

    #[test]
    fn errors_are_reported_at_the_start() {
        let options = Options {
            templates: TemplateSource::Directory("no/such/directory".into()),
            ..options(Limits::default())
        };
        let error = start(options).err().expect("there are no templates").to_string();
        assert!(error.starts_with("cannot list no/such/directory: "), "{error}");
    }
}
