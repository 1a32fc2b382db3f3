//! How much CPU the server needs: `cargo test --release -p plumb-lsp latency -- --ignored --nocapture`.
//! docs/performance.md has the figures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use plumb::Cancel;
use plumb::world::MemoryWorld;
use plumb_ide::Checker;
use plumb_lsp::{Server, uri_of};
use serde_json::{Value, json};

use crate::fuzz::add_files;

/// Ticks of the kernel's clock in a second, as Linux shows them to programs.
const TICKS: u64 = 100;

/// The CPU that this process has used. Only Linux can tell.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, after_name) = stat.rsplit_once(") ").expect("a name in brackets");
    let fields: Vec<&str> = after_name.split(' ').collect();
    let ticks = |at: usize| fields[at].parse::<u64>().expect("a number");
    Duration::from_millis((ticks(11) + ticks(12)) * 1000 / TICKS)
}

/// The memory of this process in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|it| it.starts_with("VmRSS:")).expect("a size");
    let size = line.split_whitespace().nth(1).and_then(|it| it.parse::<u64>().ok());
    size.expect("a number") / 1024
}

struct Session {
    server: Server,
    checker: Checker,
    path: PathBuf,
    text: String,
    version: i32,
}

impl Session {
    fn start(files: &BTreeMap<PathBuf, String>, path: &str) -> Self {
        let mut world = MemoryWorld::new();
        for (path, text) in files {
            world = world.file(&path.to_string_lossy(), text.as_str());
        }
        let mut server = Server::new(Arc::new(world));
        let checker = Checker::new(server.overlay());
        let params = json!({ "capabilities": {} });
        let request = lsp_server::Request::new(1.into(), "initialize".to_owned(), params);
        server.handle(request.into());
        let path = PathBuf::from(path);
        let text = files[&path].clone();
        let mut session = Self { server, checker, path, text, version: 1 };
        let uri = uri_of(&session.path);
        let document =
            json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": session.text });
        session.notify("didOpen", json!({ "textDocument": document }));
        session.check();
        session
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = lsp_server::Notification::new(format!("textDocument/{method}"), params);
        self.server.handle(message.into());
    }

    /// Types a letter in a comment at the end, or removes it again.
    fn keystroke(&mut self) {
        self.version += 1;
        let text = format!("{}#! {}\n", self.text, self.version);
        let document = json!({ "uri": uri_of(&self.path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("didChange", params);
    }

    fn check(&mut self) {
        if let Some(check) = self.server.take_check() {
            check.changed.iter().for_each(|it| self.checker.change(it));
        }
        let checked = self.checker.check(&self.path, &Cancel::default()).expect("not cancelled");
        assert!(checked.findings.is_empty(), "{:?}", checked.findings);
        self.server.finish(checked);
    }

    fn complete(&mut self) {
        let at =
            self.text.find("data.values.").expect("it uses data values") + "data.values.".len();
        let line = self.text[..at].matches('\n').count();
        let character = at - self.text[..at].rfind('\n').map_or(0, |it| it + 1);
        let params = json!({
            "textDocument": { "uri": uri_of(&self.path) },
            "position": { "line": line, "character": character }
        });
        let request =
            lsp_server::Request::new(2.into(), "textDocument/completion".to_owned(), params);
        let answer = serde_json::to_value(&self.server.handle(request.into())[0]).expect("JSON");
        assert!(answer["result"].as_array().is_some_and(|it| !it.is_empty()), "{answer}");
    }
}

/// The CPU of one of many runs.
fn average(n: u32, mut run: impl FnMut()) -> Duration {
    let before = cpu();
    (0..n).for_each(|_| run());
    cpu().saturating_sub(before) / n
}

fn guestbook() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/guestbook");
    let mut files = BTreeMap::new();
    add_files(&root, Path::new("/w"), &mut files);
    files
}

/// One target with 500 files.
fn large() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut schema = "#@data/values-schema\n---\n".to_owned();
    for at in 1..500 {
        let _ = write!(schema, "app{at}:\n  name: web{at}\n  replicas: 2\n  image: nginx\n");
        let template = format!(
            "#@ load(\"@ytt:data\", \"data\")\n#@ app = data.values.app{at}\n---\napiVersion: apps/v1\nkind: Deployment\n\
             metadata:\n  name: #@ app.name\n  labels:\n    app: #@ app.name\nspec:\n  replicas: #@ app.replicas\n  \
             selector:\n    matchLabels:\n      app: #@ app.name\n  template:\n    metadata:\n      labels:\n        \
             app: #@ app.name\n    spec:\n      containers:\n      #@ for n in range(3):\n      - name: #@ app.name + str(n)\n        \
             image: #@ app.image\n        ports:\n        - containerPort: #@ 8080 + n\n      #@ end\n"
        );
        files.insert(PathBuf::from(format!("/w/config/app{at}.yml")), template);
    }
    files.insert(PathBuf::from("/w/config/schema.yml"), schema);
    files.insert(PathBuf::from("/w/plumb.yml"), "targets:\n  all: {file: config}\n".to_owned());
    files
}

#[test]
#[ignore = "it takes minutes and prints figures"]
fn latency() {
    // As the transport does.
    plumb_source::on_deep_stack(measure);
}

fn measure() {
    for (name, files, path, n) in [
        ("guestbook", guestbook(), "/w/config/frontend.yml", 200),
        ("500 files", large(), "/w/config/app7.yml", 20),
    ] {
        let start = average(n, || drop(Server::new(Arc::new(MemoryWorld::new()))));
        let open = average(n.min(10), || drop(Session::start(&files, path)));
        let mut session = Session::start(&files, path);
        let completion = average(n, || session.complete());
        let diagnostics = average(n, || {
            session.keystroke();
            session.check();
        });
        println!(
            "{name}: start {start:?}, open and check {open:?}, completion {completion:?}, \
             diagnostics after a keystroke {diagnostics:?}, {} MB",
            memory()
        );
        for edits in 1..=10_000 {
            session.keystroke();
            if edits % 10 == 0 {
                session.check();
            }
            if edits % 2500 == 0 {
                println!("{name}: {edits} edits, {} MB", memory());
            }
        }
    }
}
