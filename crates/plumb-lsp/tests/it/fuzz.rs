//! Random edits of the examples: insert, delete, paste halves of other files, undo. The server must not
//! crash or hang. After each undo, the findings are those of a new server; and after an undo to the text of
//! the example, those of `plumb check`.
//!
//! docs/fuzzing.md has the command for many edits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::world::MemoryWorld;
use plumb::{Cancel, Session, World};
use plumb_ide::{Checker, Overlay};
use plumb_lsp::{Server, uri_of};
use plumb_project::{Kept, Project, Request, Writing};
use serde_json::{Value, json};

/// How many edits of each example are made, unless the variable says another number.
const N_EDITS: usize = 60;

/// After how many edits the project is checked, as after a pause of typing.
const CHECK_EVERY: usize = 8;

const EXAMPLES: [&str; 7] =
    ["cf", "guestbook", "harbor", "hello", "library", "machines", "recipes"];

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

#[test]
fn any_edits_are_survived_and_undone() {
    let n_edits = std::env::var("PLUMB_FUZZ_EDITS").ok().and_then(|it| it.parse().ok());
    for example in EXAMPLES {
        let counts = Fuzz::new(example).run(n_edits.unwrap_or(N_EDITS));
        println!("{example}: {counts}");
    }
}

struct Fuzz {
    server: Server,
    checker: Checker,
    files: BTreeMap<PathBuf, String>,
    /// The files that are edited.
    paths: Vec<PathBuf>,
    random: Random,
    version: i32,
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
            matches!(name, Some("yml" | "yaml" | "star" | "txt"))
        };
        let paths = files.keys().filter(is_edited).cloned().collect();
        Self { server, checker, files, paths, random: Random(0x9e37_79b9_7f4a_7c15), version: 0 }
    }

    fn run(&mut self, n_edits: usize) -> String {
        let (mut n_done, mut n_undone, mut n_checks) = (0, 0, 0);
        while n_done < n_edits {
            let path = self.paths[self.random.below(self.paths.len())].clone();
            let original = self.files[&path].clone();
            let expected = reference(&self.files, &path);
            self.open(&path, &original);
            let mut history = vec![original.clone()];
            for _ in 0..20.min(n_edits - n_done) {
                let n_before = history.len();
                let text = self.edited(&mut history, &original);
                self.change(&path, &text);
                self.ask(&path);
                n_done += 1;
                if history.len() < n_before {
                    n_undone += 1;
                    let expected = if text == original {
                        expected.clone()
                    } else {
                        findings_of_new(&self.files, &path, &text).1
                    };
                    assert_eq!(self.check(&path), expected, "{}:\n{text}", path.display());
                } else if n_done % CHECK_EVERY == 0 {
                    self.check(&path);
                    n_checks += 1;
                }
            }
            self.change(&path, &original);
            n_undone += 1;
            assert_eq!(self.check(&path), expected, "{}", path.display());
            self.close(&path);
        }
        format!("{n_done} edits, {n_undone} undone and compared, {n_checks} other checks")
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

    /// Checks the project of a file. Returns its findings as codes and places.
    fn check(&mut self, path: &Path) -> Vec<String> {
        if let Some(check) = self.server.take_check() {
            for path in &check.changed {
                self.checker.change(path);
            }
        }
        let checked = self.checker.check(path, &Cancel::default()).expect("not cancelled");
        let findings = shown(&checked.findings);
        self.server.finish(checked);
        findings
    }
}

fn params_path(uri: &Value) -> PathBuf {
    PathBuf::from(uri.as_str().unwrap_or_default().trim_start_matches("file://"))
}

fn shown(findings: &BTreeMap<PathBuf, Vec<plumb_ide::FileFinding>>) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, found) in findings {
        lines.extend(
            found.iter().map(|it| format!("{}:{} {}", path.display(), it.range.start, it.code)),
        );
    }
    lines.sort();
    lines
}

/// The findings of the project of a file; if it has a project file, there must be as many as
/// `plumb check` has.
fn reference(files: &BTreeMap<PathBuf, String>, path: &Path) -> Vec<String> {
    let (root, found) = findings_of_new(files, path, &files[path]);
    if root.ends_with("plumb.yml") {
        let world: Arc<dyn World> = Arc::new(world(files));
        let session = Session::default();
        if let Ok(project) = Project::read(&*world, &root, &session.sources()) {
            let n = checked_targets(&project, &session, &world);
            assert_eq!(found.len(), n, "{}: {found:?}", root.display());
        }
    }
    found
}

/// The root and the findings of the project of a file with this text, from a checker that has read nothing
/// before.
fn findings_of_new(
    files: &BTreeMap<PathBuf, String>,
    path: &Path,
    text: &str,
) -> (PathBuf, Vec<String>) {
    let overlay = Arc::new(Overlay::new(Arc::new(world(files))));
    overlay.set(path, text);
    let checked = Checker::new(overlay).check(path, &Cancel::default()).expect("not cancelled");
    (checked.root, shown(&checked.findings))
}

/// The number of findings with a place that all targets of a project have, as `plumb check` runs them.
fn checked_targets(project: &Project, session: &Session, world: &Arc<dyn World>) -> usize {
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
    let findings = plumb_project::findings(project, &finished, &session.sources());
    findings.iter().filter(|it| !it.labels.is_empty()).count()
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
