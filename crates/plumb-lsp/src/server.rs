//! The protocol without a transport: messages in, messages out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{PublishDiagnosticsParams, Uri};
use plumb::{Cancel, World};
use plumb_ide::{Analysis, Checked, Checker, FileFinding, Knowledge, Overlay, project_root};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answer::Texts;
use crate::capabilities::capabilities;
use crate::lines::{Encoding, Lines};
use crate::options::Client;
use crate::params::{Changed, FilesChanged, InDocument, Initialize, Opened};
use crate::paths::{path_of, uri_of};

/// A server for one editor.
pub struct Server {
    overlay: Arc<Overlay>,
    state: State,
    pub(crate) client: Client,
    pub(crate) encoding: Encoding,
    documents: BTreeMap<PathBuf, Open>,
    /// What is known about each project, by its root.
    knowledge: HashMap<PathBuf, Arc<Knowledge>>,
    /// The findings that were last published, by root and file.
    published: HashMap<PathBuf, BTreeMap<PathBuf, Vec<FileFinding>>>,
    /// The files that changed since the last check, and those to be checked.
    changed: BTreeSet<PathBuf>,
    due: BTreeSet<PathBuf>,
    /// The files and targets whose output the editor has requested.
    pub(crate) previewed: BTreeSet<(PathBuf, Option<String>)>,
    n_requests: i32,
}

/// A check that is due.
#[derive(Clone, Debug)]
pub struct Check {
    /// The files that may have changed since the last check.
    pub changed: Vec<PathBuf>,
    /// The files whose projects are checked.
    pub paths: Vec<PathBuf>,
}

impl Check {
    /// Checks the projects of the files, each once. Returns the check itself if it was cancelled.
    pub fn run(self, checker: &mut Checker, cancel: &Cancel) -> Result<Vec<Checked>, Self> {
        for path in &self.changed {
            checker.change(path);
        }
        let mut results: Vec<Checked> = Vec::new();
        for path in &self.paths {
            match checker.check(path, cancel) {
                Some(checked) => {
                    results.retain(|it| it.root != checked.root);
                    results.push(checked);
                }
                None => return Err(self),
            }
        }
        Ok(results)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Ready,
    ShutDown,
    Over,
}

/// A document that is open in the editor.
struct Open {
    version: i32,
    lines: Lines,
    /// The version that was last checked.
    checked: Option<i32>,
}

/// Why a request has no answer.
pub(crate) struct RequestError(pub(crate) ErrorCode, pub(crate) String);

impl Server {
    /// A server over a world. Files that are open in the editor have the text in the editor.
    pub fn new(world: Arc<dyn World>) -> Self {
        Self {
            overlay: Arc::new(Overlay::new(world)),
            state: State::New,
            client: Client::default(),
            encoding: Encoding::default(),
            documents: BTreeMap::new(),
            knowledge: HashMap::new(),
            published: HashMap::new(),
            changed: BTreeSet::new(),
            due: BTreeSet::new(),
            previewed: BTreeSet::new(),
            n_requests: 0,
        }
    }

    /// The world with the editor's texts, for a [`Checker`](plumb_ide::Checker).
    pub fn overlay(&self) -> Arc<Overlay> {
        Arc::clone(&self.overlay)
    }

