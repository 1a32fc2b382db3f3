//! Single requests.

use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::fixture::{Fixture, review, template};

const MACHINES: &str = "/virtualmachine-validate";

#[test]
fn a_machine_is_validated_by_the_template_it_names() {
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
fn denials_show_values_only_if_they_may() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |options| {
        options.shows_values = false;
    });
    let answer = |cores: u32| {
        let answer = fixture.client().post(MACHINES, &review("u", cores)).expect("an answer");
        answer.json()["response"].clone()
    };
    assert_eq!(answer(4711), answer(4712));
    assert_eq!(answer(4711)["status"]["message"], "at most 4: expected 4 or less");
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
    let check = |content_type: &str, body: &str, status: u16, why: &str| {
        let answer = fixture.client().request("POST", MACHINES, content_type, body);
        let answer = answer.expect("an answer");
        assert_eq!((answer.status, answer.text().trim_end()), (status, why));
    };
    let not = "the body is not an AdmissionReview";
    check(
        "application/json",
        "",
        400,
        &format!("{not}: expected more JSON, found the end of the text at byte 0"),
    );
    check(
        "application/json",
        "{\"request\": 1}",
        400,
        &format!("{not}: `request` must be an object at byte 12"),
    );
    let kind = "the Content-Type must be `application/json`, without parameters";
    check("application/json; charset=utf-8", &review("u", 1), 400, kind);
    check("", &review("u", 1), 400, kind);
    assert_eq!(fixture.client().post(MACHINES, &review("u", 1)).expect("an answer").status, 200);
    assert_eq!(fixture.client().get("/nowhere").expect("an answer").status, 404);
}

#[test]
fn denials_are_logged_with_the_time_and_without_values() {
    let lines = Arc::new(Mutex::new(Vec::<String>::new()));
    let log = Arc::clone(&lines);
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |options| {
        options.log = Arc::new(move |line| log.lock().expect("no panic").push(line.to_owned()));
    });
    let mut client = fixture.client();
    client.post(MACHINES, &review("u", 4711)).expect("an answer");
    client.post(MACHINES, &review("u", 1)).expect("an answer");
    client.post(MACHINES, "{").expect("an answer");
    let lines = lines.lock().expect("no panic");
    let said: Vec<&str> = lines
        .iter()
        .map(|line| {
            let (time, said) = line.split_once(' ').expect("a time and what happened");
            assert!(time.len() == 24 && time.starts_with("20") && time.ends_with('Z'), "{line}");
            said
        })
        .collect();
    assert!(said[0].starts_with("listening on 127.0.0.1:"), "{}", said[0]);
    assert_eq!(said[1], "denied CREATE of `default/vm`: rule `cores`: at most 4");
    assert_eq!(
        said[2],
        "refused a request of 127.0.0.1: the body is not an AdmissionReview: \
         expected more JSON, found the end of the text at byte 1"
    );
    assert_eq!(said.len(), 3);
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let fixture = Fixture::with(&[], |options| options.limits.body = 10_000);
    let large = "x".repeat(20_000);
    let response = fixture.client().post(MACHINES, &large).expect("an answer");
    assert_eq!(response.status, 413);
    assert_eq!(fixture.client().post(MACHINES, &review("u", 1)).expect("an answer").status, 200);
}
