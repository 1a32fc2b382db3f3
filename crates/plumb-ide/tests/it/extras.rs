//! Signatures, hints, links, selections, formatting of ranges, lenses, fixes, overlays and previews.

use std::sync::Arc;

use crate::{Fixture, shown};

const SCHEMA: &str =
    "=== schema.yml\n#@data/values-schema\n---\napp:\n  name: web\n  replicas: 2\n";
const LOAD: &str = "=== a.yml\n#@ load(\"@ytt:data\", \"data\")\n";

fn signature(text: &str) -> String {
    let mut fixture = Fixture::new(text);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let found = fixture.analysis().signature(&path, offset);
    found.map_or_else(String::new, |it| {
        let active = it.active.map_or("", |at| it.parameters[at].as_str());
        format!("{} [{active}]", it.label)
    })
}

#[test]
fn the_function_of_a_call_is_shown_with_the_argument_that_is_typed() {
    let json = "=== a.yml\n#@ load(\"@ytt:json\", \"json\")\n";
    let found = signature(&format!("{json}x: #@ json.encode(1, $0\n"));
    assert!(found.starts_with("json.encode(value"), "{found}");
    let own = "=== a.star\ndef f(a, b=1, *rest):\n  return a\nend\n";
    assert_eq!(signature(&format!("{own}x = f($0\n")), "f(a, b=…, *rest) [a]");
    assert_eq!(signature(&format!("{own}x = f([1, 2], $0\n")), "f(a, b=…, *rest) [b=…]");
    assert_eq!(signature(&format!("{own}x = f(1, 2, 3, $0\n")), "f(a, b=…, *rest) [*rest]");
    assert_eq!(signature(&format!("{own}x = f(b=$0\n")), "f(a, b=…, *rest) [b=…]");
    assert_eq!(signature(&format!("{own}x = f(1)$0\n")), "");
    let loaded = "=== lib.star\ndef labels(app, extra={}): return app\n=== a.yml\n";
    let text = format!("{loaded}#@ load(\"lib.star\", \"labels\")\nx: #@ labels(1, $0)\n");
    assert_eq!(signature(&text), "labels(app, extra=…) [extra=…]");
    let annotation = signature("=== a.yml\n#@overlay/match by=\"x\", $0\nx: 1\n");
    assert!(annotation.starts_with("@overlay/match by=…, expects=…"), "{annotation}");
}

fn completions(text: &str) -> Vec<String> {
    let mut fixture = Fixture::new(text);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    fixture.analysis().completions(&path, offset).into_iter().map(|it| it.label).collect()
}

#[test]
fn arguments_paths_and_blocks_are_completed() {
    let own = "=== a.star\ndef f(a, b=1, *rest):\n  return a\nend\n";
    let found = completions(&format!("{own}x = f(1, b$0\n"));
    assert_eq!(found[..2], ["a=", "b="]);
    let annotation = completions("=== a.yml\n#@overlay/match $0\nx: 1\n");
    assert!(annotation.contains(&"missing_ok=".to_owned()), "{annotation:?}");
    let files = completions(&format!("=== notes.txt\nx\n{LOAD}x: #@ data.read(\"$0\n"));
    assert_eq!(files, ["a.yml", "notes.txt"]);
    let text = "=== _ytt_lib/db/a.yml\nx: 1\n=== b.yml\n#@ load(\"@ytt:library\", \"library\")\nx: #@ library.get(\"$0\n";
    assert_eq!(completions(text), ["db"]);
    let blocks = completions("=== a.yml\n#@ i$0\nx: 1\n");
    assert!(blocks.contains(&"if … end".to_owned()), "{blocks:?}");
    let inside = completions("=== a.yml\nx: #@ i$0\n");
    assert!(!inside.contains(&"if … end".to_owned()), "{inside:?}");
}

fn hints(fixture: &mut Fixture) -> Vec<String> {
    let path = fixture.path.clone();
    let end = u32::try_from(fixture.text.len()).expect("short");
    let found = fixture.analysis().hints(&path, &(0..end));
    let text = fixture.text.clone();
    let line = |at: u32| text[..at as usize].split('\n').count();
    found.iter().map(|it| format!("{} {}", line(it.offset), it.label)).collect()
}

#[test]
fn computed_values_have_hints() {
    let text = format!(
        "{SCHEMA}{LOAD}name: #@ data.values.app.name\nlist:\n#@ for i in range(2):\n- #@ i\n#@ end\n\
         url: http://(@= data.values.app.name @)/\nplain: 1\n$0"
    );
    let mut fixture = Fixture::new(&text);
    assert_eq!(
        hints(&mut fixture),
        ["2 = web", "5 = 0 | 1", "7 = http://(@= data.values.app.name @)/"]
    );
    // While the file is broken, hints stay where nothing has changed.
    let broken = fixture.text.replace("list:", "list: [");
    fixture.edit(&broken);
    assert_eq!(hints(&mut fixture)[0], "2 = web");
}

