//! A server on a free port, and clients that talk to it byte by byte.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use plumb_website::{Asset, Options, Running, StartError, start};

/// `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`, compressed.
const PAGE: &[u8] = include_bytes!("index.html.gz");

const FILES: &[Asset] = &[Asset { name: "index.html", brotli: b"brotli", gzip: PAGE }];

fn options(listen: &str) -> Options {
    Options { listen: listen.to_owned(), redirects_to_https: true, files: FILES }
}

fn server() -> Running {
    start(&options("localhost:0")).expect("the server starts")
}

/// Sends bytes, and reads until the server closes the connection.
fn talk(server: &Running, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address).expect("the server accepts");
    stream.write_all(bytes.as_bytes()).expect("the server reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the server answers");
    String::from_utf8_lossy(&answer).into_owned()
}

fn ask(server: &Running, method: &str, path: &str) -> String {
    let head = "Host: localhost\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n";
    talk(server, &format!("{method} {path} HTTP/1.1\r\n{head}"))
}

#[test]
fn a_name_listens_on_this_machine_alone_and_port_0_is_a_free_one() {
    let server = server();
    assert!(server.address.ip().is_loopback());
    assert_ne!(server.address.port(), 0);
}

#[test]
fn a_page_is_sent_with_its_head_or_as_its_head_alone() {
    let server = server();
    let whole = ask(&server, "GET", "/");
    assert!(whole.starts_with("HTTP/1.1 200 OK\r\n"), "{whole}");
    assert!(whole.ends_with("\r\n\r\nbrotli"), "{whole}");
    let head = ask(&server, "HEAD", "/");
    assert!(head.contains("content-length: 6\r\n"), "{head}");
    assert!(head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = server();
    for path in ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/index.html/.."] {
        let answer = ask(&server, "GET", path);
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
    }
}

#[test]
fn two_requests_share_a_connection() {
    let server = server();
    let one = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert_eq!(talk(&server, &format!("{one}{last}")).matches("\r\n\r\nok").count(), 2);
}

#[test]
fn what_is_not_http_is_refused() {
    let server = server();
    assert!(talk(&server, "\x16\x03\x01 TLS\r\n\r\n").starts_with("HTTP/1.1 400 "));
    assert!(ask(&server, "GET", "/").starts_with("HTTP/1.1 200 "), "others are served");
}

#[test]
fn an_address_that_cannot_be_used_is_an_error() {
    let first = server();
    let taken = first.address.to_string();
    let error = start(&options(&taken)).expect_err("the port is taken");
    assert!(matches!(error, StartError::Listen { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("cannot listen on {taken}: ")), "{error}");
    for wrong in ["localhost", "70000", "localhost:http:x", ""] {
        let error = start(&options(wrong)).expect_err("it is not an address");
        assert!(matches!(error, StartError::Address { .. }), "{wrong}: {error}");
    }
}

#[test]
fn a_stopped_server_accepts_nobody() {
    let server = server();
    let address = server.address;
    drop(server);
    let isolated = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        TcpStream::connect(address).is_err()
    });
    assert!(isolated, "someone still listens");
}
