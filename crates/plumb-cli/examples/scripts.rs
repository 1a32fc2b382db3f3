//! Compares generators with node, Deno and Bun, in alternating runs, so that the ratios are
//! meaningful even if absolute times are not. Times are CPU seconds (user and system) of the best
//! of several runs.
//!
//! ```console
//! $ npm install --prefix peer js-yaml deno bun
//! $ cargo run --release -p plumb-cli --example scripts -- \
//!       --ours target/release/plumb --node-modules peer/node_modules --deno PATH --bun PATH
//! ```

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool for developers: it starts programs and talks to the terminal"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNS: usize = 7;

struct Options {
    ours: PathBuf,
    peers: Vec<Peer>,
    node_modules: PathBuf,
}

/// A program that runs the same modules.
struct Peer {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
}

struct Workload {
    name: &'static str,
    /// The highest allowed time, as a share of the time of the fastest other program.
    bar: f64,
    /// How often it runs in a measurement.
    repeats: u16,
    /// Files in addition to the entry points.
    files: Vec<(String, String)>,
    /// The module that describes the files, for both.
    config: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let root = std::env::temp_dir().join(format!("plumb-scripts-{}", std::process::id()));
    print!("{:<12} {:>9}", "workload", "plumb s");
    options.peers.iter().for_each(|it| print!(" {:>9}", format!("{} s", it.name)));
    println!(" {:>7} {:>7}", "ratio", "bar");
    for workload in [start_up(), project(), objects()] {
        let directory = root.join(workload.name);
        lay_out(&directory, &workload, &options)?;
        let (ours, peers) = measure(&directory, workload.repeats, &options)?;
        let fastest = peers.iter().copied().fold(f64::INFINITY, f64::min);
        print!("{:<12} {ours:>9.4}", workload.name);
        for it in &peers {
            print!(" {it:>9.4}");
        }
        println!(" {:>7.3} {:>7.3}", ours / fastest, workload.bar);
    }
    std::fs::remove_dir_all(root)?;
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let peer = |name, program: &str, arguments| Peer { name, program: program.into(), arguments };
    let mut options = Options {
        ours: "target/release/plumb".into(),
        peers: vec![peer("node", "node", &["main.mjs"])],
        node_modules: "node_modules".into(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().ok_or("a flag needs a value")?;
        match flag.as_str() {
            "--ours" => options.ours = Path::new(&value).canonicalize()?,
            "--node" => options.peers[0].program = value.into(),
            "--deno" => options.peers.push(peer("deno", &value, &["run", "-A", "main.mjs"])),
            "--bun" => options.peers.push(peer("bun", &value, &["main.mjs"])),
            "--node-modules" => options.node_modules = Path::new(&value).canonicalize()?,
            _ => return Err(format!("no such flag: {flag}").into()),
        }
    }
    Ok(options)
}

/// The cost of starting a run.
fn start_up() -> Workload {
    let config = "export default [{ path: 'hello.yaml', value: { hello: 'world' } }];\n";
    Workload {
        name: "start-up",
        bar: 0.1,
        repeats: 20,
        files: Vec::new(),
        config: config.to_owned(),
    }
}

/// Fifty modules that import each other, with one file from each.
fn project() -> Workload {
    let mut config = String::new();
    let mut files = vec![("lib.js".to_owned(), LIBRARY.to_owned())];
    for number in 0..50 {
        let module = format!(
            "import {{ deployment }} from './lib.js';\n\
             export default {{ path: 'app{number}.yaml', value: deployment('app{number}', 4) }};\n"
        );
        files.push((format!("app{number}.js"), module));
        let _ = writeln!(config, "import app{number} from './app{number}.js';");
    }
    let names: Vec<String> = (0..50).map(|number| format!("app{number}")).collect();
    let _ = writeln!(config, "export default [{}];", names.join(", "));
    Workload { name: "50 files", bar: 1.0 / 3.0, repeats: 5, files, config }
}

/// Five thousand large objects in one stream of documents.
fn objects() -> Workload {
    let config = "import { deployment } from './lib.js';\n\
        const values = Array.from({ length: 5000 }, (_, n) => deployment(`app${n}`, 3));\n\
        export default [{ path: 'all.yaml', value: values, format: 4 }];\n";
    let files = vec![("lib.js".to_owned(), LIBRARY.to_owned())];
    Workload { name: "5000 objects", bar: 1.0, repeats: 1, files, config: config.to_owned() }
}

const LIBRARY: &str = r"
const labels = (name) => ({ app: name, 'app.kubernetes.io/name': name, team: 'platform' });

class Container {
  constructor(name, number) {
    this.name = `${name}-${number}`;
    this.image = `registry.example.com/${name}:v1.${number}`;
    this.ports = [{ containerPort: 8000 + number, protocol: 'TCP' }];
    this.resources = { limits: { cpu: `${number + 1}00m`, memory: '256Mi' }, requests: { cpu: '50m' } };
    this.env = Array.from({ length: 5 }, (_, n) => ({ name: `VARIABLE_${n}`, value: `${name} ${n}` }));
  }
}

export function deployment(name, size) {
  const containers = Array.from({ length: size }, (_, n) => ({ ...new Container(name, n) }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labels(name), annotations: { note: 'generated; do not edit' } },
    spec: {
      replicas: size,
      selector: { matchLabels: labels(name) },
      template: { metadata: { labels: labels(name) }, spec: { containers } },
    },
  };
}
";

/// The equivalent of a generator for the other programs: the same modules, and a printer.
const PEER_MAIN: &str = "\
import fs from 'node:fs';
import * as yaml from 'js-yaml';
import files from './config.js';

for (const { path, value, format } of files) {
  const documents = format === 4 ? value : [value];
  const text = documents.map((it) => yaml.dump(it, { sortKeys: true })).join('---\\n');
  fs.writeFileSync(`out/${path}`, text);
}
";

fn lay_out(directory: &Path, workload: &Workload, options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(directory.join("out"))?;
    std::fs::write(directory.join("config.js"), &workload.config)?;
    std::fs::write(directory.join("main.mjs"), PEER_MAIN)?;
    std::fs::write(directory.join("package.json"), "{ \"type\": \"module\" }\n")?;
    for (name, text) in &workload.files {
        std::fs::write(directory.join(name), text)?;
    }
    link(&options.node_modules, &directory.join("node_modules"))?;
    Ok(())
}

#[cfg(unix)]
fn link(to: &Path, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, path)
}

