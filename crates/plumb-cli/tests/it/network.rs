//! Files from the network.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use crate::sandbox::Sandbox;

/// Answers one request after the other, and returns the address of the server.
fn serve(answers: &'static [(&'static str, &'static [u8])]) -> String {
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
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            )
            .and_then(|()| stream.write_all(body))
            .expect("the client listens");
        }
    });
    format!("http://{address}")
}

#[test]
fn a_url_is_a_file_with_the_name_of_its_last_step() {
    let sandbox = Sandbox::new("network-get");
    let server = serve(&[("200 OK", b"a: 1\n")]);
    let url = format!("{server}/config/a.yml");
    assert_eq!(sandbox.plumb(&["-f", &url, "--files-inspect"]).output(), "- a.yml\n");
    assert_eq!(sandbox.plumb(&["-f", &url]).output(), "a: 1\n");
}

#[test]
fn anything_but_success_is_an_error() {
    let sandbox = Sandbox::new("network-missing");
    let url = format!("{}/a.yml", serve(&[("404 Not Found", b"a: 1\n")]));
    assert_eq!(
        sandbox.ytt(&["-f", &url]).failure(1),
        format!("ytt: Error: Requesting URL '{url}': 404 Not Found\n")
    );
}

#[test]
fn a_compressed_answer_is_decompressed() {
    // `a: 1` and a line break, compressed with gzip.
    const BODY: &[u8] = &[
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xb4, 0x52, 0x30, 0xe4,
        0x02, 0x00, 0x69, 0x19, 0x23, 0xe3, 0x05, 0x00, 0x00, 0x00,
    ];
    let sandbox = Sandbox::new("network-gzip");
    let url = format!("{}/a.yml", serve(&[("200 OK\r\nContent-Encoding: gzip", BODY)]));
    assert_eq!(sandbox.plumb(&["-f", &url]).output(), "a: 1\n");
}

/// The name of a file is shown, but a URL may contain a password or a token.
#[test]
fn credentials_in_a_url_are_masked() {
    const TEMPLATE: &[u8] = b"a: #@ int(\"q\")\n";
    let sandbox = Sandbox::new("network-secret").with("s.yml", "#@data/values-schema\n---\nx: 1\n");
    let refused = || serve(&[("403 Forbidden", b"")]);
    let served = || serve(&[("200 OK", TEMPLATE)]);
    let secret = |server: String| server.replace("http://", "http://user:hunter2@");
    for arguments in [
        vec!["-f".to_owned(), secret(refused()) + "/a.yml"],
        vec!["-f".to_owned(), secret(served()) + "/a.yml"],
        vec![
            "-f".to_owned(),
            "s.yml".to_owned(),
            "--data-values-file".to_owned(),
            secret(refused()) + "/v?hunter2",
        ],
        vec![
            "-f".to_owned(),
            "s.yml".to_owned(),
            "--data-values-file".to_owned(),
            secret(served()) + "/v.yml",
        ],
        vec![
            "-f".to_owned(),
            "s.yml".to_owned(),
            "--data-value-file".to_owned(),
            format!("x={}/v", secret(served())),
        ],
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let told = sandbox.plumb(&arguments).failure(1);
        assert!(!told.contains("hunter2"), "{told}");
    }
}

/// Command lines in which `URL` is an address where nothing listens, and whether a request is sent.
const ARGUMENTS: [(&str, bool); 17] = [
    ("-f URL", true),
    ("-f a.yml --data-values-file URL", true),
    ("-f a.yml --data-value-file x=URL", true),
    ("-f a.yml --kube-schemas URL", true),
    ("fmt URL", true),
    ("schema docs -f URL", true),
    ("schema import URL", true),
    ("validate --schema URL a.yml", true),
    ("build", true),
    ("test tests/a_test.yml", true),
    ("test tests/b_test.yml", false),
    ("-f load.yml", false),
    ("validate --schema s.json a.yml", false),
    ("generate URL", false),
    ("generate import.js", false),
    ("vm check URL", false),
    ("krm URL", false),
];

#[test]
fn only_urls_that_the_user_names_are_fetched() {
    const URL: &str = "http://127.0.0.1:9/x.yml";
    let sandbox = Sandbox::new("network-urls")
        .with("a.yml", "a: 1\n")
        .with("plumb.yml", format!("targets: {{a: {{file: \"{URL}\", output-files: out}}}}\n"))
        .with("tests/a_test.yml", format!("file: {URL}\ntests:\n- {{it: a, asserts: [exists: {{path: a}}]}}\n"))
        .with("tests/b_test.yml", format!("file: ../a.yml\ntests:\n- {{it: a, values: [\"{URL}\"], asserts: [exists: {{path: a}}]}}\n"))
        .with("load.yml", format!("#@ load(\"{URL}\", \"x\")\n---\na: 1\n"))
        .with("s.json", format!("{{\"$ref\": \"{URL}\"}}"))
        .with("import.js", format!("import x from '{URL}';\nexport default [];\n"));
    for (arguments, is_asked) in ARGUMENTS {
        let arguments = arguments.replace("URL", URL);
        let ran = sandbox.plumb(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, Some(1), "{arguments}: {}", ran.stderr);
        assert_eq!(
            ran.stderr.contains("Connection refused"),
            is_asked,
            "{arguments}: {}",
            ran.stderr
        );
    }
}
