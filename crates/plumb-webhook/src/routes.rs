//! What is served at which path.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use plumb_kubevirt::admission::{Cluster, Reply, Subject};
use tokio::sync::Semaphore;

use crate::Limits;
use crate::metrics::Metrics;
use crate::watch::Current;

/// Reviews that are worked on at a time; more wait.
const MAX_REVIEWS: usize = 64;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// How a review is answered. A parameter, so that tests can have one that fails.
pub(crate) type Review = fn(Subject, &[u8], &Cluster) -> Reply;

#[derive(Clone)]
pub(crate) struct Service {
    pub cluster: Arc<Current<Cluster>>,
    pub metrics: Arc<Metrics>,
    pub review: Review,
    time: Duration,
    places: Arc<Semaphore>,
}

impl Service {
    pub(crate) fn new(
        cluster: Arc<Current<Cluster>>,
        metrics: Arc<Metrics>,
        review: Review,
        limits: &Limits,
    ) -> Self {
        let places = Arc::new(Semaphore::new(MAX_REVIEWS));
        Self { cluster, metrics, review, time: limits.time, places }
    }
}

pub(crate) fn router(service: Service, limits: &Limits) -> Router {
    Router::new()
        .route("/virtualmachine-validate", any(review_machine))
        .route("/template-validate", any(review_template))
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(async || "ok"))
        .route("/metrics", get(metrics))
        .layer(DefaultBodyLimit::max(limits.body))
        .with_state(service)
}

async fn review_machine(State(service): State<Service>, request: Request) -> Response {
    review(service, Subject::Machine, request).await
}

async fn review_template(State(service): State<Service>, request: Request) -> Response {
    review(service, Subject::Template, request).await
}

/// All of a request is within the time: its body may arrive as slowly as a review is worked out.
async fn review(service: Service, subject: Subject, request: Request) -> Response {
    let metrics = Arc::clone(&service.metrics);
    let time = service.time;
    tokio::time::timeout(time, reviewed(service, subject, request)).await.unwrap_or_else(|_| {
        metrics.timeouts.increase();
        StatusCode::SERVICE_UNAVAILABLE.into_response()
    })
}

async fn reviewed(service: Service, subject: Subject, request: Request) -> Response {
    let metrics = Arc::clone(&service.metrics);
    let is_json = request.headers().get(CONTENT_TYPE) == Some(&JSON);
    let body = match Bytes::from_request(request, &()).await {
        Ok(body) if is_json => body,
        Ok(_) => {
            metrics.malformed.increase();
            return StatusCode::BAD_REQUEST.into_response();
        }
        Err(rejection) => {
            metrics.malformed.increase();
            return rejection.into_response();
        }
    };
    match answer(service, subject, body).await {
        Ok(Reply::Answer { decision, body }) => {
            metrics.decided(decision);
            json(body)
        }
        Ok(Reply::NotAReview) => {
            metrics.malformed.increase();
            StatusCode::BAD_REQUEST.into_response()
        }
        Err(Panicked) => {
            metrics.panics.increase();
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The review met a bug of ours.
struct Panicked;

/// Answers on a thread of its own kind: a review that takes long holds up no connection, and one
/// that panics takes nothing with it.
async fn answer(service: Service, subject: Subject, body: Bytes) -> Result<Reply, Panicked> {
    let place = Arc::clone(&service.places).acquire_owned().await.map_err(|_| Panicked)?;
    let cluster = service.cluster.get();
    let review = service.review;
    let answered = tokio::task::spawn_blocking(move || {
        let reply = review(subject, &body, &cluster);
        drop(place);
        reply
    });
    answered.await.map_err(|_| Panicked)
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
