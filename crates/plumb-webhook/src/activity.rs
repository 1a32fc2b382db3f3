//! Tracks what a connection is doing, and for how long.
//!
//! Every phase of a connection has a deadline: opening (the handshake, then the first request), the
//! head of a request, waiting between two requests. The body of a request and its review have their
//! own deadlines, in [`routes`](crate::routes).

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::Version;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::Limits;

/// What a connection is doing. Shared by its task, its requests and the list of connections.
#[derive(Debug)]
pub(crate) struct Activity {
    state: Mutex<State>,
    closing: Notify,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When the phase began.
    since: Instant,
    /// Requests whose head has arrived and whose answer the client has not read yet.
    n_requests: usize,
    /// Requests that have arrived completely and have no answer yet.
    n_complete: usize,
    /// Requests whose answer is ready but was not read yet.
    n_unread: usize,
    /// When the client last read an answer, or the first unread answer became ready.
    unread_since: Instant,
    has_served: bool,
    is_http2: bool,
    /// When the server was asked to stop.
    stopping: Option<Instant>,
}

/// The phase of a connection without a request in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The handshake, and then everything up to the head of the first request.
    Opening,
    /// A request has begun to arrive.
    Head,
    /// Nothing has arrived since the last answer.
    Waiting,
}

/// A request in progress. Dropping it ends the request.
#[derive(Debug)]
pub(crate) struct Underway {
    activity: Arc<Activity>,
    progress: Mutex<Progress>,
    /// An unread body. Dropping it before the answer is written would end the request.
    unread: Mutex<Option<Body>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    is_complete: bool,
    has_answer: bool,
}

/// How long a connection without a request stays open after the server was asked to stop. Clients
/// that are about to send a request get an answer that asks them to close the connection.
const LAST_CHANCE: Duration = Duration::from_secs(1);

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        let state = State {
            phase: Phase::Opening,
            since: Instant::now(),
            n_requests: 0,
            n_complete: 0,
            n_unread: 0,
            unread_since: Instant::now(),
            has_served: false,
            is_http2: false,
            stopping: None,
        };
        Arc::new(Self { state: Mutex::new(state), closing: Notify::new() })
    }

    /// The handshake is done: the time for the first request begins.
    pub(crate) fn opened(&self) {
        self.state().since = Instant::now();
    }

    /// The head of a request has arrived.
    pub(crate) fn begin(self: &Arc<Self>, version: Version) -> Underway {
        let mut state = self.state();
        state.n_requests += 1;
        state.is_http2 = version == Version::HTTP_2;
        drop(state);
        Underway {
            activity: Arc::clone(self),
            progress: Mutex::default(),
            unread: Mutex::new(None),
        }
    }

    /// Returns when the connection became idle. Connections whose client has never read an answer
    /// come first. Returns `None` while a complete request waits for its answer.
    pub(crate) fn idle_since(&self) -> Option<(bool, Instant)> {
        let state = self.state();
        let since = state.since.max(state.unread_since);
        (state.n_complete == 0).then_some((state.has_served, since))
    }

    pub(crate) fn is_http2(&self) -> bool {
        self.state().is_http2
    }

    /// Records that the server was asked to stop.
    pub(crate) fn stop(&self) {
        self.state().stopping = Some(Instant::now());
    }

    /// Makes the connection's task close it.
    pub(crate) fn close(&self) {
        self.closing.notify_one();
    }

    /// Returns once the connection must be closed: because of [`close`](Self::close), or because a
    /// phase takes too long.
    pub(crate) async fn ended(&self, limits: &Limits) {
        loop {
            let deadline = self.state().deadline(limits);
            let wake = deadline.unwrap_or_else(|| Instant::now() + LAST_CHANCE);
            tokio::select! {
                () = self.closing.notified() => return,
                () = tokio::time::sleep_until(wake.min(Instant::now() + LAST_CHANCE)) => {}
            }
            if self.state().deadline(limits).is_some_and(|it| it <= Instant::now()) {
                return;
            }
        }
    }

    fn arrived(&self) {
        let mut state = self.state();
        // Frames of HTTP/2 do not always belong to a request.
        if state.phase == Phase::Waiting && state.n_requests == 0 && !state.is_http2 {
            state.phase = Phase::Head;
            state.since = Instant::now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// When the phase must end, or the client must have read an answer. Requests without an answer
    /// have their own deadlines.
    fn deadline(&self, limits: &Limits) -> Option<Instant> {
        if self.n_requests > 0 {
            return (self.n_unread > 0).then(|| self.unread_since + limits.time);
        }
        let deadline = match self.phase {
            Phase::Opening | Phase::Head => self.since + limits.time,
            Phase::Waiting => self.since + limits.idle,
        };
        let last_chance = self.stopping.map(|it| it.max(self.since) + LAST_CHANCE);
        Some(last_chance.map_or(deadline, |it| deadline.min(it)))
    }
}

impl Underway {
    /// Keeps an unread body until the request ends.
    pub(crate) fn keep(&self, body: Body) {
        *self.unread.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
    }

    /// The body has arrived.
    pub(crate) fn complete(&self) {
        let mut progress = self.progress();
        if !progress.has_answer && !std::mem::replace(&mut progress.is_complete, true) {
            self.activity.state().n_complete += 1;
        }
    }

    /// The answer is ready.
    pub(crate) fn answered(&self) {
        let mut progress = self.progress();
        progress.has_answer = true;
        let mut state = self.activity.state();
        state.n_complete -= usize::from(progress.is_complete);
        if state.n_unread == 0 {
            state.unread_since = Instant::now();
        }
        state.n_unread += 1;
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let Progress { is_complete, has_answer } =
            *self.progress.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.activity.state();
        state.n_requests -= 1;
        state.n_complete -= usize::from(is_complete && !has_answer);
        state.has_served |= is_complete;
        if has_answer {
            state.n_unread -= 1;
            state.unread_since = Instant::now();
        }
        if state.n_requests == 0 {
            state.phase = Phase::Waiting;
            state.since = Instant::now();
        }
    }
}

/// A stream that records when data arrives.
pub(crate) struct Watched<S> {
    pub stream: S,
    pub activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.arrived();
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
