//! The paths that are served.
//!
//! A review has three limits: its body must fit into memory ([`bodies`](crate::bodies)), it must
//! get a turn ([`queue`](crate::queue)), and it must be completed within a maximum effort. Most
//! reviews need so little effort that they are evaluated immediately, without a turn. Other reviews
//! first get a turn from the queue for quick reviews. If a review needs more effort, or has a large
//! body, it waits in the queue for slow reviews.

use std::future::poll_fn;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{StatusCode, Uri, Version};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use http_body_util::BodyExt as _;
use plumb_kubevirt::admission::{Cluster, Reply, ReviewSubject, Terms, Values};
use plumb_kubevirt::jsonpath::Stop;

use crate::Limits;
use crate::activity::{Activity, Underway};
use crate::bodies::{Bodies, Memory, REQUEST, SMALL, Share};
use crate::journal::Journal;
use crate::metrics::Metrics;
use crate::queue::{Queue, QueueFullError, Turn};
use crate::state;
use crate::watch::Current;

/// The effort of a review that is evaluated immediately, on the thread of its connection: a
/// fraction of a millisecond. Moving a review to another thread and back takes longer than most
/// reviews.
const INSTANT_EFFORT: usize = 2_000;

/// The largest body of such a review. Reading it costs time that is not counted as effort.
const MAX_INSTANT_BODY: usize = 16 << 10;

/// The effort of the first attempt at a review that has a turn: a few milliseconds.
pub(crate) const LITTLE_EFFORT: usize = 100_000;

/// The maximum number of reviews that wait for a turn; further reviews are rejected. Quick reviews
/// wait for a second at most.
const MAX_WAITING_QUICK: usize = 1024;
const MAX_WAITING_SLOW: usize = 128;

/// The total size of all bodies in bytes, without the first bytes of each.
const MAX_LARGE_BODIES: usize = 16 << 20;

/// The maximum number of problems that are listed.
const MAX_PROBLEMS: usize = 100;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The function that answers a review. It is a parameter, so that tests can use one that fails.
pub(crate) type Review = fn(ReviewSubject, &[u8], &Cluster, &Terms) -> Option<Reply>;

/// The client that sends a request.
#[derive(Clone)]
pub(crate) struct Client {
    pub address: IpAddr,
    pub activity: Arc<Activity>,
}

#[derive(Clone)]
pub(crate) struct Service {
    cluster: Arc<Current<Cluster>>,
    /// The problems in the files when they were last read.
    problems: Arc<Current<Vec<String>>>,
    metrics: Arc<Metrics>,
    journal: Arc<Journal>,
    review: Review,
    values: Values,
    limits: Limits,
    bodies: Arc<Bodies>,
    /// For reviews that need little effort.
    quick: Arc<Queue>,
    /// For all other reviews.
    slow: Arc<Queue>,
    is_stopping: Arc<AtomicBool>,
}

impl Service {
    pub(crate) fn new(state: &state::State) -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cluster: Arc::clone(&state.cluster),
            problems: Arc::clone(&state.problems),
            metrics: Arc::clone(&state.metrics),
            journal: Arc::clone(&state.journal),
            review: state.review,
            values: if state.options.shows_values { Values::Shown } else { Values::Masked },
            limits: state.options.limits,
            bodies: Bodies::new(Memory {
                small: state.options.limits.connections * (REQUEST + SMALL),
                large: MAX_LARGE_BODIES,
            }),
            quick: Queue::new(n_cores.clamp(2, 4), MAX_WAITING_QUICK),
            slow: Queue::new((n_cores / 2).clamp(1, 2), MAX_WAITING_SLOW),
            is_stopping: Arc::new(AtomicBool::new(false)),
        }
    }

    /// From now on, answers ask clients to close the connection.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}

pub(crate) fn router(service: Service) -> Router {
    Router::new()
        .route("/virtualmachine-validate", any(review_machine))
        .route("/template-validate", any(review_template))
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .layer(middleware::from_fn_with_state(service.clone(), on_connection))
        .with_state(service)
}

/// Informs the connection about its requests, and asks the client to close the connection when the
/// server stops.
async fn on_connection(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    mut request: Request,
    next: Next,
) -> Response {
    let version = request.version();
    let underway = Arc::new(client.activity.begin(version));
    if request.body().is_end_stream() {
        underway.complete();
    }
    request.extensions_mut().insert(Arc::clone(&underway));
    let mut response = next.run(request).await;
    underway.answered();
    if service.is_stopping() && version <= Version::HTTP_11 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    // The request ends when its answer is written, and this is dropped.
    response.map(|body| {
        Body::new(body.map_err(move |error| {
            let _underway = &underway;
            error
        }))
    })
}

