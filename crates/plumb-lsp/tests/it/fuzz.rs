//! Random edits of the examples: insert, delete, paste halves of other files, undo. The server must
//! not crash or hang. After an undo to a text without syntax errors, the findings must equal those
//! of `plumb check`. After an undo to another text, they must equal those of a new server.
//!
//! docs/fuzzing.md has the command for many edits.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use plumb::world::MemoryWorld;
use plumb::{Cancel, Session, World};
use plumb_diagnostic::{Diagnostic, FramePlace};
use plumb_ide::{Checked, Checker, Overlay};
use plumb_lsp::{Server, uri_of};
use plumb_project::{Kept, Project, Request, Writing};
use plumb_source::{SourceKind, Sources, lexical};
use serde_json::{Value, json};

/// The number of edits of each example, unless the variable sets another number.
const N_EDITS: usize = 60;

/// The number of edits after which the project is checked, as after a pause in typing.
const CHECK_EVERY: usize = 8;

/// The number of edits after which the progress is printed.
const REPORT_EVERY: usize = 500;

/// The maximum time for an edit and everything that follows it, on a machine that may be busy.
const DEADLINE: Duration = Duration::from_mins(1);

/// The codes of syntax errors.
const SYNTAX: [&str; 2] = ["yaml/syntax", "template/syntax"];

const PASTES: [&str; 16] = [
    "#@ if data.values.",
    "\n",
    "\"",
    "'",
    "[",
    "}",
    ": ",
    "\t",
    "#@ end\n",
    "- a:\n   b",
    "(@= x @)",
    "é😀",
    "---\n",
    "#@ load(\"",
    "#@overlay/match by=",
    "*a &a ",
];

/// Numbers that look random, and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (n as u64)).expect("below n")
    }
}

macro_rules! examples {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            fuzz(stringify!($name));
        })*
    };
}

// `embed` is a program in Rust, without configuration.
examples! { cf generator guestbook harbor hello library machines recipes }

fn fuzz(example: &str) {
    let n_edits = std::env::var("PLUMB_FUZZ_EDITS").ok().and_then(|it| it.parse().ok());
    let counts = Fuzz::new(example).run(n_edits.unwrap_or(N_EDITS));
    println!("{example}: {counts}");
}

struct Fuzz {
    example: String,
    server: Server,
    checker: Checker,
    files: BTreeMap<PathBuf, String>,
    /// The files that are edited.
    paths: Vec<PathBuf>,
    random: Random,
    version: i32,
    watch: Watch,
}

impl Fuzz {
    fn new(example: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
        let mut files = BTreeMap::new();
        add_files(&root, Path::new("/w"), &mut files);
        let mut server = Server::new(Arc::new(world(&files)));
        let checker = Checker::new(server.overlay());
        let start = json!({ "capabilities": {}, "initializationOptions": { "commands": ["plumb.runTest"] } });
        let request = lsp_server::Request::new(1.into(), "initialize".to_owned(), start);
        server.handle(request.into());
        let is_edited = |it: &&PathBuf| {
            let name = it.extension().and_then(|it| it.to_str());
            matches!(name, Some("yml" | "yaml" | "star" | "txt" | "ts"))
        };
        let paths = files.keys().filter(is_edited).cloned().collect();
        let random = Random(0x9e37_79b9_7f4a_7c15);
        let watch = Watch::start(example);
        Self {
            example: example.to_owned(),
            server,
            checker,
            files,
            paths,
            random,
            version: 0,
            watch,
        }
    }

