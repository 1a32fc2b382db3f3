//! Hostile clients on a small scale; `cargo xtask load` runs them on a large scale.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, trusting};
use crate::fixture::{Fixture, review, template};

const MACHINES: &str = "/virtualmachine-validate";

/// The start of an HTTP/2 connection, with an empty settings frame.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A short time, although other tests run at the same time.
const AT_ONCE: Duration = Duration::from_secs(3);

fn hasty() -> Fixture {
    Fixture::with(&[("templates/a.yaml", &template(4))], |options| {
        options.limits.time = Duration::from_millis(300);
        options.limits.idle = Duration::from_millis(600);
    })
}

fn is_answered(fixture: &Fixture) -> bool {
    let start = Instant::now();
    let is_healthy = fixture.client().get("/healthz").is_ok_and(|it| it.status == 200);
    let denied = fixture.client().post(MACHINES, &review("u", 8));
    let is_denied = denied.is_ok_and(|it| it.json()["response"]["allowed"] == false);
    is_healthy && is_denied && start.elapsed() < AT_ONCE
}

/// A client that uses HTTP/2 over TLS.
fn http2(fixture: &Fixture) -> Client {
    let mut config = trusting(&fixture.certificate);
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = TcpStream::connect(fixture.running.address).expect("the server accepts");
    Client::over(stream, Arc::new(config)).expect("the server shows its certificate")
}

#[test]
fn every_phase_of_a_connection_has_a_deadline() {
    let fixture = hasty();
    let mut silent = TcpStream::connect(fixture.running.address).expect("the server accepts");
    silent.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    let start = Instant::now();
    assert_eq!(silent.read(&mut [0; 1]).expect("the end of the stream"), 0, "the handshake");
    assert!(start.elapsed() < AT_ONCE);

    let check = |what: &str, mut client: Client, sent: &[u8]| {
        let start = Instant::now();
        client.raw(sent).expect("the server reads");
        let said = client.end();
        assert!(start.elapsed() < AT_ONCE, "{what}: {:?}", start.elapsed());
        String::from_utf8_lossy(&said).into_owned()
    };
    check("the first byte", fixture.client(), b"");
    check("half a preface", fixture.client(), b"PRI * HT");
    check(
        "half a head",
        fixture.client(),
        b"POST /virtualmachine-validate HTTP/1.1\r\nHost: x\r\n",
    );
    check("no request on HTTP/2", http2(&fixture), PREFACE);
    let head = "POST /virtualmachine-validate HTTP/1.1\r\nHost: x\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let said = check("half a body", fixture.client(), head.as_bytes());
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    let mut idle = fixture.client();
    idle.get("/healthz").expect("an answer");
    check("between requests", idle, b"");
    let mut slow = fixture.client();
    slow.get("/healthz").expect("an answer");
    check("the head of another request", slow, b"GET ");
    let numbers = fixture.client().get("/metrics").expect("an answer").text();
    assert!(numbers.contains("plumb_webhook_timeouts_total 1\n"), "{numbers}");
}

#[test]
fn connections_without_requests_do_not_keep_others_out() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |options| {
        options.limits.connections = 16;
        options.limits.connections_of_client = 16;
    });
    let address = fixture.running.address;
    let _silent: Vec<TcpStream> =
        (0..40).map(|_| TcpStream::connect(address).expect("the server accepts")).collect();
    assert!(is_answered(&fixture));
    let _half: Vec<Client> = (0..20)
        .map(|_| {
            let mut client = fixture.client();
            client.raw(b"PRI * HT").expect("the server reads");
            client
        })
        .collect();
    assert!(is_answered(&fixture));
    let _bodies: Vec<Client> = (0..20)
        .map(|_| {
            let mut client = fixture.client();
            client.send_json(MACHINES, 1000, "{").expect("the server reads");
            client
        })
        .collect();
    assert!(is_answered(&fixture));
    let _http2: Vec<Client> = (0..20)
        .map(|_| {
            let mut client = http2(&fixture);
            client.raw(PREFACE).expect("the server reads");
            client
        })
        .collect();
    assert!(is_answered(&fixture));
}

#[test]
fn the_connection_that_was_idle_longest_is_closed_first() {
    let fixture = Fixture::with(&[], |options| options.limits.connections = 2);
    let (mut first, mut second) = (fixture.client(), fixture.client());
    first.get("/healthz").expect("an answer");
    // The server counts a connection as idle shortly after the client has read the answer.
    std::thread::sleep(Duration::from_millis(200));
    second.get("/healthz").expect("an answer");
    let mut third = fixture.client();
    assert_eq!(third.get("/healthz").expect("an answer").status, 200);
    assert_eq!(second.get("/healthz").expect("it is still open").status, 200);
    // The server closes it in a separate task, which may still have to run.
    let start = Instant::now();
    assert!(first.end().is_empty(), "nothing more was sent");
    assert!(start.elapsed() < AT_ONCE, "it was closed after {:?}", start.elapsed());
}

#[test]
fn a_body_that_is_declared_too_large_is_refused_at_once() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let start = Instant::now();
    client.send_json(MACHINES, 1 << 30, "").expect("the server reads");
    let answer = client.response().expect("an answer");
    assert!(start.elapsed() < AT_ONCE);
    assert_eq!(answer.status, 413);
    assert_eq!(answer.text(), "the body is larger than 4194304 bytes\n");
}

