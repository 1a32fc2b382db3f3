//! `plumb vm webhook` as a process: it serves, and ends on a signal.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
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

/// A process that is killed at the end of its test.
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

/// Starts a server with one template, and returns it with its address.
fn serve(name: &str, more: &[&str]) -> (Served, Sandbox, String) {
    let sandbox = Sandbox::new(name).with("templates/small.yaml", TEMPLATE);
    let arguments = ["vm", "webhook", "--listen", "127.0.0.1:0", "--templates", "templates"];
    let mut command = sandbox.command("plumb", &[&arguments[..], more].concat());
    let mut served = Served(command.spawn().expect("the program starts"));
    let mut said = BufReader::new(served.0.stderr.take().expect("it is piped"));
    let mut line = String::new();
    said.read_line(&mut line).expect("the program says something");
    let (_, address) = line.trim().split_once("Z listening on ").expect("it says when and where");
    // Nobody reads the log, but the pipe must not fill up.
    std::thread::spawn(move || said.lines().for_each(drop));
    (served, sandbox, address.to_owned())
}

#[test]
fn a_webhook_serves_until_it_is_told_to_end() {
    let (mut served, _sandbox, address) = serve("webhook-serves", &[]);
    let answer = ask(&address, REVIEW);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("at most two cores: expected 2 or less"), "{answer}");
    let pid = served.0.id().to_string();
    Command::new("kill").arg(pid).status().expect("kill is there");
    assert_eq!(served.ended().code(), Some(0));
}

#[test]
fn a_webhook_shows_values_if_it_is_told_to() {
    let (_served, _sandbox, address) = serve("webhook-values", &["--show-values"]);
    let answer = ask(&address, REVIEW);
    assert!(answer.contains("at most two cores: value 4 is higher than maximum [2]"), "{answer}");
}

/// Many large requests at once need no more memory than the manifest under `deploy/` allows.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_a_webhook_is_bounded() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    const MAX_MEMORY: u64 = 256 << 10;
    let (served, _sandbox, address) = serve("webhook-memory", &[]);
    let values = format!(r#"{{"request": {{"object": [1{}]}}}}"#, ",1".repeat(2_000_000));
    let rule = r#"{\"name\":\"N\",\"rule\":\"regex\",\"regex\":\"^[a-z]{1,99}(a|b)*N$\",\"message\":\"m\",\"path\":\"jsonpath::.spec.hostname\"}"#;
    let rules: Vec<String> = (0..1900).map(|it| rule.replace('N', &it.to_string())).collect();
    let object = format!(
        r#"{{"metadata": {{"annotations": {{"vm.kubevirt.io/validations": "[{}]"}}}},
            "spec": {{"template": {{"spec": {{"hostname": "abc", "domain": {{}}}}}}}}}}"#,
        rules.join(",")
    );
    let patterns = format!(
        r#"{{"request": {{"resource": {{"resource": "virtualmachines"}}, "object": {object}}}}}"#
    );
    let bodies = [values, patterns];
    let n_answers = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..24 {
            let (address, body, n_answers) = (&address, &bodies[number % 2], &n_answers);
            scope.spawn(move || {
                // A body that is dropped to make room for others is not read to its end.
                let Ok(answer) = try_ask(address, body) else { return };
                let is_expected = |it: &&str| answer.starts_with(&format!("HTTP/1.1 {it} "));
                assert!(["200", "400", "503"].iter().any(is_expected), "{answer}");
                n_answers.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert!(n_answers.into_inner() > 0, "the server answered no request");
    let status = fs::read_to_string(format!("/proc/{}/status", served.0.id()));
    let status = status.expect("the process is there");
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).expect("Linux counts it");
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(peak < MAX_MEMORY, "{} MiB", peak >> 10);
}

fn ask(address: &str, body: &str) -> String {
    try_ask(address, body).expect("the server answers")
}

fn try_ask(address: &str, body: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    let head = "POST /virtualmachine-validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                Content-Type: application/json\r\nContent-Length:";
    stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn the_arguments_of_the_deployment_are_understood() {
    let deployment =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/base/deployment.yaml");
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
    let both = [&served[..], &["--watch-templates"]].concat();
    check(&both, 2, "vm webhook takes --templates or --watch-templates, not both");
    let unused = [&served[..], &["--api-server", "http://127.0.0.1:1"]].concat();
    check(&unused, 2, "--api-server has no effect without --watch-templates");
    let watched = ["--listen", "127.0.0.1:0", "--watch-templates", "--api-server"];
    let nobody = [&watched[..], &["http://127.0.0.1:1"]].concat();
    check(&nobody, 1, "cannot read templates from the API server: ");
    check(&["extra"], 2, "extra");
}