#[test]
fn secrets_are_not_shown() {
    let text = format!(
        "=== schema.yml\n#@data/values-schema\n---\n#@schema/secret\ntoken: hunter2\nname: web\n\
         {LOAD}a: #@ \"Bearer \" + data.values.token\nb: #@ data.values.name\n$0"
    );
    let mut fixture = Fixture::new(&text);
    assert_eq!(fixture.findings(), "");
    assert_eq!(hints(&mut fixture), ["2 = ***", "3 = web"]);
}

#[test]
fn hover_shows_what_a_computed_value_renders_to() {
    let files = "=== p/plumb.yml\ntargets:\n  dev: {file: config}\n  prod: {file: config, data-value-yaml: [\"count=3\"]}\n\
                 === p/config/schema.yml\n#@data/values-schema\n---\ncount: 1\n\
                 === p/config/a.yml\n#@ load(\"@ytt:data\", \"data\")\nx: #@ data.values.count $0+ 1\n";
    let mut fixture = Fixture::new(files);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    assert_eq!(fixture.findings(), "");
    let found = fixture.analysis().hover(&path, offset).expect("a value").markdown;
    assert_eq!(found, "Renders to `2` in `dev`\n\nRenders to `4` in `prod`");
}

#[test]
fn names_of_files_are_links() {
    let mut fixture = Fixture::new(
        "=== lib.star\ndef f(): return 1\n=== notes.txt\nx\n=== a.yml\n#@ load(\"lib.star\", \"f\")\n\
         #@ load(\"@ytt:data\", \"data\")\nx: #@ data.read(\"notes.txt\")\ny: #@ data.read(\"none.txt\")$0\n",
    );
    let path = fixture.path.clone();
    let found = fixture.analysis().links(&path);
    let targets: Vec<String> = found.iter().map(|it| shown(&it.path)).collect();
    assert_eq!(targets, ["lib.star", "notes.txt"]);
    let first = &found[0].range;
    assert_eq!(&fixture.text[first.start as usize..first.end as usize], "lib.star");
}

#[test]
fn selections_grow_from_the_word_to_the_file() {
    let mut fixture = Fixture::new(&format!("{LOAD}a:\n  b: #@ f(data.values.na$0me)\nc: 1\n"));
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let found = fixture.analysis().selections(&path, offset);
    let texts: Vec<&str> =
        found.iter().map(|it| &fixture.text[it.start as usize..it.end as usize]).collect();
    let expected = ["name", "data.values.name", "(data.values.name)"];
    assert_eq!(texts[..3], expected, "{texts:?}");
    assert_eq!(*texts.last().expect("the file"), fixture.text);
    assert!(texts.contains(&"b: #@ f(data.values.name)"), "{texts:?}");
}

#[test]
fn a_range_is_formatted_with_the_blocks_that_it_touches() {
    let mut fixture = Fixture::new("=== a.yml\na:\n    b: 1$0\nc:\n    d: 2\n");
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let found = fixture.analysis().format_range(&path, &(offset..offset));
    let [(range, text)] = &found[..] else { panic!("one block: {found:?}") };
    assert_eq!(&fixture.text[range.start as usize..range.end as usize], "a:\n    b: 1\n");
    assert_eq!(text, "a:\n  b: 1\n");
}

#[test]
fn tests_and_templates_have_lenses() {
    let lenses = |text: &str| {
        let mut fixture = Fixture::new(text);
        let path = fixture.path.clone();
        let found = fixture.analysis().lenses(&path);
        found
            .into_iter()
            .map(|it| format!("{} {:?}", it.range.start, it.action))
            .collect::<Vec<_>>()
    };
    let suite = lenses(
        "=== tests/a_test.yml\nsuite: a\ntests:\n- it: works\n  asserts: []\n- it: fails$0\n",
    );
    assert_eq!(suite, ["0 RunTests", "16 RunTest(\"works\")", "42 RunTest(\"fails\")"]);
    let code = lenses(
        "=== tests/b_test.star\ndef test_one():\n  pass\nend\ndef other():\n  pass\nend\n$0",
    );
    assert_eq!(code, ["0 RunTests", "4 RunTest(\"test_one\")"]);
    let template = lenses(&format!("{SCHEMA}{LOAD}x: #@ data.values.app.name$0\n"));
    assert_eq!(template, ["0 ShowOutput(\"default\")"]);
    assert_eq!(lenses("=== schema.yml\n#@data/values-schema\n---\nx: 1$0\n"), Vec::<String>::new());
}