    fn run(&mut self, n_edits: usize) -> String {
        let start = Instant::now();
        let (mut n_done, mut n_undone, mut n_valid, mut n_checks) = (0, 0, 0, 0);
        while n_done < n_edits {
            let path = self.paths[self.random.below(self.paths.len())].clone();
            let original = self.files[&path].clone();
            self.open(&path, &original);
            let mut history = vec![original.clone()];
            for _ in 0..20.min(n_edits - n_done) {
                let n_before = history.len();
                let text = self.edited(&mut history, &original);
                self.watch.begin(&path, &text);
                self.change(&path, &text);
                self.ask(&path);
                n_done += 1;
                if history.len() < n_before {
                    n_undone += 1;
                    n_valid += usize::from(self.compare(&path, &text));
                } else if n_done % CHECK_EVERY == 0 {
                    let checked = self.check(&path);
                    self.server.finish(checked);
                    n_checks += 1;
                }
                if n_done % REPORT_EVERY == 0 {
                    println!("{}: {n_done} edits, {} s", self.example, start.elapsed().as_secs());
                }
            }
            self.watch.begin(&path, &original);
            self.change(&path, &original);
            n_undone += 1;
            n_valid += usize::from(self.compare(&path, &original));
            self.close(&path);
        }
        let seconds = start.elapsed().as_secs();
        format!(
            "{n_done} edits in {seconds} s, {n_undone} undone and compared, {n_valid} of them with \
             `plumb check`; {n_checks} other checks"
        )
    }

    /// Checks the project of a file, and compares the findings. If the file has no syntax errors,
    /// they are compared with those of `plumb check`, and the result is true.
    fn compare(&mut self, path: &Path, text: &str) -> bool {
        let found = self.check(path);
        let is_broken = found
            .findings
            .get(path)
            .is_some_and(|it| it.iter().any(|it| SYNTAX.contains(&it.code)));
        if is_broken {
            let overlay = Arc::new(Overlay::new(Arc::new(world(&self.files))));
            overlay.set(path, text);
            let new = Checker::new(Arc::clone(&overlay)).check(path, &Cancel::default());
            let new = new.expect("not cancelled");
            assert_eq!(
                shown(&found, &overlay),
                shown(&new, &overlay),
                "{}:\n{text}",
                path.display()
            );
        } else {
            let overlay = self.server.overlay();
            let expected = findings_of_check(&self.files, path, text, &found.root);
            assert_eq!(shown(&found, &overlay), expected, "{}:\n{text}", path.display());
        }
        self.server.finish(found);
        !is_broken
    }

    /// The text after a random change, or before the last one.
    fn edited(&mut self, history: &mut Vec<String>, original: &str) -> String {
        let mut text = history.last().expect("the original").clone();
        let at = text.floor_char_boundary(self.random.below(text.len() + 1));
        match self.random.below(5) {
            0 => text.insert_str(at, PASTES[self.random.below(PASTES.len())]),
            1 => {
                let end = (at + self.random.below(40)).min(text.len());
                text.replace_range(at..text.ceil_char_boundary(end), "");
            }
            2 => {
                let other = &self.files[&self.paths[self.random.below(self.paths.len())]];
                let half = other.floor_char_boundary(other.len() / 2);
                let half = if self.random.below(2) == 0 { &other[..half] } else { &other[half..] };
                text.insert_str(at, half);
            }
            3 => text
                .insert(at, char::from(b' ' + u8::try_from(self.random.below(95)).expect("small"))),
            _ => {
                if history.len() > 1 {
                    history.pop();
                }
                return history.last().expect("the original").clone();
            }
        }
        if text.len() > 4 * original.len() + 4096 {
            history.truncate(1);
            return original.to_owned();
        }
        history.push(text.clone());
        text
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = lsp_server::Notification::new(format!("textDocument/{method}"), params);
        self.server.handle(message.into());
    }

    fn open(&mut self, path: &Path, text: &str) {
        self.version += 1;
        let document = json!({ "uri": uri_of(path), "languageId": "yaml", "version": self.version, "text": text });
        self.notify("didOpen", json!({ "textDocument": document }));
    }

    fn close(&mut self, path: &Path) {
        self.notify("didClose", json!({ "textDocument": { "uri": uri_of(path) } }));
    }

