//! `plumb vm webhook` as a process: it serves, and ends when it is told to.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

const PLUMB: &str = env!("CARGO_BIN_EXE_plumb");

const TEMPLATE: &str = r#"
kind: Template
metadata:
  name: small
  namespace: default
  annotations:
    validations: |
      [{"name": "cores", "rule": "integer", "max": 2, "message": "at most two cores",
        "path": "jsonpath::.spec.domain.cpu.cores"}]
"#;

const REVIEW: &str = r#"{"request": {
    "uid": "u-1", "operation": "CREATE",
    "resource": {"group": "kubevirt.io", "version": "v1", "resource": "virtualmachines"},
    "object": {
        "metadata": {"name": "vm", "labels": {
            "vm.kubevirt.io/template": "small", "vm.kubevirt.io/template.namespace": "default"}},
        "spec": {"template": {"spec": {"domain": {"cpu": {"cores": 4}}}}}}}}"#;

/// A process that does not outlive its test.
struct Served(Child);

impl Served {
    fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("the process is ours") {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_webhook_serves_until_it_is_told_to_end() {
    let sandbox = Sandbox::new("webhook-serves").with("templates/small.yaml", TEMPLATE);
    let arguments = ["vm", "webhook", "--listen", "127.0.0.1:0", "--templates", "templates"];
    let mut command = sandbox.command("plumb", &arguments);
    let mut served = Served(command.spawn().expect("the program starts"));
    let mut said = BufReader::new(served.0.stderr.take().expect("it is piped"));
    let mut line = String::new();
    said.read_line(&mut line).expect("the program says something");
    let (_, address) = line.trim().split_once("Z listening on ").expect("it says when and where");
    let answer = ask(address);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("at most two cores: value 4 is higher than maximum [2]"), "{answer}");
    let pid = served.0.id().to_string();
    Command::new("kill").arg(pid).status().expect("kill is there");
    assert_eq!(served.ended().code(), Some(0));
}

fn ask(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server accepts");
    let head = "POST /virtualmachine-validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                Content-Type: application/json\r\nContent-Length:";
    let request = format!("{head} {}\r\n\r\n{REVIEW}", REVIEW.len());
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    answer
}

#[test]
fn the_arguments_of_the_deployment_are_understood() {
    let deployment = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/deployment.yaml");
    let deployment = fs::read_to_string(deployment).expect("the manifest is there");
    let arguments = deployment.lines().skip_while(|it| it.trim() != "args:").skip(1);
    let arguments: Vec<&str> = arguments.map_while(|it| it.trim().strip_prefix("- ")).collect();
    assert_eq!(arguments[..2], ["vm", "webhook"]);
    let output = Command::new(PLUMB).args(&arguments).arg("--help").output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_cannot_be_served_is_told() {
    let check = |arguments: &[&str], code: i32, words: &str| {
        let output = Command::new(PLUMB).args(["vm", "webhook"]).args(arguments).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(words), "{said}");
    };
    check(&[], 2, "vm webhook requires --listen");
    check(&["--listen", "127.0.0.1:0"], 2, "vm webhook requires --templates");
    let served = ["--listen", "127.0.0.1:0", "--templates", "no/such/directory"];
    check(&served, 1, "cannot list no/such/directory");
    check(&[&served[..], &["--tls-cert", "a"]].concat(), 2, "vm webhook requires --tls-key");
    check(&["extra"], 2, "extra");
}