/// The file after the first fix of the first finding with a code: `PATH` and its new text.
fn fixed(text: &str, code: &str) -> (String, String) {
    let mut fixture = Fixture::new(text);
    let checked = fixture.check();
    let analysis = fixture.analysis();
    for (path, findings) in &checked.findings {
        for finding in findings.iter().filter(|it| it.code == code) {
            let Some(fix) = analysis.fixes(path, finding).into_iter().next_back() else { continue };
            let edit = &fix.edits[0];
            let text = fixture.overlay.text(&edit.path).expect("it was read");
            let mut text = String::from_utf8(text.to_vec()).expect("UTF-8");
            text.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.text);
            return (fix.title, text);
        }
    }
    panic!("no fix of {code}: {:?}", checked.findings)
}

#[test]
fn a_missing_end_is_added() {
    let (title, text) =
        fixed("=== a.yml\na: 1\nb:\n  #@ if True:\n  c: 1\nd: 2$0\n", "template/syntax");
    assert_eq!(title, "Add the missing `end`");
    assert_eq!(text, "a: 1\nb:\n  #@ if True:\n  c: 1\n  #@ end\nd: 2\n");
    let (_, code) = fixed("=== a.star\ndef f():\n  return 1$0", "template/syntax");
    assert_eq!(code, "def f():\n  return 1\nend\n");
}

#[test]
fn an_undeclared_data_value_is_declared_with_its_type() {
    let values = "=== v.yml\n#@data/values\n---\napp:\n  ports:\n  - 80$0\n";
    let (title, text) = fixed(&format!("{SCHEMA}{values}"), "schema/unknown-key");
    assert_eq!(title, "Declare `app.ports` in the schema");
    let schema = "#@data/values-schema\n---\napp:\n  name: web\n  replicas: 2\n  ports:\n  - 0\n";
    assert_eq!(text, schema);
    let used = format!("{SCHEMA}{LOAD}x: #@ data.values.app.zzzzzzzz$0\n");
    let (title, text) = fixed(&used, "template/evaluation");
    assert_eq!(title, "Declare `app.zzzzzzzz` in the schema");
    assert!(text.ends_with("  replicas: 2\n  zzzzzzzz: \"\"\n"), "{text}");
}

#[test]
fn an_overlay_may_add_what_it_does_not_find() {
    let files = "=== s.yml\n#@data/values-schema\n---\nnone: 1\n=== a.yml\nkind: X\nm:\n  x: 1\n=== o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
                 #@overlay/match by=overlay.all\n---\nm:\n  y: 2$0\n";
    let (title, text) = fixed(files, "overlay/no-match");
    assert_eq!(title, "Add `missing_ok=True`");
    assert!(text.ends_with("m:\n  #@overlay/match missing_ok=True\n  y: 2\n"), "{text}");
    let whole = "=== s.yml\n#@data/values-schema\n---\nnone: 1\n=== a.yml\nkind: X\n=== o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
                 #@overlay/match by=overlay.subset({\"kind\": \"Y\"})\n---\nm: 2$0\n";
    let (_, text) = fixed(whole, "overlay/no-match");
    assert!(text.contains("subset({\"kind\": \"Y\"}), missing_ok=True\n---"), "{text}");
}

#[test]
fn a_value_that_should_be_a_string_is_quoted() {
    let values = "=== v.yml\n#@data/values\n---\napp:\n  name: yes #! sure$0\n";
    let (title, text) = fixed(&format!("{SCHEMA}{values}"), "schema/type-mismatch");
    assert_eq!(title, "Quote it: `\"yes\"`");
    assert!(text.ends_with("  name: \"yes\" #! sure\n"), "{text}");
}

#[test]
fn the_misspelt_word_is_replaced() {
    let (_, text) =
        fixed("=== a.yml\n#@ load(\"@ytt:dat\", \"data\")\nx: 1$0\n", "template/evaluation");
    assert_eq!(text, "#@ load(\"@ytt:data\", \"data\")\nx: 1\n");
    let (_, text) =
        fixed("=== a.yml\n#@ load(\"@ytt:json\", \"jsn\")\nx: 1$0\n", "template/evaluation");
    assert_eq!(text, "#@ load(\"@ytt:json\", \"json\")\nx: 1\n");
    let (_, text) = fixed("=== a.yml\nx: #@ \"a\".uper()$0\n", "template/evaluation");
    assert_eq!(text, "x: #@ \"a\".upper()\n");
}

