//! Files that someone is typing: each is broken in one way, and the rest of the file still works.

use crate::Fixture;

const SCHEMA: &str =
    "=== schema.yml\n#@data/values-schema\n---\napp:\n  name: web\n  replicas: 2\n";

/// The beginning and the end of each file. Both must be understood, despite the text between them.
const HEAD: &str = "=== a.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ def labels(app):\nlabel: #@ app\n#@ end\n---\nfirst: 1\n";
const TAIL: &str = "last:\n  name: #@ data.values.app.name\n";

/// A way to break a file, and the codes of its findings.
const BROKEN: [(&str, &str, &[&str]); 18] = [
    ("a missing end", "#@ if data.values.$0:\nx: 1\n", &["template/syntax"]),
    (
        "a missing end of a loop",
        "#@ for i in range(3):\n- #@ data.values.$0\n",
        &["template/syntax"],
    ),
    ("one end too many", "#@ end\ny: #@ data.values.$0\n", &["template/syntax"]),
    ("a call that is half written", "x: #@ labels(data.values.$0\n", &["template/syntax"]),
    ("a comma at the end of a call", "x: #@ labels(1, data.values.$0,\n", &["template/syntax"]),
    ("an operator without its operand", "x: #@ data.values.$0 +\n", &["template/syntax"]),
    ("a def without a name", "#@ def (x:\n#@ end\nx: #@ data.values.$0\n", &["template/syntax"]),
    ("an if without a colon", "#@ if True\nx: #@ data.values.$0\n#@ end\n", &["template/syntax"]),
    ("an indent that is too small", "x:\n    y: 1\n  z: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an indent that is too large", "x: 1\n   z: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an unclosed list", "x: [1, 2\ny: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an unclosed map", "x: {a: 1\ny: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an unclosed double quote", "x: \"abc\ny: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an unclosed single quote", "x: 'abc\ny: #@ data.values.$0\n", &["yaml/syntax"]),
    (
        "an unclosed quote in code",
        "x: #@ labels(\"a)\ny: #@ data.values.$0\n",
        &["template/syntax"],
    ),
    ("a tab", "x:\n\ty: 1\nz: #@ data.values.$0\n", &["yaml/syntax"]),
    ("a key without a colon", "x: 1\nkey\ny: #@ data.values.$0\n", &["yaml/syntax"]),
    ("an alias without an anchor", "x: *none\ny: #@ data.values.$0\n", &["yaml/anchor"]),
];

fn fixture(middle: &str) -> Fixture {
    Fixture::new(&format!("{SCHEMA}{HEAD}{middle}{TAIL}"))
}

#[test]
fn a_broken_file_is_completed() {
    for (name, middle, _) in BROKEN {
        let mut fixture = fixture(middle);
        let (path, offset) = (fixture.path.clone(), fixture.offset);
        let found = fixture.analysis().completions(&path, offset);
        let labels: Vec<&str> = found.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, ["app"], "{name}");
    }
}

#[test]
fn a_broken_file_has_its_symbols() {
    for (name, middle, _) in BROKEN {
        let mut fixture = fixture(middle);
        let path = fixture.path.clone();
        let symbols = fixture.analysis().symbols(&path);
        let mut names = Vec::new();
        collect(&symbols, &mut names);
        for expected in ["labels", "first", "last"] {
            assert!(names.contains(&expected.to_owned()), "{name}: {expected} is not in {names:?}");
        }
    }
}

fn collect(symbols: &[plumb_ide::Symbol], to: &mut Vec<String>) {
    for symbol in symbols {
        to.push(symbol.name.clone());
        collect(&symbol.children, to);
    }
}

#[test]
fn a_broken_file_can_be_hovered_after_the_error() {
    for (name, middle, _) in BROKEN {
        let mut fixture = fixture(middle);
        let path = fixture.path.clone();
        let offset = fixture.text.rfind("name").expect("the last line has it");
        let offset = u32::try_from(offset).expect("short");
        let found = fixture.analysis().hover(&path, offset);
        let text = found.map(|it| it.markdown).unwrap_or_default();
        assert!(text.starts_with("**app.name**: string"), "{name}: {text:?}");
    }
}

#[test]
fn a_broken_file_has_the_findings_of_what_is_wrong() {
    for (name, middle, expected) in BROKEN {
        let found = fixture(&middle.replace("$0", "app.name$0")).findings();
        for code in expected {
            assert!(found.contains(code), "{name}: {code} is not in\n{found}");
        }
        let n = found.lines().count();
        assert!((1..=2).contains(&n), "{name}: {n} findings for one mistake\n{found}");
    }
}

#[test]
fn all_mistakes_of_a_file_are_found_at_once() {
    let text = "x: [1, 2\ny: #@ labels(\nz: \"abc\n#@ if True\n#@ end\nk: #@ 1 +\nw: *none$0\n";
    let found = fixture(text).findings();
    for line in [7, 8, 9, 10, 12, 13] {
        let is_there = found.lines().any(|it| it.starts_with(&format!("a.yml:{line} ")));
        assert!(is_there, "line {line}:\n{found}");
    }
}

#[test]
fn a_broken_text_template_is_completed() {
    for (name, text) in [
        ("an unclosed part", "Name: (@= data.values.$0\n\nmore\n"),
        ("a missing end", "(@ if True: @)\nName: (@= data.values.$0 @)\n"),
        ("a half-written call", "(@= labels(data.values.$0 @)\n"),
        ("an unclosed part before it", "a (@= 1 \nb (@= data.values.$0 @)\n"),
    ] {
        let text = format!("{SCHEMA}=== a.txt\n(@ load(\"@ytt:data\", \"data\") -@)\n{text}");
        let mut fixture = Fixture::new(&text);
        let (path, offset) = (fixture.path.clone(), fixture.offset);
        let found = fixture.analysis().completions(&path, offset);
        let labels: Vec<&str> = found.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, ["app"], "{name}");
    }
}

#[test]
fn a_broken_schema_keeps_what_was_known() {
    let mut fixture =
        Fixture::new(&format!("{SCHEMA}=== v.yml\n#@data/values\n---\napp:\n  name: x\n$0\n"));
    fixture.analysis();
    fixture
        .overlay
        .set(std::path::Path::new("/w/schema.yml"), "#@data/values-schema\n---\napp:\n  name: [\n");
    fixture.checker.change(std::path::Path::new("/w/schema.yml"));
    fixture.edit("#@data/values\n---\napp:\n  r\n");
    let path = fixture.path.clone();
    let offset = u32::try_from(fixture.text.len() - 1).expect("short");
    let found = fixture.analysis().completions(&path, offset);
    let labels: Vec<&str> = found.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["name", "replicas"]);
}
