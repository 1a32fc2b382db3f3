//! Completion, hover, navigation, symbols: also in files with errors.

use crate::{Fixture, shown};

const SCHEMA: &str = "=== schema.yml\n#@data/values-schema\n---\n#@schema/desc \"The app\"\napp:\n  \
                      #@schema/title \"Name of the app\"\n  #@schema/validation min_len=1\n  name: web\n  \
                      replicas: 2\nhosts:\n- \"\"\n";

fn completions(text: &str) -> Vec<String> {
    let mut fixture = Fixture::new(&format!("{SCHEMA}{text}"));
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let found = fixture.analysis().completions(&path, offset);
    found.into_iter().map(|it| it.label).collect()
}

fn hover(text: &str) -> String {
    let mut fixture = Fixture::new(&format!("{SCHEMA}{text}"));
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    fixture.analysis().hover(&path, offset).map(|it| it.markdown).unwrap_or_default()
}

const LOAD: &str = "=== a.yml\n#@ load(\"@ytt:data\", \"data\")\n";

#[test]
fn data_values_are_completed_by_the_schema() {
    assert_eq!(completions(&format!("{LOAD}x: #@ data.values.$0\n")), ["app", "hosts"]);
    assert_eq!(completions(&format!("{LOAD}x: #@ data.values.app.re$0\n")), ["name", "replicas"]);
}

#[test]
fn a_file_with_errors_is_completed() {
    let text = format!("{LOAD}#@ def f(a:\nkey\n  x: [1\n#@ if data.values.$0\ny: 1\n");
    assert_eq!(completions(&text), ["app", "hosts"]);
}

#[test]
fn modules_and_what_they_have_are_completed() {
    let modules = completions("=== a.yml\n#@ load(\"$0\nx: 1\n");
    assert!(modules.contains(&"@ytt:overlay".to_owned()), "{modules:?}");
    assert!(modules.contains(&"schema.yml".to_owned()), "{modules:?}");
    let members = completions("=== a.yml\n#@ load(\"@ytt:json\", \"json\")\nx: #@ json.$0\n");
    assert_eq!(members, ["encode", "decode"]);
    let exported = completions(
        "=== lib.star\ndef labels(app): return app\ndef _own(): return 1\nversion = 1\n\
         === a.yml\n#@ load(\"lib.star\", \"$0\nx: 1\n",
    );
    assert_eq!(exported, ["labels", "version"]);
}

#[test]
fn annotations_are_completed_where_they_apply() {
    let in_schema = completions("=== s.yml\n#@data/values-schema\n---\n#@sch$0\nname: 1\n");
    assert!(in_schema.contains(&"schema/nullable".to_owned()), "{in_schema:?}");
    assert!(!in_schema.iter().any(|it| it.starts_with("overlay/")), "{in_schema:?}");
    let in_template = completions("=== t.yml\n---\n#@ov$0\nname: 1\n");
    assert!(in_template.contains(&"overlay/match".to_owned()), "{in_template:?}");
    assert!(!in_template.contains(&"schema/nullable".to_owned()), "{in_template:?}");
}

#[test]
fn keys_of_data_values_are_completed_by_the_schema() {
    assert_eq!(completions("=== v.yml\n#@data/values\n---\napp:\n  n$0\n"), ["name", "replicas"]);
    assert_eq!(completions("=== v.yml\n#@data/values\n---\napp: {}\nh$0\n"), ["hosts"]);
}

#[test]
fn names_of_the_scope_are_completed() {
    let names =
        completions("=== a.star\nx = 1\ndef f(arg):\n  y = ar$0\nend\ndef g(other):\nend\n");
    for expected in ["x", "f", "arg", "y", "len", "end"] {
        assert!(names.contains(&expected.to_owned()), "{expected}: {names:?}");
    }
    assert!(!names.contains(&"other".to_owned()), "{names:?}");
}

#[test]
fn hover_shows_what_a_schema_says_and_the_value() {
    let docs = hover(&format!("{LOAD}x: #@ data.values.app.na$0me\n"));
    assert!(docs.starts_with("**app.name**: string"), "{docs}");
    assert!(docs.contains("Name of the app"), "{docs}");
    assert!(docs.contains("Must be: "), "{docs}");
    assert!(docs.contains("Default: `web`"), "{docs}");
    assert!(docs.contains("In `default`: `web`"), "{docs}");
    let key = hover("=== v.yml\n#@data/values\n---\napp:\n  repl$0icas: 3\n");
    assert!(key.contains("In `default`: `3`"), "{key}");
}