#[test]
fn a_misspelt_argument_is_replaced() {
    let function =
        "=== a.yml\n#@ def f(name, port=1):\n#@   return name\n#@ end\na: #@ f(\"x\", prot=2)\n$0";
    let (title, text) = fixed(function, "template/evaluation");
    assert_eq!(title, "Replace by `port`");
    assert!(text.contains("f(\"x\", port=2)"), "{text}");
    let (title, text) =
        fixed("=== a.yml\na: #@ sorted([1], revers=True)\n$0", "template/evaluation");
    assert_eq!(title, "Replace by `reverse`");
    assert!(text.contains("sorted([1], reverse=True)"), "{text}");
}

#[test]
fn a_plain_comment_in_a_template_is_marked() {
    let (title, text) = fixed("=== a.yml\n# why\nx: #@ 1$0\n", "template/unknown-comment");
    assert_eq!(title, "Write `#!`");
    assert_eq!(text, "#! why\nx: #@ 1\n");
}

#[test]
fn a_module_that_is_used_is_loaded() {
    let (title, text) = fixed("=== a.yml\nx: #@ json.encode(1)$0\n", "template/undefined");
    assert_eq!(title, "Load `@ytt:json`");
    assert!(text.starts_with("#@ load(\"@ytt:json\", \"json\")\nx:"), "{text}");
}

const OVERLAID: &str = "=== schema.yml\n#@data/values-schema\n---\nnone: 1\n=== a.yml\nkind: X\nspec:\n  replicas: 1\n  list:\n  - name: a\n    v: 1\n  - name: b\n    v: 2\n";
const OVERLAY: &str = "=== o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n\
                       spec:\n  replicas: 3\n  list:\n  #@overlay/match by=\"name\"\n  - name: b\n    v: 9\n";

fn places(
    files: &str,
    find: fn(&plumb_ide::Analysis, &std::path::Path, u32) -> Vec<plumb_ide::Location>,
) -> Vec<String> {
    let mut fixture = Fixture::new(files);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let found = find(&fixture.analysis(), &path, offset);
    let place = |it: &plumb_ide::Location| {
        let text = fixture.overlay.text(&it.path).expect("it was read");
        let line = text[..it.start as usize].split(|byte| *byte == b'\n').count();
        format!("{}:{line}", shown(&it.path))
    };
    found.iter().map(place).collect()
}

#[test]
fn an_overlay_item_leads_to_what_it_matches() {
    let from = |line: &str, marked: &str| {
        let overlay = OVERLAY.replacen(line, marked, 1);
        places(&format!("{OVERLAID}{overlay}"), plumb_ide::Analysis::definition)
    };
    assert_eq!(from("replicas: 3", "repl$0icas: 3"), ["a.yml:3"]);
    assert_eq!(from("spec:", "sp$0ec:"), ["a.yml:2"]);
    assert_eq!(from("v: 9", "v$0: 9"), ["a.yml:8"]);
    assert_eq!(from("- name: b", "-$0 name: b"), ["a.yml:7"]);
}

#[test]
fn an_item_leads_to_the_overlays_that_change_it() {
    let from = |line: &str, marked: &str| {
        let base = OVERLAID.replacen(line, marked, 1);
        places(&format!("{base}{OVERLAY}"), plumb_ide::Analysis::implementations)
    };
    assert_eq!(from("replicas: 1", "repl$0icas: 1"), ["o.yml:5"]);
    assert_eq!(from("spec:", "sp$0ec:"), ["o.yml:5", "o.yml:4"]);
    assert_eq!(from("list:", "li$0st:"), ["o.yml:6"]);
    assert_eq!(from("- name: a", "-$0 name: a"), Vec::<String>::new());
    assert_eq!(from("kind: X", "ki$0nd: X"), Vec::<String>::new());
    let values = format!(
        "{SCHEMA}=== v.yml\n#@data/values\n---\napp:\n  name: x\n{LOAD}x: #@ data.values.app.na$0me\n"
    );
    assert_eq!(places(&values, plumb_ide::Analysis::implementations), ["v.yml:4"]);
}

#[test]
fn keys_of_a_document_lead_to_overlays_and_back() {
    let files = "=== s.yml\n#@data/values-schema\n---\nnone: 1\n=== a.yml\nport: 1A\nhost: x\n=== o.yml\n\
                 #@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nport: 9O\n";
    let at = |cursor: &str| files.replacen(cursor, "$0", 1).replace(['A', 'O'], "");
    let definition = places(&at("O"), plumb_ide::Analysis::definition);
    assert_eq!(definition, ["a.yml:1"]);
    let changed_by = places(&at("A"), plumb_ide::Analysis::implementations);
    assert_eq!(changed_by, ["o.yml:4"]);
}

