//! The language server: it takes and returns messages. Its owner decides when to check.

use std::sync::Arc;

use lsp_server::Message;
use plumb::Cancel;
use plumb::world::MemoryWorld;
use plumb_ide::Checker;
use plumb_lsp::Server;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

/// A server for one editor, whose files are all open in it. The project is in `/work`.
#[wasm_bindgen]
pub struct LanguageServer {
    server: Server,
    checker: Checker,
}

#[wasm_bindgen]
impl LanguageServer {
    /// A server without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript has no such trait")]
    pub fn new() -> Self {
        let server = Server::new(Arc::new(MemoryWorld::new()));
        let checker = Checker::new(server.overlay());
        Self { server, checker }
    }

    /// Handles a message of the client. Returns a list of messages to send back.
    pub fn handle(&mut self, message: &str) -> String {
        match serde_json::from_str::<Message>(message) {
            Ok(message) => list(&self.server.handle(message)),
            Err(_) => "[]".to_owned(),
        }
    }

    /// Whether files have changed since the last check.
    #[wasm_bindgen(js_name = hasCheck)]
    pub fn has_check(&self) -> bool {
        self.server.has_check()
    }

    /// Checks the files that have changed. Returns a list of messages to send.
    pub fn check(&mut self) -> String {
        let Some(check) = self.server.take_check() else { return "[]".to_owned() };
        let results = check.run(&mut self.checker, &Cancel::default()).unwrap_or_default();
        let messages: Vec<Message> =
            results.into_iter().flat_map(|it| self.server.finish(it)).collect();
        list(&messages)
    }
}

fn list(messages: &[Message]) -> String {
    let messages = messages.iter().filter_map(|message| {
        let mut value = serde_json::to_value(message).ok()?;
        value["jsonrpc"] = json!("2.0");
        Some(value)
    });
    Value::from(messages.collect::<Vec<_>>()).to_string()
}