#[cfg(windows)]
fn link(to: &Path, path: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(to, path)
}

/// The best time of Plumb, and of each of the others.
fn measure(
    directory: &Path,
    repeats: u16,
    options: &Options,
) -> Result<(f64, Vec<f64>), Box<dyn Error>> {
    let (mut ours, mut peers) = (f64::INFINITY, vec![f64::INFINITY; options.peers.len()]);
    for _ in 0..RUNS {
        let arguments = ["generate", "-o", "out", "config.js"];
        ours = ours.min(cpu_seconds(directory, &options.ours, &arguments, repeats)?);
        for (best, peer) in peers.iter_mut().zip(&options.peers) {
            *best = best.min(cpu_seconds(directory, &peer.program, peer.arguments, repeats)?);
        }
    }
    Ok((ours, peers))
}

/// User and system time of a program, as the shell measures it. The shell measures milliseconds, so
/// short programs run several times.
fn cpu_seconds(
    directory: &Path,
    program: &Path,
    arguments: &[&str],
    repeats: u16,
) -> Result<f64, Box<dyn Error>> {
    let script = "TIMEFORMAT='%3U %3S'\n\
        time for ((i = 0; i < REPEATS; i++)); do \"$@\" >/dev/null || exit; done";
    let output = Command::new("bash")
        .args(["-c", script, "bash"])
        .arg(program)
        .args(arguments)
        .env("REPEATS", repeats.to_string())
        .current_dir(directory)
        .output()?;
    let text = String::from_utf8(output.stderr)?;
    if !output.status.success() {
        return Err(format!("{} failed:\n{text}", program.display()).into());
    }
    let last = text.lines().last().unwrap_or_default();
    let seconds: f64 = last.split(' ').map(str::parse::<f64>).sum::<Result<_, _>>()?;
    Ok(seconds / f64::from(repeats))
}
