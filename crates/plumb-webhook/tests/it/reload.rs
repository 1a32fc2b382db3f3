//! Files that change while the server runs.

use std::fs;
use std::sync::{Arc, Mutex};

use crate::client::Client;
use crate::fixture::{Fixture, new_certificate, review, template, write};

const MACHINES: &str = "/virtualmachine-validate";

fn is_admitted(fixture: &Fixture, cores: u32) -> bool {
    let answer = fixture.client().post(MACHINES, &review("u", cores)).expect("an answer");
    answer.json()["response"]["allowed"] == true
}

#[test]
fn templates_are_read_again_when_they_change() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    assert!(!is_admitted(&fixture, 8));
    write(&fixture.dir.join("templates/a.yaml"), &template(9));
    fixture.eventually("a template that changed is seen", |it| is_admitted(it, 8));
    fs::remove_file(fixture.dir.join("templates/a.yaml")).expect("a file");
    fixture.eventually("a template that is gone has no rules", |it| is_admitted(it, 80));
    fs::create_dir(fixture.dir.join("templates/more")).expect("a writable directory");
    write(&fixture.dir.join("templates/more/b.yml"), &template(2));
    fixture.eventually("a template that is new is seen", |it| !is_admitted(it, 3));
}

#[test]
fn what_cannot_be_read_changes_nothing() {
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |_| {});
    write(&fixture.dir.join("templates/a.yaml"), "a: [");
    fixture.eventually("the failure is counted", |it| {
        let numbers = it.client().get("/metrics").expect("an answer").text();
        numbers.contains("plumb_webhook_failed_reloads_total 1")
    });
    assert!(!is_admitted(&fixture, 8));
    assert!(is_admitted(&fixture, 4));
    write(&fixture.dir.join("templates/a.yaml"), &template(9));
    fixture.eventually("the repair is seen", |it| is_admitted(it, 8));
}

#[test]
fn the_certificate_is_read_again_when_it_changes() {
    let fixture = Fixture::new();
    let mut old = fixture.client();
    old.get("/healthz").expect("an answer");
    let new = new_certificate(&fixture.dir);
    fixture.eventually("the new certificate is shown", |it| {
        let client = Client::connect(it.running.address, &new);
        client.and_then(|mut client| client.get("/healthz")).is_ok()
    });
    let refused = Client::connect(fixture.running.address, &fixture.certificate);
    assert!(refused.and_then(|mut client| client.get("/healthz")).is_err());
    assert_eq!(old.get("/healthz").expect("connections go on").status, 200);
}

#[test]
fn what_is_wrong_with_templates_is_logged() {
    let lines = Arc::new(Mutex::new(Vec::<String>::new()));
    let log = Arc::clone(&lines);
    let fixture = Fixture::with(&[("templates/a.yaml", &template(4))], |options| {
        options.log = Arc::new(move |line| log.lock().expect("no panic").push(line.to_owned()));
    });
    let faulty = template(9).replace("\"message\": \"at most 9\",", "");
    write(&fixture.dir.join("templates/a.yaml"), &faulty);
    let fault =
        "template `default/small`, annotation `validations`: rule `cores`: `message` must be given";
    let has_logged =
        |expected: &str| lines.lock().expect("no panic").iter().any(|it| it.ends_with(expected));
    fixture.eventually("the fault is logged", |_| has_logged(fault));
    let place = "a.yaml:";
    let is_kept = |it: &String| it.contains("Z kept templates as before: ") && it.contains(place);
    assert!(lines.lock().expect("no panic").iter().any(is_kept), "the line is named");
    assert!(is_admitted(&fixture, 4), "the rules that worked stay");
    assert!(!is_admitted(&fixture, 8), "the rules that worked stay");
    let numbers = fixture.client().get("/metrics").expect("an answer").text();
    assert!(numbers.contains("plumb_webhook_failed_reloads_total 1\n"), "{numbers}");
    write(&fixture.dir.join("templates/a.yaml"), &template(9));
    fixture.eventually("the repair is seen", |it| is_admitted(it, 8));
}

#[test]
fn a_template_that_is_faulty_from_the_start_does_not_keep_others_from_changing() {
    let faulty = template(4).replace("\"message\": \"at most 4\",", "");
    let files = [("templates/a.yaml", &*faulty)];
    let fixture = Fixture::with(&files, |_| {});
    assert!(!is_admitted(&fixture, 1), "a rule that cannot be applied refuses");
    write(&fixture.dir.join("templates/b.yaml"), "kind: Template\nmetadata: {name: b}\n");
    fixture.eventually("the other is read", |it| {
        let numbers = it.client().get("/metrics").expect("an answer").text();
        numbers.contains("plumb_webhook_templates 2\n")
    });
}

#[test]
fn a_file_that_cannot_be_read_is_skipped_and_reported() {
    let lines = Arc::new(Mutex::new(Vec::<String>::new()));
    let log = Arc::clone(&lines);
    let not_json = template(9).replace("[{", "[{,").replace("name: small", "name: other");
    let files = [
        ("templates/a.yaml", &*template(4)),
        ("templates/b.yaml", "a: ["),
        ("templates/c.yaml", &*template(9)),
        ("templates/d.yaml", &*not_json),
    ];
    let fixture = Fixture::with(&files, |options| {
        options.log = Arc::new(move |line| log.lock().expect("no panic").push(line.to_owned()));
    });
    assert!(is_admitted(&fixture, 4), "the other files are served");
    assert!(!is_admitted(&fixture, 8), "the first template of a name counts");
    let mut client = fixture.client();
    let numbers = client.get("/metrics").expect("an answer").text();
    for line in [
        "plumb_webhook_templates 2\n",
        "plumb_webhook_unreadable_files 1\n",
        "plumb_webhook_template_findings 2\n",
    ] {
        assert!(numbers.contains(line), "{line} in {numbers}");
    }
    assert_eq!(client.get("/readyz").expect("an answer").text(), "ok");
    let verbose = client.get("/readyz?verbose").expect("an answer");
    assert_eq!(verbose.status, 200);
    let verbose = verbose.text();
    let logged = lines.lock().expect("no panic").join("\n");
    for expected in [
        "templates/b.yaml: ",
        "template `default/small` is given twice: ",
        "template `default/other`, annotation `validations`: the rules cannot be read: ",
    ] {
        assert!(verbose.contains(expected), "{expected} in {verbose}");
        assert!(logged.contains(expected), "{expected} in {logged}");
    }
    assert!(verbose.starts_with("ok\ntemplates: 2\nproblems: 3\n"), "{verbose}");
    write(&fixture.dir.join("templates/b.yaml"), "{}");
    fixture.eventually("the repair is seen", |it| {
        let numbers = it.client().get("/metrics").expect("an answer").text();
        numbers.contains("plumb_webhook_unreadable_files 0\n")
    });
}
