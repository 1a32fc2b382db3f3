//! Random edits and undos: no crash, no hang, and the findings of a text do not depend on how it was
//! typed.

use plumb::Cancel;
use plumb_ide::Checker;
use plumb_lsp::Server;
use serde_json::json;

use crate::{uri, world};

const PATH: &str = "/w/a.yml";

const TEXT: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ def labels(x):\napp: #@ x\n#@ end\n---\nname: #@ data.values.name\n\
                    labels: #@ labels(data.values.name)\nports:\n- #@ data.values.port\n- \"8443\"\n";

const PASTES: [&str; 12] = [
    "#@ if data.values.",
    "\n",
    "\"",
    "[",
    "}",
    ": ",
    "#@ end\n",
    "- a:\n   b",
    "(@= x @)",
    "é😀",
    "---\n",
    "#@ load(\"",
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
    let mut server = Server::new(std::sync::Arc::new(world()));
    let mut checker = Checker::new(server.overlay());
    let notify = |server: &mut Server, method: &str, params| {
        let message = lsp_server::Notification::new(method.to_owned(), params);
        server.handle(message.into());
    };
    let start =
        lsp_server::Request::new(1.into(), "initialize".to_owned(), json!({ "capabilities": {} }));
    server.handle(start.into());
    let document = json!({ "uri": uri(PATH), "languageId": "yaml", "version": 1, "text": TEXT });
    notify(&mut server, "textDocument/didOpen", json!({ "textDocument": document }));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut text = TEXT.to_owned();
    for step in 0..N_EDITS {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        match random.below(4) {
            0 => text.insert_str(at, PASTES[random.below(PASTES.len())]),
            1 => {
                let end = text.ceil_char_boundary((at + random.below(20)).min(text.len()));
                text.replace_range(at..end, "");
            }
            2 => text.insert_str(at, &TEXT[..TEXT.floor_char_boundary(random.below(TEXT.len()))]),
            _ => text = TEXT.to_owned(),
        }
        if text.len() > 4 * TEXT.len() {
            text = TEXT.to_owned();
        }
        let document = json!({ "uri": uri(PATH), "version": step + 2 });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        notify(&mut server, "textDocument/didChange", params);
        for method in ["completion", "hover", "definition", "references"] {
            let line = random.below(20);
            let params = json!({
                "textDocument": { "uri": uri(PATH) },
                "position": { "line": line, "character": random.below(40) },
                "context": { "includeDeclaration": true }
            });
            answer(&mut server, method, params);
        }
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "formatting"] {
            let params = json!({
                "textDocument": { "uri": uri(PATH) },
                "options": { "tabSize": 2, "insertSpaces": true }
            });
            answer(&mut server, method, params);
        }
        let Some(check) = server.take_check() else { continue };
        for path in &check.changed {
            checker.change(path);
        }
        let checked = checker.check(&check.paths[0], &Cancel::default()).expect("not cancelled");
        if text == TEXT {
            assert!(checked.findings.is_empty(), "{:?}", checked.findings);
        }
        server.finish(checked);
    }
}

/// How many edits are made. Each is a check of the whole project.
const N_EDITS: usize = 400;

fn answer(server: &mut Server, method: &str, params: serde_json::Value) {
    let request = lsp_server::Request::new(2.into(), format!("textDocument/{method}"), params);
    let answers = server.handle(request.into());
    let [lsp_server::Message::Response(response)] = &answers[..] else { panic!("one answer") };
    let shown = serde_json::to_value(response).expect("it is JSON");
    assert!(shown.get("error").is_none(), "{method}: {shown}");
}
