//! Templates that are objects of the cluster, with a small API server on loopback.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use plumb_webhook::{ApiServer, TemplateSource};

use crate::fixture::{Fixture, review};

/// The answers of the server: a status and a body for a list, and the lines of one watch.
#[derive(Default)]
struct Answers {
    status: u16,
    list: String,
    watch: Option<Receiver<String>>,
    asked: Vec<String>,
}

struct Api {
    address: String,
    answers: Arc<Mutex<Answers>>,
}

impl Api {
    /// Serves templates of OpenShift, and no others.
    fn start(list: &str) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let list = list.to_owned();
        let answers = Arc::new(Mutex::new(Answers { status: 200, list, ..Answers::default() }));
        let shared = Arc::clone(&answers);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answers = Arc::clone(&shared);
                std::thread::spawn(move || answer(stream, &answers));
            }
        });
        Self { address, answers }
    }

    /// The next watch sends these lines until the sender is dropped.
    fn watch(&self) -> Sender<String> {
        let (sender, receiver) = channel();
        self.answers.lock().expect("no panic").watch = Some(receiver);
        sender
    }

    fn source(&self) -> TemplateSource {
        let address = self.address.clone();
        TemplateSource::Api(ApiServer { address, token: None, authority: None })
    }
}

/// Answers one request. A watch without lines waits, as in a cluster without changes.
fn answer(mut stream: TcpStream, answers: &Mutex<Answers>) {
    let mut lines = BufReader::new(stream.try_clone().expect("a second handle")).lines();
    let Some(Ok(first)) = lines.next() else { return };
    while lines.next().is_some_and(|it| it.is_ok_and(|it| !it.is_empty())) {}
    let mut given = answers.lock().expect("no panic");
    given.asked.push(first.clone());
    if !first.contains("/apis/template.openshift.io/v1/templates?") {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    } else if first.contains("watch=true") {
        let events = given.watch.take();
        drop(given);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        match events {
            Some(events) => {
                for line in events {
                    let _ = write!(stream, "{:x}\r\n{line}\n\r\n", line.len() + 1);
                }
                let _ = stream.write_all(b"0\r\n\r\n");
            }
            None => std::thread::park(),
        }
    } else {
        let (status, list) = (given.status, given.list.clone());
        let length = list.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{list}"
        );
    }
}

/// A template as an item of a list, which has no kind.
fn template(max: u32, version: u32) -> String {
    let rule = format!(
        r#"[{{\"name\": \"cores\", \"rule\": \"integer\", \"max\": {max}, \"message\": \"too many cores\", \"path\": \"jsonpath::.spec.domain.cpu.cores\"}}]"#
    );
    format!(
        r#"{{"metadata": {{"name": "small", "namespace": "default", "resourceVersion": "{version}", "annotations": {{"validations": "{rule}"}}}}}}"#
    )
}

fn list(items: &str) -> String {
    format!(r#"{{"metadata": {{"resourceVersion": "5"}}, "items": [{items}]}}"#)
}

fn event(kind: &str, object: &str) -> String {
    format!(r#"{{"type": "{kind}", "object": {object}}}"#)
}

fn is_admitted(fixture: &Fixture, cores: u32) -> bool {
    let answer = fixture.client().post("/virtualmachine-validate", &review("u", cores));
    answer.expect("an answer").json()["response"]["allowed"] == true
}

#[test]
fn templates_are_listed_and_changes_take_effect() {
    let api = Api::start(&list(&template(4, 5)));
    let changes = api.watch();
    let fixture = Fixture::with(&[], |options| options.templates = api.source());
    assert!(is_admitted(&fixture, 4) && !is_admitted(&fixture, 5), "the list is used at once");
    changes.send(event("MODIFIED", &template(9, 6))).expect("it is watched");
    fixture.eventually("the change is seen", |it| is_admitted(it, 9) && !is_admitted(it, 10));
    changes.send(event("DELETED", &template(9, 7))).expect("it is watched");
    fixture.eventually("the deletion is seen", |it| is_admitted(it, 10));
    changes.send(event("BOOKMARK", r#"{"metadata": {"resourceVersion": "8"}}"#)).expect("watched");
    let more = api.watch();
    drop(changes);
    more.send(event("ADDED", &template(2, 9))).expect("nobody has dropped it");
    fixture.eventually("it is watched again", |it| !is_admitted(it, 3));
    let asked = api.answers.lock().expect("no panic").asked.join("\n");
    assert!(asked.contains("watch=true&allowWatchBookmarks=true"), "{asked}");
    assert!(
        asked.contains("resourceVersion=5 ") && asked.contains("resourceVersion=8 "),
        "{asked}"
    );
}

#[test]
fn forgotten_changes_are_listed_again() {
    let api = Api::start(&list(&template(4, 5)));
    let changes = api.watch();
    let fixture = Fixture::with(&[], |options| options.templates = api.source());
    api.answers.lock().expect("no panic").list = list(&template(7, 90));
    changes.send(event("ERROR", r#"{"code": 410}"#)).expect("it is watched");
    fixture.eventually("the new list is used", |it| is_admitted(it, 7) && !is_admitted(it, 8));
}

#[test]
fn what_is_known_stays_in_use_when_the_server_fails() {
    let api = Api::start(&list(&template(4, 5)));
    let changes = api.watch();
    let fixture = Fixture::with(&[], |options| options.templates = api.source());
    changes.send(event("ERROR", r#"{"code": 403}"#)).expect("it is watched");
    fixture.eventually("the failure is reported", |it| {
        let verbose = it.client().get("/readyz?verbose").expect("an answer").text();
        verbose.contains("cannot watch Template objects, known ones are used: status 403")
    });
    assert!(is_admitted(&fixture, 4) && !is_admitted(&fixture, 5));
    assert_eq!(fixture.client().get("/readyz").expect("an answer").status, 200);
}

/// With files, the old rules stay in use if a change is malformed. With the API server, one
/// template must not delay others.
#[test]
fn a_faulty_template_is_reported_and_others_still_change() {
    let api = Api::start(&list(&template(4, 5)));
    let changes = api.watch();
    let fixture = Fixture::with(&[], |options| options.templates = api.source());
    let faulty = template(1, 6).replace("small", "faulty").replace("[{", "[{,");
    changes.send(event("ADDED", &faulty)).expect("it is watched");
    changes.send(event("MODIFIED", &template(6, 7))).expect("it is watched");
    fixture.eventually("the change is seen", |it| is_admitted(it, 6) && !is_admitted(it, 7));
    let verbose = fixture.client().get("/readyz?verbose").expect("an answer").text();
    assert!(verbose.contains("template `default/faulty`, annotation `validations`"), "{verbose}");
}

#[test]
fn a_server_that_forbids_it_prevents_the_start() {
    let api = Api::start("");
    api.answers.lock().expect("no panic").status = 403;
    let options = plumb_webhook::Options {
        listen: "127.0.0.1:0".to_owned(),
        tls: None,
        templates: api.source(),
        machines: None,
        shows_values: false,
        limits: plumb_webhook::Limits::default(),
        log: Arc::new(|_| {}),
    };
    let error = plumb_webhook::start(options).err().expect("it is forbidden").to_string();
    assert!(
        error.starts_with("cannot read templates from the API server: status 403: the service"),
        "{error}"
    );
}
