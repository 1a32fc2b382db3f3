//! `cargo xtask bench --editor`: CPU time and memory of `plumb lsp`, on a small project and on one
//! of 500 files. A client on pipes opens a file, types and completes, as an editor does.

mod client;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::json;

use super::cpu;
use client::Client;

/// The number of servers that are started for one figure.
const N_STARTS: u32 = 20;
/// The number of completions that are requested.
const N_COMPLETIONS: u32 = 200;
/// The number of keystrokes that are followed by a pause, in which the server checks the project.
const N_PAUSES: u32 = 100;
/// The total number of edits, after which memory is measured for the last time.
const N_EDITS: u32 = 10_000;
/// The number of edits between two measurements of memory.
const EDITS_PER_MEASUREMENT: u32 = 2_500;
/// The number of edits between two pauses of the client.
const EDITS_PER_PAUSE: u32 = 10;

/// The cursor of a completion is after this text.
const COMPLETED: &str = "data.values.";

/// Upper limits, in milliseconds of CPU time and in MB.
struct Limits {
    start: f64,
    completion: f64,
    diagnostics: f64,
    memory: f64,
    /// The maximum growth of memory between the first and the last edits.
    growth: f64,
}

const SMALL: Limits =
    Limits { start: 100.0, completion: 20.0, diagnostics: 50.0, memory: 300.0, growth: 1.1 };
const LARGE: Limits = Limits { diagnostics: 250.0, ..SMALL };

/// A project, and the file that is edited in it.
struct Workload {
    directory: PathBuf,
    edited: PathBuf,
    text: String,
}

struct Figures {
    start: f64,
    first_findings: f64,
    completion: f64,
    diagnostics: f64,
    /// Memory in MB before the edits, and after each part of them.
    memory: Vec<f64>,
}

/// A table about both projects, which are copied or created in a new directory below `above`. Fails
/// if a limit is exceeded.
pub(super) fn table(root: &Path, plumb: &Path, above: &Path) -> Result<String> {
    let directory = above.join(format!("plumb-bench-{}", std::process::id()));
    let figures = small(root, &directory.join("small"))
        .and_then(|it| it.measure(plumb))
        .and_then(|small| Ok((small, large(&directory.join("large"))?.measure(plumb)?)));
    fs::remove_dir_all(&directory)?;
    let (small, large) = figures?;
    let table = shown(&small, &large)?;
    small.ensure_within(&SMALL, &table)?;
    large.ensure_within(&LARGE, &table)?;
    Ok(table)
}

fn shown(small: &Figures, large: &Figures) -> Result<String> {
    let mut out =
        String::from("CPU time, ms                    guestbook  500 files       limit\n");
    let mut row = |name: &str, small: f64, large: f64, limit: &str| {
        writeln!(out, "{name:<32}{small:>9.1}{large:>11.1}{limit:>12}")
    };
    row("start", small.start, large.start, "100")?;
    row("start, open, first findings", small.first_findings, large.first_findings, "100")?;
    row("completion", small.completion, large.completion, "20")?;
    row("findings after a keystroke", small.diagnostics, large.diagnostics, "50, 250")?;
    out.push_str("\nmemory, MB\n");
    for (at, (small, large)) in small.memory.iter().zip(&large.memory).enumerate() {
        let n_edits = at * EDITS_PER_MEASUREMENT as usize;
        writeln!(
            out,
            "after {n_edits:>6} edits              {small:>9.1}{large:>11.1}{:>12}",
            300
        )?;
    }
    Ok(out)
}

impl Figures {
    fn ensure_within(&self, limits: &Limits, table: &str) -> Result<()> {
        let last = self.memory.last().copied().unwrap_or_default();
        let early = self.memory.get(1).copied().unwrap_or(last);
        let is_within = self.first_findings <= limits.start
            && self.completion <= limits.completion
            && self.diagnostics <= limits.diagnostics
            && last <= limits.memory
            && last <= early * limits.growth;
        ensure!(is_within, "a limit is exceeded\n{table}");
        Ok(())
    }
}

