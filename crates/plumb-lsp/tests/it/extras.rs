//! The requests beyond typing: hints, lenses, actions, previews and documents that are not files.

use plumb::world::MemoryWorld;
use serde_json::{Value, json};

use crate::{Editor, at, uri};

const PATH: &str = "/w/a.yml";
const TEXT: &str = "#@ load(\"@ytt:data\", \"data\")\na:\n    name: #@ data.values.name\n";

fn world() -> MemoryWorld {
    let schema =
        "#@data/values-schema\n---\nname: web\n#@schema/deprecated \"use name\"\nold: \"\"\n";
    let values = "#@data/values\n---\nold: x\n";
    MemoryWorld::new().file("/w/schema.yml", schema).file("/w/values.yml", values)
}

fn of_document(path: &str) -> Value {
    json!({ "textDocument": { "uri": uri(path) } })
}

fn range(lines: (u32, u32)) -> Value {
    json!({
        "start": { "line": lines.0, "character": 0 }, "end": { "line": lines.1, "character": 0 }
    })
}

#[test]
fn computed_values_are_hints_that_can_be_switched_off() {
    let mut editor = Editor::start(world());
    editor.open(PATH, TEXT);
    editor.diagnostics("/w/values.yml");
    let mut params = of_document(PATH);
    params["range"] = range((0, 3));
    let hints = editor.request("textDocument/inlayHint", params);
    assert_eq!(hints[0]["label"], "= web", "{hints}");
    assert_eq!(hints[0]["position"], json!({ "line": 2, "character": 29 }));
    let (_, off) = Editor::start_with(world(), &json!({ "inlayHints": false }), &json!({}));
    assert!(off["capabilities"].get("inlayHintProvider").is_none(), "{off}");
}

#[test]
fn lenses_have_only_commands_that_the_client_knows() {
    let (mut editor, _) = Editor::start_with(
        world(),
        &json!({ "commands": ["plumb.showPreview"] }),
        &json!({ "workspace": { "codeLens": { "refreshSupport": true } } }),
    );
    editor.open(PATH, TEXT);
    editor.diagnostics("/w/values.yml");
    let lenses = editor.request("textDocument/codeLens", of_document(PATH));
    assert_eq!(lenses[0]["command"]["command"], "plumb.showPreview", "{lenses}");
    assert_eq!(lenses[0]["command"]["arguments"], json!([uri(PATH), "default"]));
    editor.open("/w/tests/a_test.yml", "tests:\n- it: works\n");
    let tests = editor.request("textDocument/codeLens", of_document("/w/tests/a_test.yml"));
    assert_eq!(tests, json!([]), "it does not have plumb.runTest");
}

#[test]
fn a_finding_has_a_tag_and_a_page() {
    let mut editor = Editor::start(world());
    editor.open(PATH, TEXT);
    let found = editor.raw_diagnostics("/w/values.yml");
    let deprecated = &found[0];
    assert_eq!(deprecated["code"], "schema/deprecated-value", "{found}");
    assert_eq!(deprecated["tags"], json!([2]));
    let page = &deprecated["codeDescription"]["href"];
    assert_eq!(*page, "plumb-manual:/findings/schema/deprecated-value.md");
    let content = editor.request("workspace/textDocumentContent", json!({ "uri": page }));
    let text = content["text"].as_str().expect("a page");
    assert!(text.starts_with("# `schema/deprecated-value`"), "{text}");
    let unknown = json!({ "uri": "plumb-manual:/findings/none/such.md" });
    assert_eq!(editor.request("workspace/textDocumentContent", unknown)["code"], -32602);
}

#[test]
fn a_preview_has_a_source_map_and_is_refreshed() {
    let mut editor = Editor::start(world());
    editor.open(PATH, TEXT);
    editor.diagnostics("/w/values.yml");
    let shown = editor.request("plumb/preview", of_document(PATH));
    assert_eq!(shown["text"], "a:\n  name: web\n");
    assert_eq!(shown["uri"], "plumb-preview:/w/a.yml?default");
    let name = &shown["items"][1];
    assert_eq!(name["output"]["start"], json!({ "line": 1, "character": 2 }));
    assert_eq!(name["source"]["start"], json!({ "line": 2, "character": 4 }));
    assert_eq!(name["uri"], uri(PATH));
    editor.replace(PATH, "b: 1\n");
    let changed = editor.notification("plumb/previewChanged");
    assert_eq!(changed["uri"], uri(PATH));
    let content = json!({ "uri": shown["uri"] });
    let text = editor.request("workspace/textDocumentContent", content);
    assert_eq!(text["text"], "b: 1\n");
}

#[test]
fn the_rest_is_answered() {
    let mut editor = Editor::start(world());
    editor.open(PATH, &format!("{TEXT}b: #@ len(\n"));
    editor.diagnostics(PATH);
    let help = editor.request("textDocument/signatureHelp", at(PATH, 3, 10));
    assert_eq!(help["signatures"][0]["label"], "len(x)", "{help}");
    let mut params = of_document(PATH);
    params["positions"] = json!([{ "line": 2, "character": 6 }]);
    let selection = editor.request("textDocument/selectionRange", params);
    assert_eq!(selection[0]["range"]["start"]["character"], 4, "{selection}");
    assert!(selection[0]["parent"].is_object(), "{selection}");
    editor.replace(PATH, TEXT);
    let mut params = of_document(PATH);
    params["range"] = range((2, 2));
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = editor.request("textDocument/rangeFormatting", params);
    assert_eq!(edits[0]["newText"], "a:\n  name: #@ data.values.name\n", "{edits}");
    let renamed = editor.request("textDocument/prepareRename", at(PATH, 2, 28));
    assert_eq!(renamed["start"]["character"], 25, "{renamed}");
    let symbols = editor.request("workspace/symbol", json!({ "query": "old" }));
    assert_eq!(symbols[0]["name"], "old", "{symbols}");
    let links = editor.request("textDocument/documentLink", of_document(PATH));
    assert_eq!(links, json!([]));
}
