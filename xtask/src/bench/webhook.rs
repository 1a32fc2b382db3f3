//! Compares the webhook with a trivial handler that parses the same body (`bench/webhook`):
//! requests per second and latency over TLS, with `wrk` as the client. Both servers run in
//! alternation.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::cpu;

/// The numbers of connections, which are kept alive.
const CONNECTIONS: [usize; 3] = [1, 32, 256];

const ROUNDS: usize = 3;

/// How long a round lasts.
const DURATION: &str = "4s";

/// The results of a client for one server.
#[derive(Clone, Copy)]
struct Load {
    per_second: f64,
    median_ms: f64,
    p99_ms: f64,
    /// CPU time of the server for a request.
    cpu_us: f64,
}

pub(super) fn table(root: &Path, plumb: &Path, peer: &Path, wrk: &Path) -> Result<String> {
    let directory = Scratch::new()?;
    let made = Command::new(peer).arg("certificate").arg(&directory.0).status()?;
    ensure!(made.success(), "the certificate could not be created");
    let mut table = format!(
        "{:>11}  {:>9} {:>9} {:>6}  {:>8} {:>8} {:>6}  {:>8} {:>8}  {:>7} {:>7}\n",
        "connections",
        "ours /s",
        "peer /s",
        "ratio",
        "ours us",
        "peer us",
        "ratio",
        "p50 ms",
        "peer p50",
        "p99 ms",
        "peer p99",
    );
    for connections in CONNECTIONS {
        let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            ours.push(Server::plumb(root, plumb, &directory.0)?.load(root, wrk, connections)?);
            theirs.push(Server::peer(peer, &directory.0)?.load(root, wrk, connections)?);
        }
        let [ours, theirs] = [best(&ours), best(&theirs)];
        writeln!(
            table,
            "{connections:>11}  {:>9.0} {:>9.0} {:>6.2}  {:>8.0} {:>8.0} {:>6.2}  {:>8.2} {:>8.2}  {:>7.2} {:>7.2}",
            ours.per_second,
            theirs.per_second,
            ours.per_second / theirs.per_second,
            ours.cpu_us,
            theirs.cpu_us,
            theirs.cpu_us / ours.cpu_us,
            ours.median_ms,
            theirs.median_ms,
            ours.p99_ms,
            theirs.p99_ms,
        )?;
    }
    Ok(table)
}

/// The best of each figure.
fn best(loads: &[Load]) -> Load {
    let least = |of: fn(&Load) -> f64| loads.iter().map(of).fold(f64::INFINITY, f64::min);
    Load {
        per_second: -least(|it| -it.per_second),
        median_ms: least(|it| it.median_ms),
        p99_ms: least(|it| it.p99_ms),
        cpu_us: least(|it| it.cpu_us),
    }
}

/// A server that runs until it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn plumb(root: &Path, program: &Path, directory: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["vm", "webhook", "--listen", "127.0.0.1:0"]);
        command.arg("--templates").arg(root.join("examples/machines/templates"));
        command.arg("--tls-cert").arg(directory.join("tls.crt"));
        command.arg("--tls-key").arg(directory.join("tls.key"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let log = child.stderr.take().context("standard error is piped")?;
        Self::listening(child, log)
    }

    fn peer(program: &Path, directory: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        let mut child = command.arg("serve").arg(directory).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("standard output is piped")?;
        Self::listening(child, output)
    }

    /// Waits for the first line, whose last word is the address.
    fn listening(child: Child, log: impl Read + Send + 'static) -> Result<Self> {
        let mut server = Self { child, address: String::new() };
        let mut log = BufReader::new(log);
        let mut line = String::new();
        log.read_line(&mut line)?;
        let address = line.split_whitespace().next_back();
        address.context("the server did not start")?.clone_into(&mut server.address);
        // Nobody reads the rest, but the pipe must not fill up.
        std::thread::spawn(move || log.lines().for_each(drop));
        Ok(server)
    }

    /// Sends reviews until the time is over.
    fn load(&self, root: &Path, wrk: &Path, connections: usize) -> Result<Load> {
        let process = self.child.id();
        let before = cpu::seconds_of(process)?;
        let output = Command::new(wrk)
            .args(["--threads", "1", "--duration", DURATION, "--timeout", "10s"])
            .args(["--connections", &connections.to_string()])
            .arg("--script")
            .arg(root.join("bench/webhook/post.lua"))
            .arg(format!("https://{}/virtualmachine-validate", self.address))
            .env("REVIEW", root.join("bench/webhook/review.json"))
            .output()
            .context("running wrk")?;
        let cpu = cpu::seconds_of(process)? - before;
        let text = String::from_utf8_lossy(&output.stdout);
        let figures = text.lines().find_map(|it| it.strip_prefix("result "));
        let figures = figures.with_context(|| format!("wrk printed no result:\n{text}"))?;
        let figures = figures.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let [per_second, median_ms, p99_ms, wrong, requests] = figures[..] else {
            anyhow::bail!("wrk printed another result: {figures:?}")
        };
        ensure!(wrong == 0.0, "{wrong} requests were not admitted");
        Ok(Load { per_second, median_ms, p99_ms, cpu_us: cpu * 1e6 / requests })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory that is removed when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("plumb-bench-webhook-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