/// Answers readiness checks. With `?verbose`, also lists the problems in the files, which do not
/// affect readiness.
async fn ready(State(service): State<Service>, uri: Uri) -> Response {
    if service.is_stopping() {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
    }
    let is_verbose = uri.query().is_some_and(|it| it == "verbose" || it.starts_with("verbose="));
    if !is_verbose {
        return "ok".into_response();
    }
    let problems = service.problems.get();
    let n_templates = service.cluster.get().templates.len();
    let mut text = format!("ok\ntemplates: {n_templates}\nproblems: {}\n", problems.len());
    for problem in problems.iter().take(MAX_PROBLEMS) {
        text.push_str(problem);
        text.push('\n');
    }
    text.into_response()
}

async fn review_machine(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Response {
    review(service, ReviewSubject::Machine, client, request).await
}

async fn review_template(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Response {
    review(service, ReviewSubject::Template, client, request).await
}

async fn review(
    service: Service,
    subject: ReviewSubject,
    client: Client,
    request: Request,
) -> Response {
    let metrics = Arc::clone(&service.metrics);
    let journal = Arc::clone(&service.journal);
    let address = client.address;
    let malformed = |status: StatusCode, why: &str| {
        metrics.malformed.increase();
        journal.say_of_request(&format!("refused a request of {address}: {why}"));
        refusal(status, why)
    };
    let body = match body(&service, request).await {
        Ok(body) => body,
        Err(BodyError::Malformed(status, why)) => return malformed(status, &why),
        Err(BodyError::Late) => {
            metrics.timeouts.increase();
            let mut response =
                refusal(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            return response;
        }
        Err(BodyError::OverLimit) => return busy(&metrics),
    };
    let time = service.limits.review;
    let answered = tokio::time::timeout(time, answer(service, subject, address, body)).await;
    match answered {
        Ok(Ok(Reply::Answer { decision, body, why, lacks_template })) => {
            metrics.decided(decision);
            if lacks_template {
                metrics.unknown_templates.increase();
            }
            if !why.is_empty() {
                journal.say_of_request(&format!("denied {}", why.masked()));
            }
            json(body)
        }
        Ok(Ok(Reply::NotAReview(why))) => malformed(
            StatusCode::BAD_REQUEST,
            &format!("the body is not an AdmissionReview: {}", why.masked()),
        ),
        Ok(Err(ReviewError::Busy)) => busy(&metrics),
        Ok(Err(ReviewError::Panicked)) => {
            metrics.panics.increase();
            journal.say_of_request("a bug in Plumb interrupted a review; please report it");
            refusal(StatusCode::INTERNAL_SERVER_ERROR, "a bug in Plumb interrupted the review")
        }
        Err(_) => {
            metrics.timeouts.increase();
            journal.say_of_request(&format!("gave up a review for {address}: it took too long"));
            refusal(StatusCode::SERVICE_UNAVAILABLE, "the review took too long")
        }
    }
}

/// A request body, and the part of the memory limit that it has reserved.
struct Arrived {
    bytes: Vec<u8>,
    _share: Share,
}

/// Why a body could not be read.
enum BodyError {
    Malformed(StatusCode, String),
    Late,
    OverLimit,
}

/// Reads the body of a request, within its time limit and its share of the memory.
async fn body(service: &Service, request: Request) -> Result<Arrived, BodyError> {
    let (parts, mut body) = request.into_parts();
    let underway = parts.extensions.get::<Arc<Underway>>();
    let read = if parts.headers.get(CONTENT_TYPE) == Some(&JSON) {
        read(service, &mut body).await
    } else {
        let why = "the Content-Type must be `application/json`, without parameters";
        Err(BodyError::Malformed(StatusCode::BAD_REQUEST, why.to_owned()))
    };
    match (&read, underway) {
        (Ok(_), Some(underway)) => underway.complete(),
        (Err(_), Some(underway)) => underway.keep(body),
        (_, None) => {}
    }
    read
}

async fn read(service: &Service, body: &mut Body) -> Result<Arrived, BodyError> {
    let max = service.limits.body;
    let too_large = || {
        let why = format!("the body is larger than {max} bytes");
        BodyError::Malformed(StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if declared > max {
        return Err(too_large());
    }
    let share = service.bodies.begin().map_err(|_| BodyError::OverLimit)?;
    let mut bytes = Vec::new();
    let deadline = tokio::time::sleep(service.limits.time);
    let mut deadline = std::pin::pin!(deadline);
    loop {
        let chunk = tokio::select! {
            // If the body has already arrived, no timer is needed.
            biased;
            chunk = chunk(body) => chunk,
            () = share.gone() => return Err(BodyError::OverLimit),
            () = deadline.as_mut() => return Err(BodyError::Late),
        };
        match chunk {
            None => break,
            Some(Ok(chunk)) if bytes.len() + chunk.len() <= max => {
                share.grow(bytes.len() + chunk.len()).map_err(|_| BodyError::OverLimit)?;
                if bytes.is_empty() {
                    bytes.reserve_exact(declared.max(chunk.len()));
                }
                bytes.extend_from_slice(&chunk);
                if bytes.len() > SMALL {
                    // Let other connections proceed between the parts of a large body.
                    tokio::task::yield_now().await;
                }
            }
            Some(Ok(_)) => return Err(too_large()),
            Some(Err(_)) => {
                let why = "the body ends too early".to_owned();
                return Err(BodyError::Malformed(StatusCode::BAD_REQUEST, why));
            }
        }
    }
    share.arrived().map_err(|_| BodyError::OverLimit)?;
    Ok(Arrived { bytes, _share: share })
}

/// The next part of a body.
async fn chunk(body: &mut Body) -> Option<Result<Bytes, axum::Error>> {
    loop {
        match poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await? {
            Ok(frame) => {
                if let Ok(data) = frame.into_data() {
                    return Some(Ok(data));
                }
            }
            Err(error) => return Some(Err(error)),
        }
    }
}

/// Why a review is not answered.
enum ReviewError {
    Busy,
    /// The review hit a bug in Plumb.
    Panicked,
}

impl From<QueueFullError> for ReviewError {
    fn from(_: QueueFullError) -> Self {
        Self::Busy
    }
}

/// Stops a review whose answer is no longer needed.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

async fn answer(
    service: Service,
    subject: ReviewSubject,
    client: IpAddr,
    body: Arrived,
) -> Result<Reply, ReviewError> {
    let stop = StopOnDrop(Stop::default());
    let is_small = body.bytes.len() <= SMALL;
    let work = Work {
        review: service.review,
        subject,
        body: Arc::new(body),
        cluster: service.cluster.get(),
        values: service.values,
        stop: stop.0.clone(),
    };
    if work.body.bytes.len() <= MAX_INSTANT_BODY
        && let Some(reply) = work.done_at_once()?
    {
        return Ok(reply);
    }
    if is_small {
        let turn = service.quick.turn(client).await?;
        if let Some(reply) = work.done(LITTLE_EFFORT, turn).await? {
            return Ok(reply);
        }
    }
    let turn = service.slow.turn(client).await?;
    work.done(Terms::FULL_EFFORT, turn).await?.ok_or(ReviewError::Busy)
}

/// A review to be evaluated.
struct Work {
    review: Review,
    subject: ReviewSubject,
    body: Arc<Arrived>,
    cluster: Arc<Cluster>,
    values: Values,
    stop: Stop,
}

impl Work {
    /// Evaluates the review on this thread. Returns `None` if the least effort is not sufficient.
    fn done_at_once(&self) -> Result<Option<Reply>, ReviewError> {
        let terms = Terms { effort: INSTANT_EFFORT, stop: self.stop.clone(), values: self.values };
        let attempt = || (self.review)(self.subject, &self.body.bytes, &self.cluster, &terms);
        // A bug affects this review only.
        catch_unwind(AssertUnwindSafe(attempt)).map_err(|_| ReviewError::Panicked)
    }

    /// Evaluates the review on a blocking thread: a slow review does not delay connections, and one
    /// that panics affects nothing else. Returns `None` if the effort is not sufficient.
    async fn done(&self, effort: usize, turn: Turn) -> Result<Option<Reply>, ReviewError> {
        let Self { review, subject, values, .. } = *self;
        let (body, cluster) = (Arc::clone(&self.body), Arc::clone(&self.cluster));
        let terms = Terms { effort, stop: self.stop.clone(), values };
        let worked = tokio::task::spawn_blocking(move || {
            // The turn ends with the work, even if the client stops waiting earlier.
            let _turn = turn;
            review(subject, &body.bytes, &cluster, &terms)
        });
        worked.await.map_err(|_| ReviewError::Panicked)
    }
}

async fn metrics(State(service): State<Service>) -> Response {
    let text = service.metrics.text(service.cluster.get().templates.len());
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn json(body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

fn busy(metrics: &Metrics) -> Response {
    metrics.overloads.increase();
    let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, "too many reviews at once");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// An error response with a reason.
fn refusal(status: StatusCode, why: &str) -> Response {
    (status, format!("{why}\n")).into_response()
}
