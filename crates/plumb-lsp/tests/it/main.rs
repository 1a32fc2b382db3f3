//! Sessions with the server, over a connection in memory.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "examples are files; counts are printed"
)]

mod extras;
mod fuzz;
mod protocol;
mod types;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use plumb::world::MemoryWorld;
use plumb_lsp::uri_of;
use serde_json::{Value, json};

/// How long a test waits for a message: checks run on a thread, on a machine that may be busy.
const PATIENCE: Duration = Duration::from_mins(2);

/// An editor that talks to a server.
struct Editor {
    connection: Connection,
    n_requests: i32,
    version: i32,
    /// Notifications that arrived while something else was awaited.
    early: Vec<Notification>,
}

impl Editor {
    fn start(world: MemoryWorld) -> Self {
        let (editor, answer) = Self::start_with(world, &json!(null), &json!({}));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor
    }

    /// An editor with options and capabilities. Also returns the answer of the server.
    fn start_with(world: MemoryWorld, options: &Value, capabilities: &Value) -> (Self, Value) {
        let (own, other) = Connection::memory();
        thread::spawn(move || plumb_lsp::serve(other, Arc::new(world)));
        let mut editor = Self { connection: own, n_requests: 0, version: 0, early: Vec::new() };
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        let answer = editor.request("initialize", params);
        editor.notify("initialized", json!({}));
        (editor, answer)
    }

    fn notify(&self, method: &str, params: Value) {
        let message = Message::Notification(Notification::new(method.to_owned(), params));
        self.connection.sender.send(message).expect("the server is there");
    }

    /// The result of a request, or its error.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = RequestId::from(self.n_requests);
        let message = Message::Request(Request::new(id.clone(), method.to_owned(), params));
        self.connection.sender.send(message).expect("the server is there");
        loop {
            match self.receive() {
                Message::Response(response) if response.id == id => {
                    let response = serde_json::to_value(response).expect("it is JSON");
                    return response.get("result").unwrap_or(&response["error"]).clone();
                }
                Message::Notification(it) => self.early.push(it),
                Message::Response(_) | Message::Request(_) => {}
            }
        }
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers")
    }

    fn open(&mut self, path: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": uri(path), "languageId": "yaml", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces all of a document.
    fn replace(&mut self, path: &str, text: &str) {
        self.change(path, &json!([{ "text": text }]));
    }

    fn change(&mut self, path: &str, changes: &Value) {
        self.version += 1;
        let document = json!({ "uri": uri(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The parameters of the next notification of a method.
    fn notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.early.iter().position(|it| it.method == method) {
                return self.early.remove(at).params;
            }
            if let Message::Notification(it) = self.receive() {
                self.early.push(it);
            }
        }
    }

    /// The next diagnostics of a file: those of its current version, if it is open.
    fn raw_diagnostics(&mut self, path: &str) -> Value {
        loop {
            let params = self.notification("textDocument/publishDiagnostics");
            let version = params.get("version").unwrap_or(&Value::Null);
            if params["uri"] == uri(path) && (version.is_null() || *version == self.version) {
                return params["diagnostics"].clone();
            }
        }
    }

    /// The same, as `LINE:CHARACTER code`.
    fn diagnostics(&mut self, path: &str) -> Vec<String> {
        let found = self.raw_diagnostics(path);
        let shown = found.as_array().into_iter().flatten().map(|it| {
            let start = &it["range"]["start"];
            let code = it["code"].as_str().unwrap_or_default();
            format!("{}:{} {code}", start["line"], start["character"])
        });
        shown.collect()
    }
}

fn uri(path: &str) -> Value {
    json!(uri_of(Path::new(path)).expect("a path").as_str())
}

fn at(path: &str, line: u32, character: u32) -> Value {
    json!({
        "textDocument": { "uri": uri(path) },
        "position": { "line": line, "character": character }
    })
}

/// A directory with a schema.
fn world() -> MemoryWorld {
    let schema = "#@data/values-schema\n---\nname: web\nport: 80\n";
    MemoryWorld::new().file("/w/schema.yml", schema)
}