/// On HTTP/2 the answer comes first, and then the end of the stream without an error.
#[test]
fn a_refusal_on_http2_is_a_whole_answer() {
    let fixture = hasty();
    let mut head = Vec::new();
    for (name, value) in [
        (":method", "POST"),
        (":path", MACHINES),
        (":scheme", "https"),
        (":authority", "localhost"),
        ("content-type", "application/json"),
        ("content-length", "5000000"),
    ] {
        head.push(0);
        for text in [name, value] {
            head.push(u8::try_from(text.len()).expect("a short text"));
            head.extend_from_slice(text.as_bytes());
        }
    }
    let length = u8::try_from(head.len()).expect("a short head");
    let mut client = http2(&fixture);
    let frame = [&[0, 0, length, 1, 4, 0, 0, 0, 1], &*head].concat();
    client.raw(&[PREFACE, &*frame].concat()).expect("the server reads");
    let said = client.end();
    let mut frames = Vec::new();
    let mut rest = &*said;
    while let [_, high, low, kind, _, _, _, _, stream, after @ ..] = rest {
        let (payload, after) = after.split_at(usize::from(*high) << 8 | usize::from(*low));
        if *stream == 1 {
            frames.push((*kind, payload));
        }
        rest = after;
    }
    let [(1, _), (0, why), (3, code)] = &*frames else { panic!("{frames:?}") };
    assert_eq!(String::from_utf8_lossy(why), "the body is larger than 4194304 bytes\n");
    assert_eq!(*code, [0; 4]);
}

#[test]
fn a_client_that_closes_its_half_gets_its_answer() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let mut client = fixture.client();
    let body = review("u", 8);
    client.send_json(MACHINES, body.len(), &body).expect("it is sent");
    client.half_close().expect("the half is closed");
    let answer = client.response().expect("an answer");
    assert_eq!(answer.json()["response"]["allowed"], false);
    let plain = Fixture::with(&[("templates/a.yaml", &template(4))], |it| it.tls = None);
    let mut stream = TcpStream::connect(plain.running.address).expect("the server accepts");
    let head = format!(
        "POST {MACHINES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it is sent");
    stream.shutdown(std::net::Shutdown::Write).expect("the half is closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// Runs an attack on some threads while other requests are answered.
fn answered_beside(fixture: &Fixture, body: &str, n_threads: usize) -> Vec<u16> {
    let is_done = Arc::new(AtomicBool::new(false));
    let attackers: Vec<_> = (0..n_threads)
        .map(|_| {
            let (mut client, body) = (fixture.client(), body.to_owned());
            let is_done = Arc::clone(&is_done);
            std::thread::spawn(move || {
                let mut statuses = Vec::new();
                while !is_done.load(Ordering::Relaxed) || statuses.is_empty() {
                    match client.post(MACHINES, &body) {
                        Ok(answer) => statuses.push(answer.status),
                        Err(_) => break,
                    }
                }
                statuses
            })
        })
        .collect();
    for _ in 0..10 {
        assert!(is_answered(fixture));
    }
    is_done.store(true, Ordering::Relaxed);
    attackers.into_iter().flat_map(|it| it.join().expect("no panic")).collect()
}

#[test]
fn many_values_cost_no_one_else_anything() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let body = format!(r#"{{"request": {{"object": [1{}]}}}}"#, ",1".repeat(1_000_000));
    let statuses = answered_beside(&fixture, &body, 8);
    assert!(statuses.iter().all(|it| [400, 503].contains(it)), "{statuses:?}");
    assert!(statuses.contains(&400));
}

#[test]
fn many_patterns_cost_no_one_else_anything() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let rules: Vec<String> = (0..1900)
        .map(|number| {
            format!(
                r#"{{"name": "{number}", "rule": "regex", "message": "m", "regex": "^[a-z]{{1,9}}(a|b)*{number}$", "path": "jsonpath::.spec.hostname"}}"#
            )
        })
        .collect();
    let body = json!({"request": {"uid": "u", "operation": "CREATE",
        "resource": {"resource": "virtualmachines"},
        "object": {
            "metadata": {"annotations": {"vm.kubevirt.io/validations": format!("[{}]", rules.join(","))}},
            "spec": {"template": {"spec": {"hostname": "abc", "domain": {}}}}}}});
    let statuses = answered_beside(&fixture, &body.to_string(), 4);
    assert!(statuses.iter().all(|it| [200, 503].contains(it)), "{statuses:?}");
    assert!(statuses.contains(&200));
}

#[test]
fn no_request_is_lost_when_the_server_stops() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    let clients: Vec<_> = (0..16)
        .map(|_| {
            let mut client = fixture.client();
            std::thread::spawn(move || {
                for n_answers in 0.. {
                    let answer = client.post(MACHINES, &review("u", 1)).expect("no answer is lost");
                    assert_eq!(answer.status, 200);
                    if answer.head.contains("connection: close\r\n") {
                        return n_answers;
                    }
                }
                0
            })
        })
        .collect();
    // These have sent nothing since then.
    let mut idle: Vec<Client> = (0..8)
        .map(|_| {
            let mut client = fixture.client();
            client.get("/healthz").expect("an answer");
            client
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    let address = fixture.running.address;
    let mut probe = fixture.client();
    fixture.running.begin_stop();
    // The server notices it in another thread.
    let has_learnt = (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        probe.get("/readyz").is_ok_and(|answer| answer.status == 503)
    });
    assert!(has_learnt);
    for client in &mut idle {
        let answer = client.get("/readyz").expect("it is still answered");
        assert_eq!(answer.status, 503);
        assert!(answer.head.contains("connection: close\r\n"), "{}", answer.head);
    }
    for client in clients {
        assert!(client.join().expect("every answer is right") > 0);
    }
    drop(fixture);
    assert!(TcpStream::connect(address).is_err(), "no one listens any more");
}