#[test]
fn a_preview_knows_where_each_item_comes_from() {
    let files = format!(
        "{SCHEMA}{LOAD}a:\n  name: #@ data.values.app.name\n#@ for i in range(2):\n#@yaml/text-templated-strings\n(@= \"k\" + str(i) @): #@ i\n#@ end\n$0"
    );
    let mut fixture = Fixture::new(&files);
    let path = fixture.path.clone();
    let found = fixture.analysis().preview(&path, None).expect("it was rendered");
    assert_eq!(found.text, "a:\n  name: web\nk0: 0\nk1: 1\n");
    assert_eq!((found.target.as_str(), found.is_of_file), ("default", true));
    let source = fixture.text.clone();
    let line = |text: &str, at: u32| text[..at as usize].split('\n').count();
    let map: Vec<(usize, usize)> = found
        .items
        .iter()
        .map(|it| (line(&found.text, it.output.start), line(&source, it.source.start)))
        .collect();
    assert_eq!(map, [(1, 2), (2, 3), (3, 6), (4, 6)]);
    assert_eq!(found.items[0].output, 0..14, "an item contains what is below it");
    let of_schema = std::path::Path::new("/w/schema.yml");
    let whole = fixture.analysis().preview(of_schema, None).expect("that of the target");
    assert!(!whole.is_of_file);
    assert_eq!(whole.text, found.text);
}

#[test]
fn a_preview_of_a_text_template_knows_where_each_line_comes_from() {
    let text = "(@ load(\"@ytt:data\", \"data\") -@)\none\n(@ for i in range(2): -@)\nn (@= str(i) @)\n(@ end -@)\nlast $0(@= data.values.app.name @)\n";
    let mut fixture = Fixture::new(&format!("{SCHEMA}=== a.txt\n{text}"));
    let path = fixture.path.clone();
    let found = fixture.analysis().preview(&path, None).expect("it was rendered");
    assert_eq!(found.text, "one\nn 0\nn 1\nlast web\n");
    assert!(found.is_of_file);
    let source = fixture.text.clone();
    let slice = |text: &str, range: &std::ops::Range<u32>| {
        text[range.start as usize..range.end as usize].to_owned()
    };
    let map: Vec<(String, String)> = found
        .items
        .iter()
        .map(|it| (slice(&found.text, &it.output), slice(&source, &it.source)))
        .collect();
    let pairs: Vec<(&str, &str)> = map.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
    let round = |number| [("n ", "n "), (number, " str(i) "), ("\n", "\n")];
    let mut expected = vec![("one\n", "one\n")];
    expected.extend(round("0"));
    expected.extend(round("1"));
    expected.extend([("last ", "last "), ("web", " data.values.app.name "), ("\n", "\n")]);
    assert_eq!(pairs, expected);
}

#[test]
fn printed_output_has_a_map_of_each_text() {
    let world: Arc<dyn plumb::World> = Arc::new(
        plumb::world::MemoryWorld::new()
            .file("a.yml", "x: 1\n")
            .file("b.txt", "one\n(@= \"2\" @)\n"),
    );
    let options = plumb::Options::new().path("a.yml").path("b.txt");
    let outcome = plumb::render(&world, &options);
    let overlay = plumb_ide::Overlay::new(Arc::clone(&world));
    let rendered = outcome.result.expect("no mistakes");
    let stream = plumb_ide::stream(rendered, outcome.sources, &overlay);
    assert_eq!((stream.text.as_str(), stream.items.len()), ("x: 1\n", 1));
    let items = stream.texts["b.txt"].iter().map(|it| (it.output.clone(), it.source.clone()));
    assert_eq!(items.collect::<Vec<_>>(), [(0..4, 0..4), (4..5, 7..12), (5..6, 14..15)]);
}

#[test]
fn symbols_of_all_files_are_found_by_their_letters() {
    let mut fixture =
        Fixture::new(&format!("{SCHEMA}=== lib.star\ndef make_labels(): return 1\n{LOAD}x: 1$0\n"));
    let found = fixture.analysis().workspace_symbols("mklab");
    let names: Vec<String> =
        found.iter().map(|it| format!("{} {}", shown(&it.0), it.1.name)).collect();
    assert_eq!(names, ["lib.star make_labels"]);
    let keys = fixture.analysis().workspace_symbols("replicas");
    assert_eq!(keys.len(), 1, "{keys:?}");
}