    /// Whether the editor has ended the session.
    pub fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Handles a message from the editor. Returns the messages to send back.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => vec![Message::Response(self.request(request))],
            Message::Notification(notification) => {
                let guarded = AssertUnwindSafe(|| self.notification(notification));
                panic::catch_unwind(guarded).unwrap_or_default()
            }
            Message::Response(_) => Vec::new(),
        }
    }

    /// Takes the check that is due, if there is one.
    pub fn take_check(&mut self) -> Option<Check> {
        if self.due.is_empty() {
            return None;
        }
        let changed = std::mem::take(&mut self.changed).into_iter().collect();
        let paths = std::mem::take(&mut self.due).into_iter().collect();
        Some(Check { changed, paths })
    }

    /// Whether a check is due.
    pub fn has_check(&self) -> bool {
        !self.due.is_empty()
    }

    /// Puts back a check that was cancelled, so that it is due again.
    pub fn put_back(&mut self, check: Check) {
        self.changed.extend(check.changed);
        self.due.extend(check.paths);
    }

    /// Accepts the result of a check. Returns the findings of all files that have or had findings,
    /// and of open documents that have changed, so that the editor knows that they were checked.
    pub fn finish(&mut self, checked: Checked) -> Vec<Message> {
        let Checked { root, findings, knowledge } = checked;
        self.knowledge.insert(root.clone(), knowledge);
        let before = self.published.remove(&root).unwrap_or_default();
        let mut paths: BTreeSet<PathBuf> = before.into_keys().collect();
        paths.extend(findings.keys().cloned());
        for (path, open) in &mut self.documents {
            if open.checked != Some(open.version) && project_root(&self.overlay, path) == root {
                open.checked = Some(open.version);
                paths.insert(path.clone());
            }
        }
        let mut messages = Vec::new();
        for path in &paths {
            messages.extend(self.publish(path, findings.get(path).map_or(&[], Vec::as_slice)));
        }
        messages.extend(self.preview_changes(&root));
        self.published.insert(root, findings);
        if self.client.refreshes_hints && self.client.choices.inlay_hints {
            messages.push(self.refresh("workspace/inlayHint/refresh"));
        }
        if self.client.refreshes_lenses && !self.client.choices.commands.is_empty() {
            messages.push(self.refresh("workspace/codeLens/refresh"));
        }
        messages
    }

    /// A request that asks the editor to repeat its requests. The answer does not matter.
    fn refresh(&mut self, method: &str) -> Message {
        self.n_requests += 1;
        let id = RequestId::from(format!("plumb-{}", self.n_requests));
        Message::Request(Request { id, method: method.to_owned(), params: Value::Null })
    }

    /// The findings of a file that were last published.
    pub(crate) fn findings(&self, path: &Path) -> impl Iterator<Item = &FileFinding> {
        let path = path.to_owned();
        self.published.values().filter_map(move |it| it.get(&path)).flatten()
    }

    fn publish(&self, path: &Path, findings: &[FileFinding]) -> Option<Message> {
        let texts = self.texts();
        let lines = texts.lines(path);
        let params = PublishDiagnosticsParams {
            uri: uri_of(path)?,
            diagnostics: findings.iter().map(|it| texts.diagnostic(it, &lines)).collect(),
            version: self.documents.get(path).map(|it| it.version),
        };
        let method = "textDocument/publishDiagnostics".to_owned();
        Some(Message::Notification(Notification::new(method, params)))
    }

    fn request(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let guarded = AssertUnwindSafe(|| self.answer(&method, params));
        let answer = panic::catch_unwind(guarded).unwrap_or_else(|_| {
            let message = format!("a bug in plumb: {method} failed");
            Err(RequestError(ErrorCode::InternalError, message))
        });
        respond(id, answer)
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, RequestError> {
        match (self.state, method) {
            (State::New, "initialize") => return Ok(self.initialize(params)),
            (State::New, _) => {
                let message = "the server is not initialized".to_owned();
                return Err(RequestError(ErrorCode::ServerNotInitialized, message));
            }
            (State::ShutDown | State::Over, _) => {
                let message = "the server has shut down".to_owned();
                return Err(RequestError(ErrorCode::InvalidRequest, message));
            }
            (State::Ready, "shutdown") => {
                self.state = State::ShutDown;
                return Ok(Value::Null);
            }
            (State::Ready, _) => {}
        }
        self.answer_question(method, params)
    }

    fn initialize(&mut self, params: Value) -> Value {
        let params = Initialize(params);
        self.client = Client::new(&params);
        let has_utf8 = params.lists("/general/positionEncodings", "utf-8");
        self.encoding = if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        self.state = State::Ready;
        json!({
            "capabilities": capabilities(self.encoding, &self.client),
            "serverInfo": { "name": "plumb", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn notification(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        if method == "exit" {
            self.state = State::Over;
        }
        if self.state != State::Ready {
            return Vec::new();
        }
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(Opened { text_document: it }) = read(params) {
                    self.set(&it.uri, it.version, it.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(InDocument { text_document: it }) = read(params)
                    && let Some(path) = path_of(&it.uri)
                {
                    self.documents.remove(&path);
                    self.overlay.remove(&path);
                    self.changed.insert(path.clone());
                    self.due.insert(path);
                }
            }
            "textDocument/didSave" => {
                if let Ok(InDocument { text_document: it }) = read(params) {
                    self.note_change(&it.uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(FilesChanged { changes }) = read(params) {
                    for change in changes {
                        self.note_change(&change.uri);
                    }
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn set(&mut self, uri: &Uri, version: i32, text: String) {
        let Some(path) = path_of(uri) else { return };
        self.overlay.set(&path, &text);
        let lines = Lines::new(text, self.encoding);
        self.documents.insert(path, Open { version, lines, checked: None });
        self.note_change(uri);
    }

    fn change(&mut self, params: Changed) {
        let Changed { text_document, content_changes } = params;
        let Some(path) = path_of(&text_document.uri) else { return };
        let Some(open) = self.documents.get_mut(&path) else { return };
        open.version = text_document.version;
        for change in content_changes {
            let text = open.lines.replaced(change.range, &change.text);
            open.lines = Lines::new(text, self.encoding);
        }
        self.overlay.set(&path, open.lines.text());
        self.note_change(&text_document.uri);
    }

    fn note_change(&mut self, uri: &Uri) {
        if let Some(path) = path_of(uri) {
            self.changed.insert(path.clone());
            self.due.insert(path);
        }
    }

    pub(crate) fn texts(&self) -> Texts<'_> {
        Texts { overlay: &self.overlay, encoding: self.encoding, client: &self.client }
    }

    /// The path and the text of a document, which does not have to be open.
    pub(crate) fn document(&self, uri: &Uri) -> Result<(PathBuf, Lines), RequestError> {
        let path = path_of(uri).ok_or_else(|| {
            let message = format!("{} is not a file", uri.as_str());
            RequestError(ErrorCode::InvalidParams, message)
        })?;
        let lines = match self.documents.get(&path) {
            Some(open) => open.lines.clone(),
            None => self.texts().lines(&path),
        };
        Ok((path, lines))
    }

    /// One analysis for each project.
    pub(crate) fn analyses(&self) -> impl Iterator<Item = Analysis> {
        let known = self.knowledge.values();
        known.map(|it| Analysis::new(Arc::clone(&self.overlay), Arc::clone(it)))
    }

    pub(crate) fn analysis(&self, path: &Path) -> Analysis {
        let root = project_root(&self.overlay, path);
        let knowledge = self.knowledge.get(&root).cloned().unwrap_or_default();
        Analysis::new(Arc::clone(&self.overlay), knowledge)
    }
}

pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, RequestError> {
    serde_json::from_value(params)
        .map_err(|error| RequestError(ErrorCode::InvalidParams, error.to_string()))
}

pub(crate) fn write(answer: impl serde::Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(answer)
        .map_err(|error| RequestError(ErrorCode::InternalError, error.to_string()))
}

fn respond(id: RequestId, answer: Result<Value, RequestError>) -> Response {
    match answer {
        Ok(value) => Response::new_ok(id, value),
        Err(RequestError(code, message)) => Response::new_err(id, code as i32, message),
    }
}