impl Workload {
    fn measure(&self, plumb: &Path) -> Result<Figures> {
        let start = milliseconds_of_each(|| Client::start(plumb, &self.directory)?.end())?;
        let first_findings = milliseconds_of_each(|| self.opened(plumb)?.end())?;
        let mut client = self.opened(plumb)?;
        let completion = client.milliseconds(N_COMPLETIONS, |client, _| self.complete(client))?;
        let diagnostics = client.milliseconds(N_PAUSES, |client, at| {
            self.press_key(client, at)?;
            client.wait_for_findings(&self.edited)
        })?;
        let mut memory = vec![client.megabytes()?];
        for at in 1..=N_EDITS {
            self.press_key(&mut client, at)?;
            if at % EDITS_PER_PAUSE == 0 {
                client.wait_for_findings(&self.edited)?;
            }
            if at % EDITS_PER_MEASUREMENT == 0 {
                memory.push(client.megabytes()?);
            }
        }
        client.end()?;
        Ok(Figures { start, first_findings, completion, diagnostics, memory })
    }

    /// A server that has checked the project.
    fn opened(&self, plumb: &Path) -> Result<Client> {
        let mut client = Client::start(plumb, &self.directory)?;
        client.open(&self.edited, &self.text)?;
        client.wait_for_findings(&self.edited)?;
        Ok(client)
    }

    fn complete(&self, client: &mut Client) -> Result<()> {
        let at = self.text.find(COMPLETED).map_or(0, |it| it + COMPLETED.len());
        let (line, character) = place(&self.text, at);
        let position = json!({ "line": line, "character": character });
        let answer = client.ask("textDocument/completion", &self.edited, &position)?;
        let n_items = answer.as_array().map_or(0, Vec::len);
        ensure!(n_items > 0, "nothing is completed: {answer}");
        Ok(())
    }

    /// Types a letter before the first `name:`, or removes it again. The output changes each time.
    fn press_key(&self, client: &mut Client, at: u32) -> Result<()> {
        let (line, character) = place(&self.text, self.text.find("name:").unwrap_or_default());
        let is_typed = at % 2 == 1;
        let start = json!({ "line": line, "character": character });
        let end = json!({ "line": line, "character": character + usize::from(!is_typed) });
        let text = if is_typed { "x" } else { "" };
        client
            .change(&self.edited, &json!({ "range": { "start": start, "end": end }, "text": text }))
    }
}

/// The average CPU time of processes that a function starts and ends.
fn milliseconds_of_each(run: impl Fn() -> Result<()>) -> Result<f64> {
    let ((), seconds) = cpu::measured(|| (0..N_STARTS).try_for_each(|_| run()))?;
    Ok(seconds * 1000.0 / f64::from(N_STARTS))
}

/// The line and the character of an offset, in a text of ASCII.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |it| it + 1);
    (before.matches('\n').count(), at - line_start)
}

fn small(root: &Path, directory: &Path) -> Result<Workload> {
    copy(&root.join("examples/guestbook"), directory)?;
    let edited = directory.join("config/frontend.yml");
    let text = fs::read_to_string(&edited)?;
    Ok(Workload { directory: directory.to_owned(), edited, text })
}

/// One target with 500 files: a schema, and templates that use it.
fn large(directory: &Path) -> Result<Workload> {
    let config = directory.join("config");
    fs::create_dir_all(&config)?;
    let mut schema = "#@data/values-schema\n---\n".to_owned();
    for at in 1..500 {
        write!(schema, "app{at}:\n  name: web{at}\n  replicas: 2\n  image: nginx\n")?;
        fs::write(config.join(format!("app{at}.yml")), template(at))?;
    }
    fs::write(config.join("schema.yml"), schema)?;
    fs::write(directory.join("plumb.yml"), "targets:\n  all: {file: config}\n")?;
    Ok(Workload {
        directory: directory.to_owned(),
        edited: config.join("app7.yml"),
        text: template(7),
    })
}

fn template(at: usize) -> String {
    format!(
        "\
#@ load(\"@ytt:data\", \"data\")
#@ app = data.values.app{at}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ app.name
  labels:
    app: #@ app.name
spec:
  replicas: #@ app.replicas
  selector:
    matchLabels:
      app: #@ app.name
  template:
    metadata:
      labels:
        app: #@ app.name
    spec:
      containers:
      #@ for n in range(3):
      - name: #@ app.name + str(n)
        image: #@ app.image
        ports:
        - containerPort: #@ 8080 + n
      #@ end
"
    )
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