#[test]
fn hover_describes_what_is_built_in() {
    let function = hover("=== a.yml\n#@ load(\"@ytt:json\", \"json\")\nx: #@ json.enc$0ode(1)\n");
    assert!(function.contains("json.encode(value"), "{function}");
    assert!(hover("=== a.yml\nx: #@ le$0n([])\n").contains("number of elements"));
    let annotation = hover("=== a.yml\n#@overlay/mat$0ch by=\"x\"\nx: 1\n");
    assert!(annotation.contains("Which items"), "{annotation}");
}

fn places(text: &str, what: &str) -> Vec<String> {
    let mut fixture = Fixture::new(&format!("{SCHEMA}{text}"));
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    let analysis = fixture.analysis();
    let found = match what {
        "definition" => analysis.definition(&path, offset),
        _ => analysis.references(&path, offset),
    };
    let places = found.iter().map(|it| {
        let text = fixture.overlay.text(&it.path).expect("it was read");
        let line = text[..it.start as usize].split(|byte| *byte == b'\n').count();
        let name = String::from_utf8_lossy(&text[it.start as usize..it.end as usize]).into_owned();
        format!("{}:{line} {name}", shown(&it.path))
    });
    places.collect()
}

#[test]
fn a_data_value_leads_to_its_schema_and_to_all_uses() {
    let text = format!(
        "=== v.yml\n#@data/values\n---\napp:\n  name: x\n{LOAD}x: #@ data.values.app.na$0me\n"
    );
    assert_eq!(places(&text, "definition"), ["schema.yml:7 name"]);
    let uses = ["a.yml:2 name", "schema.yml:7 name", "v.yml:4 name"];
    assert_eq!(places(&text, "references"), uses);
}

#[test]
fn a_function_is_found_from_the_file_that_loads_it() {
    let text = "=== lib.star\ndef labels(app):\n  return app\nend\n\
                === a.yml\n#@ load(\"lib.star\", \"labels\")\nx: #@ lab$0els(1)\n";
    assert_eq!(places(text, "definition"), ["lib.star:1 labels"]);
    assert_eq!(
        places(text, "references"),
        ["a.yml:1 labels", "a.yml:2 labels", "lib.star:1 labels"]
    );
}

#[test]
fn renaming_changes_all_places_or_says_why_not() {
    let rename = |text: &str, name: &str| {
        let mut fixture = Fixture::new(&format!("{SCHEMA}{text}"));
        let (path, offset) = (fixture.path.clone(), fixture.offset);
        match fixture.analysis().rename(&path, offset, name) {
            Ok(edits) => format!("{} edits", edits.len()),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(rename(&format!("{LOAD}x: #@ data.values.app.na$0me\n"), "title"), "2 edits");
    assert_eq!(
        rename("=== a.yml\nx: #@ le$0n([])\n", "size"),
        "`len` is built in and cannot be renamed"
    );
    assert_eq!(rename("=== a.star\nx$0 = 1\ny = x\n", "1x"), "`1x` is not a valid name");
    assert_eq!(rename("=== a.star\nx$0 = 1\ny = x\n", "z"), "2 edits");
}

#[test]
fn symbols_folds_and_tokens_are_there_despite_errors() {
    let mut fixture = Fixture::new(
        "=== a.yml\n#@ def labels(x):\napp: #@ x\n#@ end\n---\nkind: Service\nmetadata:\n  name: web\n\
         spec: [1$0\n#@ y = labels(\n",
    );
    let path = fixture.path.clone();
    let analysis = fixture.analysis();
    let names: Vec<String> = analysis.symbols(&path).into_iter().map(|it| it.name).collect();
    assert!(names.contains(&"labels".to_owned()), "{names:?}");
    assert!(names.contains(&"Service web".to_owned()), "{names:?}");
    assert!(!analysis.folds(&path).is_empty());
    assert!(analysis.tokens(&path).len() >= 6);
    assert!(analysis.format(&path).is_none(), "a file with errors is not formatted");
}