    fn change(&mut self, path: &Path, text: &str) {
        self.version += 1;
        let document = json!({ "uri": uri_of(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("didChange", params);
    }

    /// Asks one question about a place, and one about the document. Neither may fail.
    fn ask(&mut self, path: &Path) {
        const ABOUT_PLACES: [&str; 7] = [
            "completion",
            "hover",
            "definition",
            "implementation",
            "references",
            "signatureHelp",
            "documentHighlight",
        ];
        const ABOUT_DOCUMENTS: [&str; 10] = [
            "documentSymbol",
            "foldingRange",
            "semanticTokens/full",
            "formatting",
            "rangeFormatting",
            "documentLink",
            "codeLens",
            "inlayHint",
            "selectionRange",
            "codeAction",
        ];
        let place = json!({ "line": self.random.below(60), "character": self.random.below(50) });
        let params = json!({
            "textDocument": { "uri": uri_of(path) },
            "position": place,
            "positions": [place],
            "range": { "start": { "line": 0, "character": 0 }, "end": place },
            "options": { "tabSize": 2, "insertSpaces": true },
            "context": { "includeDeclaration": true, "diagnostics": [] }
        });
        let about_place = ABOUT_PLACES[self.random.below(ABOUT_PLACES.len())];
        let about_document = ABOUT_DOCUMENTS[self.random.below(ABOUT_DOCUMENTS.len())];
        for method in [about_place, about_document] {
            self.answer(&format!("textDocument/{method}"), params.clone());
        }
        if self.random.below(8) == 0 {
            self.answer("plumb/preview", params);
        }
    }

    fn answer(&mut self, method: &str, params: Value) {
        let shown_params = params["textDocument"]["uri"].clone();
        let request = lsp_server::Request::new(2.into(), method.to_owned(), params);
        let answers = self.server.handle(request.into());
        let [lsp_server::Message::Response(response)] = &answers[..] else { panic!("one answer") };
        let shown = serde_json::to_value(response).expect("it is JSON");
        let path = params_path(&shown_params);
        let text = self.server.overlay().text(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        assert!(shown.get("error").is_none(), "{method}: {shown}\n{text}");
    }

    /// Checks the project of a file.
    fn check(&mut self, path: &Path) -> Checked {
        if let Some(check) = self.server.take_check() {
            for path in &check.changed {
                self.checker.change(path);
            }
        }
        self.checker.check(path, &Cancel::default()).expect("not cancelled")
    }
}

fn params_path(uri: &Value) -> PathBuf {
    PathBuf::from(uri.as_str().unwrap_or_default().trim_start_matches("file://"))
}

/// A thread that ends the process if an edit takes too long, and prints the text that caused the
/// hang.
struct Watch {
    /// When the current edit began, with its file and text.
    current: Arc<Mutex<(Instant, String)>>,
    /// The thread ends when this is dropped.
    _done: mpsc::Sender<()>,
}

impl Watch {
    fn start(example: &str) -> Self {
        let current = Arc::new(Mutex::new((Instant::now(), String::new())));
        let (sender, done) = mpsc::channel::<()>();
        let (watched, example) = (Arc::clone(&current), example.to_owned());
        thread::spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) =
                done.recv_timeout(Duration::from_secs(1))
            {
                let (begun, text) = &*watched.lock().unwrap_or_else(PoisonError::into_inner);
                if begun.elapsed() > DEADLINE {
                    // Anything printed in another way would be lost with the process.
                    let _ = writeln!(
                        std::io::stderr(),
                        "{example}: an edit takes more than {DEADLINE:?}: {text}"
                    );
                    std::process::exit(1);
                }
            }
        });
        Self { current, _done: sender }
    }

    fn begin(&self, path: &Path, text: &str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = (Instant::now(), format!("{}:\n{text}", path.display()));
    }
}

/// The findings of a server: file, line, code and message.
fn shown(checked: &Checked, overlay: &Overlay) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, found) in &checked.findings {
        let text = overlay.text(path).unwrap_or_default();
        for it in found {
            let line = text[..it.range.start as usize].split(|it| *it == b'\n').count();
            let message = it.message.lines().next().unwrap_or_default();
            lines.push(format!("{}:{line} {} {message}", path.display(), it.code));
        }
    }
    lines.sort();
    lines
}

