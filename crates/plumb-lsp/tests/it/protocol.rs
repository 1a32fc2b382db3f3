//! The requests of an editor, in order and out of order.

use serde_json::json;

use crate::{Editor, at, uri, world};

const PATH: &str = "/w/a.yml";

#[test]
fn an_editor_types_and_gets_findings_completions_and_hovers() {
    let mut editor = Editor::start(world());
    editor.open(PATH, "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.nam\n");
    assert_eq!(editor.diagnostics(PATH), ["1:21 template/evaluation"]);
    let range =
        json!({ "start": { "line": 1, "character": 24 }, "end": { "line": 1, "character": 24 } });
    let params = json!({ "textDocument": { "uri": uri(PATH) }, "range": range, "context": { "diagnostics": [] } });
    let actions = editor.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Replace by `name`", "{actions}");
    let remove = json!({
        "start": { "line": 1, "character": 21 }, "end": { "line": 1, "character": 24 }
    });
    editor.change(PATH, &json!([{ "range": remove, "text": "" }]));
    assert_eq!(editor.diagnostics(PATH), ["1:9 template/syntax"]);
    let found = editor.request("textDocument/completion", at(PATH, 1, 21));
    let labels: Vec<_> = found.as_array().expect("a list").iter().map(|it| &it["label"]).collect();
    assert_eq!(labels, ["name", "port"]);
    assert_eq!(found[1]["detail"], "integer = 80");
    editor.replace(PATH, "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n");
    assert_eq!(editor.diagnostics(PATH), Vec::<String>::new());
    let hover = editor.request("textDocument/hover", at(PATH, 1, 22));
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.starts_with("**name**: string"), "{text}");
    let places = editor.request("textDocument/definition", at(PATH, 1, 22));
    assert_eq!(places[0]["uri"], uri("/w/schema.yml"));
    assert_eq!(places[0]["range"]["start"]["line"], 2);
}

#[test]
fn nonsense_gets_errors_and_the_server_goes_on() {
    let mut editor = Editor::start(world());
    let unknown = editor.request("textDocument/nonsense", json!({}));
    assert_eq!(unknown["code"], -32601);
    let wrong = editor.request("textDocument/hover", json!({ "position": "here" }));
    assert_eq!(wrong["code"], -32602);
    let elsewhere = json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(editor.request("textDocument/hover", elsewhere)["code"], -32602);
    editor.notify("textDocument/didChange", json!(17));
    editor.change("/w/never-opened.yml", &json!([{ "text": "x" }]));
    assert_eq!(editor.request("initialize", json!({ "capabilities": {} }))["code"], -32601);
    let far = editor.request("textDocument/completion", at("/w/missing.yml", 4_000_000, 9));
    assert_eq!(far, json!([]));
    assert!(editor.request("shutdown", json!(null)).is_null());
    assert_eq!(editor.request("textDocument/hover", at(PATH, 0, 0))["code"], -32600);
    editor.notify("exit", json!(null));
}

#[test]
fn before_it_is_initialized_a_server_answers_nothing_else() {
    let mut server = plumb_lsp::Server::new(std::sync::Arc::new(world()));
    let request = lsp_server::Request::new(1.into(), "textDocument/hover".to_owned(), json!({}));
    let answers = server.handle(request.into());
    let lsp_server::Message::Response(response) = &answers[0] else { panic!("not a response") };
    let shown = serde_json::to_value(response).expect("it is JSON");
    assert_eq!(shown["error"]["code"], -32002);
}
