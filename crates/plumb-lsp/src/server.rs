//! The protocol without a transport: messages in, messages out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability, CompletionOptions,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentFormattingParams,
    DocumentHighlight, DocumentSymbolParams, FoldingRangeParams, FoldingRangeProviderCapability,
    Hover, HoverContents, HoverProviderCapability, InitializeParams, InitializeResult, OneOf,
    PositionEncodingKind, PublishDiagnosticsParams, RenameParams, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams,
    SemanticTokensServerCapabilities, ServerCapabilities, ServerInfo, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
};
use plumb::World;
use plumb_ide::{Analysis, Checked, FileFinding, Knowledge, Overlay, project_root};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{self, Texts};
use crate::lines::{Encoding, Lines};
use crate::paths::{path_of, uri_of};

/// A server of one editor.
pub struct Server {
    overlay: Arc<Overlay>,
    state: State,
    encoding: Encoding,
    documents: HashMap<PathBuf, Open>,
    /// What is known of each project, by its root.
    knowledge: HashMap<PathBuf, Arc<Knowledge>>,
    /// The findings that were last published, by root and file.
    published: HashMap<PathBuf, BTreeMap<PathBuf, Vec<FileFinding>>>,
    /// The files that changed since the last check, and those to be checked.
    changed: BTreeSet<PathBuf>,
    due: BTreeSet<PathBuf>,
}

/// A check that is due.
#[derive(Clone, Debug)]
pub struct Check {
    /// The files that may have changed since the last check.
    pub changed: Vec<PathBuf>,
    /// The files whose projects are checked.
    pub paths: Vec<PathBuf>,
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
}

/// Why a request has no answer.
struct RequestError(ErrorCode, String);

impl Server {
    /// A server over a world. Files that are open in the editor have the editor's text.
    pub fn new(world: Arc<dyn World>) -> Self {
        Self {
            overlay: Arc::new(Overlay::new(world)),
            state: State::New,
            encoding: Encoding::default(),
            documents: HashMap::new(),
            knowledge: HashMap::new(),
            published: HashMap::new(),
            changed: BTreeSet::new(),
            due: BTreeSet::new(),
        }
    }

    /// The world with the editor's texts, for a [`Checker`](plumb_ide::Checker).
    pub fn overlay(&self) -> Arc<Overlay> {
        Arc::clone(&self.overlay)
    }

    /// Whether the editor has ended the conversation.
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

    /// The check that is due, if there is one. It is not returned again.
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

    /// Makes a check due again that was cancelled.
    pub fn put_back(&mut self, check: Check) {
        self.changed.extend(check.changed);
        self.due.extend(check.paths);
    }

