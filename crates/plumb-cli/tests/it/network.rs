//! Files from the network.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use crate::sandbox::Sandbox;

/// Answers one request after the other, and returns the address to ask.
fn serve(answers: &'static [(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || {
        for (stream, (status, body)) in listener.incoming().zip(answers) {
            let mut stream = stream.expect("a client");
            let request = BufReader::new(&stream).lines();
            for line in request {
                if line.expect("readable").is_empty() {
                    break;
                }
            }
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .expect("the client listens");
        }
    });
    format!("http://{address}")
}

#[test]
fn a_url_is_a_file_with_the_name_of_its_last_step() {
    let sandbox = Sandbox::new("network-get");
    let server = serve(&[("200 OK", "a: 1\n")]);
    let url = format!("{server}/config/a.yml");
    assert_eq!(sandbox.plumb(&["-f", &url, "--files-inspect"]).output(), "- a.yml\n");
    assert_eq!(sandbox.plumb(&["-f", &url]).output(), "a: 1\n");
}

#[test]
fn anything_but_success_is_an_error() {
    let sandbox = Sandbox::new("network-missing");
    let url = format!("{}/a.yml", serve(&[("404 Not Found", "a: 1\n")]));
    assert_eq!(
        sandbox.ytt(&["-f", &url]).failure(1),
        format!("ytt: Error: Requesting URL '{url}': 404 Not Found\n")
    );
}
