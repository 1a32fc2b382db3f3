//! Many requests while templates are being replaced.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::fixture::{Fixture, review, template, write};

const CONNECTIONS: usize = 32;
const REQUESTS: usize = 10_000;

/// Versions of the template: each allows this many cores.
const VERSIONS: [u32; 3] = [2, 4, 6];

#[test]
fn no_answer_is_wrong_or_lost_while_templates_are_replaced() {
    let first = template(VERSIONS[0]);
    let fixture = Fixture::with(&[("templates/a.yaml", &first)], |_| {});
    let is_done = Arc::new(AtomicBool::new(false));
    let asked = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let clients: Vec<_> = (0..CONNECTIONS)
        .map(|number| {
            let (address, certificate) = (fixture.running.address, fixture.certificate.clone());
            let asked = Arc::clone(&asked);
            std::thread::spawn(move || {
                let mut client = Client::connect(address, &certificate).expect("a connection");
                ask(&mut client, number, &asked)
            })
        })
        .collect();
    let replacer = {
        let (path, is_done) = (fixture.dir.join("templates/a.yaml"), Arc::clone(&is_done));
        std::thread::spawn(move || {
            let mut n_versions = 0;
            while !is_done.load(Ordering::Relaxed) {
                n_versions += 1;
                write(&path, &template(VERSIONS[n_versions % VERSIONS.len()]));
                std::thread::sleep(Duration::from_millis(25));
            }
            n_versions
        })
    };
    let seen: Vec<[usize; 3]> =
        clients.into_iter().map(|it| it.join().expect("every answer is right")).collect();
    is_done.store(true, Ordering::Relaxed);
    let n_versions = replacer.join().expect("no panic");
    let by_version: Vec<usize> = (0..3).map(|at| seen.iter().map(|it| it[at]).sum()).collect();
    assert_eq!(by_version.iter().sum::<usize>(), REQUESTS, "every request is answered");
    assert!(n_versions > 3, "templates were replaced: {n_versions}");
    let n_seen = by_version.iter().filter(|it| **it > 0).count();
    assert!(n_seen > 1, "more than one version was seen: {by_version:?} in {:?}", start.elapsed());
}

/// Sends requests until all clients have sent enough, and counts the answers of each version.
fn ask(client: &mut Client, number: usize, asked: &AtomicUsize) -> [usize; 3] {
    let mut counts = [0; 3];
    loop {
        let turn = asked.fetch_add(1, Ordering::Relaxed);
        if turn >= REQUESTS {
            return counts;
        }
        let uid = format!("{number}-{turn}");
        let cores = 1 + u32::try_from(turn % 8).expect("below 8");
        let answer = client.post("/virtualmachine-validate", &review(&uid, cores));
        let answer = answer.expect("no answer is lost");
        assert_eq!(answer.status, 200);
        let answer = answer.json();
        let response = &answer["response"];
        assert_eq!(response["uid"], uid, "the answer is to this question");
        let version = VERSIONS.iter().position(|max| {
            let warning = format!("version {max}: value {cores} is higher than maximum [0]");
            response["warnings"][0] == warning
        });
        let version = version.expect("the answer is of one version");
        let max = VERSIONS[version];
        assert_eq!(response["allowed"], cores <= max, "{cores} cores, at most {max}");
        if cores > max {
            let message = format!("at most {max}: value {cores} is higher than maximum [{max}]");
            assert_eq!(response["status"]["details"]["causes"][0]["message"], message);
        }
        counts[version] += 1;
    }
}