    /// Takes the result of a check. Returns the findings of all files that have some, or had some.
    pub fn finish(&mut self, checked: Checked) -> Vec<Message> {
        let Checked { root, findings, knowledge } = checked;
        self.knowledge.insert(root.clone(), knowledge);
        let before = self.published.remove(&root).unwrap_or_default();
        let mut messages = Vec::new();
        for path in before.keys().filter(|it| !findings.contains_key(*it)) {
            messages.extend(self.publish(path, &[]));
        }
        for (path, found) in &findings {
            messages.extend(self.publish(path, found));
        }
        self.published.insert(root, findings);
        messages
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
            (State::New, "initialize") => return self.initialize(params),
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
        match method {
            "textDocument/completion" => self.completions(&read(params)?),
            "textDocument/hover" => self.hover(&read(params)?),
            "textDocument/definition" => self.places(&read(params)?, Analysis::definition),
            "textDocument/references" => self.places(&read(params)?, Analysis::references),
            "textDocument/documentHighlight" => self.highlights(&read(params)?),
            "textDocument/rename" => self.rename(read(params)?),
            "textDocument/documentSymbol" => {
                let DocumentSymbolParams { text_document, .. } = read(params)?;
                let (path, lines) = self.document(&text_document.uri)?;
                let found = self.analysis(&path).symbols(&path);
                let symbols: Vec<_> = found.iter().map(|it| answer::symbol(it, &lines)).collect();
                write(symbols)
            }
            "textDocument/foldingRange" => {
                let FoldingRangeParams { text_document, .. } = read(params)?;
                let (path, _) = self.document(&text_document.uri)?;
                let folds = self.analysis(&path).folds(&path);
                write(folds.into_iter().map(answer::fold).collect::<Vec<_>>())
            }
            "textDocument/semanticTokens/full" => {
                let SemanticTokensParams { text_document, .. } = read(params)?;
                let (path, lines) = self.document(&text_document.uri)?;
                let data = answer::tokens(&self.analysis(&path).tokens(&path), &lines);
                write(SemanticTokens { result_id: None, data })
            }
            "textDocument/formatting" => {
                let DocumentFormattingParams { text_document, .. } = read(params)?;
                let (path, lines) = self.document(&text_document.uri)?;
                let edit = self
                    .analysis(&path)
                    .format(&path)
                    .map(|(range, new_text)| TextEdit { range: lines.range(&range), new_text });
                write(edit.into_iter().collect::<Vec<_>>())
            }
            "textDocument/codeAction" => self.actions(&read(params)?),
            _ => {
                let message = format!("plumb does not know the request {method}");
                Err(RequestError(ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, RequestError> {
        let params: InitializeParams = read(params)?;
        let offered = params.capabilities.general.and_then(|it| it.position_encodings);
        let has_utf8 = offered.unwrap_or_default().contains(&PositionEncodingKind::UTF8);
        self.encoding = if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        self.state = State::Ready;
        let server_info = Some(ServerInfo {
            name: "plumb".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        });
        write(InitializeResult { capabilities: self.capabilities(), server_info })
    }

    fn capabilities(&self) -> ServerCapabilities {
        let encoding = match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        };
        let triggers = [".", "\"", "@", "/"].map(str::to_owned).to_vec();
        let legend = SemanticTokensLegend {
            token_types: answer::token_types(),
            token_modifiers: Vec::new(),
        };
        ServerCapabilities {
            position_encoding: Some(encoding),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(
                TextDocumentSyncKind::INCREMENTAL,
            )),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(triggers),
                ..CompletionOptions::default()
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            rename_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
            semantic_tokens_provider: Some(
                SemanticTokensServerCapabilities::SemanticTokensOptions(SemanticTokensOptions {
                    legend,
                    full: Some(SemanticTokensFullOptions::Bool(true)),
                    ..SemanticTokensOptions::default()
                }),
            ),
            ..ServerCapabilities::default()
        }
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
                if let Ok(DidOpenTextDocumentParams { text_document: it }) = read(params) {
                    self.set(&it.uri, it.version, it.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document: it }) = read(params)
                    && let Some(path) = path_of(&it.uri)
                {
                    self.documents.remove(&path);
                    self.overlay.remove(&path);
                    self.changed.insert(path.clone());
                    self.due.insert(path);
                }
            }
            "textDocument/didSave" => {
                if let Ok(DidSaveTextDocumentParams { text_document: it, .. }) = read(params) {
                    self.note_change(&it.uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(DidChangeWatchedFilesParams { changes }) = read(params) {
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
        self.documents.insert(path, Open { version, lines });
        self.note_change(uri);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes } = params;
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

    fn texts(&self) -> Texts<'_> {
        Texts { overlay: &self.overlay, encoding: self.encoding }
    }

    /// The path and the text of a document, which need not be open.
    fn document(&self, uri: &Uri) -> Result<(PathBuf, Lines), RequestError> {
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

    fn place(
        &self,
        at: &TextDocumentPositionParams,
    ) -> Result<(PathBuf, Lines, u32), RequestError> {
        let (path, lines) = self.document(&at.text_document.uri)?;
        let offset = lines.offset(at.position);
        Ok((path, lines, offset))
    }

    fn analysis(&self, path: &Path) -> Analysis {
        let root = project_root(&self.overlay, path);
        let knowledge = self.knowledge.get(&root).cloned().unwrap_or_default();
        Analysis::new(Arc::clone(&self.overlay), knowledge)
    }

    fn completions(&self, at: &TextDocumentPositionParams) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).completions(&path, offset);
        let items = found.into_iter().enumerate();
        write(items.map(|(order, it)| answer::completion(it, order, &lines)).collect::<Vec<_>>())
    }

    fn hover(&self, at: &TextDocumentPositionParams) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).hover(&path, offset);
        write(found.map(|it| Hover {
            range: Some(lines.range(&it.range)),
            contents: HoverContents::Markup(answer::markdown(it.markdown)),
        }))
    }

    fn places(
        &self,
        at: &TextDocumentPositionParams,
        find: fn(&Analysis, &Path, u32) -> Vec<plumb_ide::Location>,
    ) -> Result<Value, RequestError> {
        let (path, _, offset) = self.place(at)?;
        let found = find(&self.analysis(&path), &path, offset);
        let texts = self.texts();
        let places = found.iter().filter_map(|it| texts.location(&it.path, &it.range()));
        write(places.collect::<Vec<_>>())
    }

    fn highlights(&self, at: &TextDocumentPositionParams) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).references(&path, offset);
        let here = found.iter().filter(|it| it.path == path);
        let highlight = |it: &plumb_ide::Location| DocumentHighlight {
            range: lines.range(&it.range()),
            kind: None,
        };
        write(here.map(highlight).collect::<Vec<_>>())
    }

    fn rename(&self, params: RenameParams) -> Result<Value, RequestError> {
        let RenameParams { text_document_position: at, new_name, .. } = params;
        let (path, _, offset) = self.place(&at)?;
        match self.analysis(&path).rename(&path, offset, &new_name) {
            Ok(edits) => write(self.texts().workspace_edit(&edits)),
            Err(error) => Err(RequestError(ErrorCode::RequestFailed, error.to_string())),
        }
    }

    fn actions(&self, params: &CodeActionParams) -> Result<Value, RequestError> {
        let (path, lines) = self.document(&params.text_document.uri)?;
        let texts = self.texts();
        let (start, end) = (lines.offset(params.range.start), lines.offset(params.range.end));
        let findings = self.published.values().filter_map(|it| it.get(&path)).flatten();
        let here = findings.filter(|it| it.range.start <= end && start <= it.range.end);
        let mut actions = Vec::new();
        for finding in here {
            let diagnostic = texts.diagnostic(finding, &lines);
            let fix = |it| CodeActionOrCommand::CodeAction(texts.fix(it, diagnostic.clone()));
            actions.extend(finding.fixes.iter().map(fix));
        }
        write(actions)
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, RequestError> {
    serde_json::from_value(params)
        .map_err(|error| RequestError(ErrorCode::InvalidParams, error.to_string()))
}

fn write(answer: impl serde::Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(answer)
        .map_err(|error| RequestError(ErrorCode::InternalError, error.to_string()))
}

fn respond(id: RequestId, answer: Result<Value, RequestError>) -> Response {
    match answer {
        Ok(value) => Response::new_ok(id, value),
        Err(RequestError(code, message)) => Response::new_err(id, code as i32, message),
    }
}
