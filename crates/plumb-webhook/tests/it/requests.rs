//! Single requests.

use std::io::Read as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Client;
use crate::fixture::{Fixture, review, template};

const MACHINES: &str = "/virtualmachine-validate";

#[test]
fn a_machine_is_judged_by_the_template_it_names() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let mut client = fixture.client();
    let denied = client.post(MACHINES, &review("u-8", 8)).expect("an answer").json();
    assert_eq!(denied["response"]["uid"], "u-8");
    assert_eq!(denied["response"]["allowed"], false);
    assert_eq!(denied["response"]["status"]["code"], 422);
    assert_eq!(
        denied["response"]["status"]["details"]["causes"][0],
        json!({
            "reason": "FieldValueInvalid",
            "field": ".spec.domain.cpu.cores",
            "message": "at most 4: value 8 is higher than maximum [4]",
        })
    );
    let admitted = client.post(MACHINES, &review("u-4", 4)).expect("an answer");
    assert!(admitted.head.contains("content-type: application/json\r\n"), "{}", admitted.head);
    let warnings = json!(["version 4: value 4 is higher than maximum [0]"]);
    assert_eq!(
        admitted.json()["response"],
        json!({"uid": "u-4", "allowed": true, "warnings": warnings})
    );
}

#[test]
fn health_and_numbers_are_served() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let mut client = fixture.client();
    for path in ["/healthz", "/readyz"] {
        let response = client.get(path).expect("an answer");
        assert_eq!((response.status, response.text().as_str()), (200, "ok"));
    }
    client.post(MACHINES, &review("u", 8)).expect("an answer");
    client.post(MACHINES, &review("u", 1)).expect("an answer");
    client.post(MACHINES, "{").expect("an answer");
    let numbers = client.get("/metrics").expect("an answer").text();
    for line in [
        "plumb_webhook_reviews_total{decision=\"admitted\"} 1",
        "plumb_webhook_reviews_total{decision=\"denied\"} 1",
        "plumb_webhook_malformed_requests_total 1",
        "plumb_webhook_templates 1",
        "kubevirt_ssp_template_validator_rejected_total 1",
    ] {
        assert!(numbers.lines().any(|it| it == line), "{line} in\n{numbers}");
    }
}

#[test]
fn what_is_no_review_is_a_bad_request() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut status = |content_type: &str, body: &str| {
        client.request("POST", MACHINES, content_type, body).expect("an answer").status
    };
    assert_eq!(status("application/json", ""), 400);
    assert_eq!(status("application/json", "{\"request\": 1}"), 400);
    assert_eq!(status("application/json; charset=utf-8", &review("u", 1)), 400);
    assert_eq!(status("", &review("u", 1)), 400);
    assert_eq!(status("application/json", &review("u", 1)), 200);
    assert_eq!(fixture.client().get("/nowhere").expect("an answer").status, 404);
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let fixture = Fixture::with(&[], |options| options.limits.body = 10_000);
    let large = "x".repeat(20_000);
    let response = fixture.client().post(MACHINES, &large).expect("an answer");
    assert_eq!(response.status, 413);
    assert_eq!(fixture.client().post(MACHINES, &review("u", 1)).expect("an answer").status, 200);
}

#[test]
fn a_client_that_says_nothing_is_let_go() {
    let fixture = Fixture::with(&[], |options| options.limits.time = Duration::from_millis(300));
    // Neither a handshake nor, after one, a request.
    let mut silent = TcpStream::connect(fixture.running.address).expect("the server accepts");
    silent.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    let start = Instant::now();
    assert_eq!(silent.read(&mut [0; 1]).expect("the end of the stream"), 0);
    assert!(start.elapsed() < Duration::from_secs(5));
    let mut idle = fixture.client();
    idle.get("/healthz").expect("an answer");
    std::thread::sleep(Duration::from_secs(2));
    assert!(idle.get("/healthz").is_err(), "the connection was ended");
}

#[test]
fn connections_beyond_the_limit_wait_for_their_turn() {
    let fixture = Fixture::with(&[], |options| options.limits.connections = 2);
    let (mut first, mut second) = (fixture.client(), fixture.client());
    first.get("/healthz").expect("an answer");
    second.get("/healthz").expect("an answer");
    let (address, certificate) = (fixture.running.address, fixture.certificate.clone());
    let third = std::thread::spawn(move || {
        let mut client = Client::connect(address, &certificate)?;
        client.get("/healthz").map(|it| it.status)
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(!third.is_finished(), "the third waits");
    drop(first);
    assert_eq!(third.join().expect("no panic").expect("an answer"), 200);
    assert_eq!(second.get("/healthz").expect("an answer").status, 200);
}

#[test]
fn a_body_that_does_not_arrive_is_not_waited_for() {
    let fixture = Fixture::with(&[], |options| options.limits.time = Duration::from_secs(2));
    let mut client = fixture.client();
    let start = Instant::now();
    client.send("POST", MACHINES, "application/json", 1000, "{").expect("the server reads");
    let ended = client.response().map(|it| it.status);
    assert!(matches!(ended, Ok(503) | Err(_)), "{ended:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    let numbers = fixture.client().get("/metrics").expect("an answer").text();
    assert!(numbers.contains("plumb_webhook_timeouts_total 1\n"), "{numbers}");
    assert_eq!(fixture.client().post(MACHINES, &review("u", 1)).expect("an answer").status, 200);
}