/// The findings with a place that `plumb check` has if a file has this text. Files without a
/// project are one target, with the directory or file that the server uses.
fn findings_of_check(
    files: &BTreeMap<PathBuf, String>,
    path: &Path,
    text: &str,
    root: &Path,
) -> Vec<String> {
    let mut files = files.clone();
    files.insert(path.to_owned(), text.to_owned());
    let world: Arc<dyn World> = Arc::new(world(&files));
    let session = Session::default();
    let sources = session.sources();
    let project = if root.ends_with(plumb_project::FILE_NAME) {
        Project::read(&*world, root, &sources)
    } else {
        let target = if plumb::machines::contains_machines(&world, &root.to_string_lossy()) {
            let templates = Path::new("/w/templates");
            let templates = if root.starts_with(templates) { vec![] } else { vec![templates] };
            json!({ "vm-check": { "machines": [root], "templates": templates } })
        } else {
            json!({ "file": [root] })
        };
        let text = json!({ "targets": { "default": target } }).to_string();
        let file = sources.add("(test)", SourceKind::Memory, text.as_bytes().into());
        Project::of_source(file, Path::new(plumb_project::FILE_NAME), &sources)
    };
    let mut lines: Vec<String> = match project {
        Ok(project) => {
            let findings = checked_targets(&project, &session, &world);
            findings.iter().filter_map(|it| shown_finding(it, &sources)).collect()
        }
        Err(failure) => {
            failure.findings().iter().filter_map(|it| shown_finding(it, &sources)).collect()
        }
    };
    lines.sort();
    lines
}

/// A finding at its first place.
fn shown_finding(finding: &Diagnostic, sources: &Sources) -> Option<String> {
    let labels = finding.labels.iter().map(|it| it.span);
    let frames = finding.trace.iter().flatten().filter_map(|it| match it.place {
        FramePlace::Source(span) => Some(span),
        _ => None,
    });
    let span = labels.chain(frames).find(|it| sources.get(it.file).path().is_some())?;
    let source = sources.get(span.file);
    let path = lexical::clean(Path::new(source.path()?));
    let message = finding.message.masked();
    let message = message.lines().next().unwrap_or_default();
    Some(format!(
        "{}:{} {} {message}",
        path.display(),
        source.line(span.start),
        finding.code.as_str()
    ))
}

/// The findings of all targets of a project, as `plumb check` runs them.
fn checked_targets(
    project: &Project,
    session: &Session,
    world: &Arc<dyn World>,
) -> Vec<Diagnostic> {
    let request = Request {
        project,
        session,
        targets: (0..project.targets.len()).collect(),
        writing: Writing::InMemory,
        denies_warnings: false,
        kept: Kept::Nothing,
        cancel: Cancel::default(),
        timer: &|_| Cancel::default(),
        progress: &|_| {},
    };
    let finished = plumb_project::run(world, &request);
    plumb_project::findings(project, &finished, &session.sources())
}

fn world(files: &BTreeMap<PathBuf, String>) -> MemoryWorld {
    let mut world = MemoryWorld::new();
    for (path, text) in files {
        world = world.file(&path.to_string_lossy(), text.as_str());
    }
    world
}

fn add_files(directory: &Path, shown: &Path, to: &mut BTreeMap<PathBuf, String>) {
    for entry in std::fs::read_dir(directory).expect("an example") {
        let entry = entry.expect("it can be read");
        let (path, shown) = (entry.path(), shown.join(entry.file_name()));
        if path.is_dir() {
            add_files(&path, &shown, to);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            to.insert(shown, text);
        }
    }
}
