//! The sources of input, and their order.

use crate::sandbox::Sandbox;

#[test]
fn files_stand_in_the_order_of_flags_then_of_paths() {
    let sandbox = Sandbox::new("input-order")
        .with("d/b.yml", "b: 1\n")
        .with("d/a/c.yml", "c: 1\n")
        .with("last.yml", "z: 1\n");
    let output = sandbox.plumb(&["-f", "last.yml", "-f", "d"]).output();
    assert_eq!(output, "z: 1\n---\nc: 1\n---\nb: 1\n");
    let listed = sandbox.plumb(&["-f", "d", "-f", "n.yml=last.yml", "--files-inspect"]).output();
    assert_eq!(listed, "- a/c.yml\n- b.yml\n- n.yml\n");
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = Sandbox::new("input-stdin");
    assert_eq!(sandbox.run("plumb", &["-f", "-"], "a: 1\n").output(), "a: 1\n");
    assert_eq!(sandbox.run("plumb", &["-f-"], "a: 1\n").output(), "a: 1\n");
    let twice = sandbox.run("ytt", &["-f", "-", "-f", "x.yml=-"], "a: 1\n").failure(1);
    assert_eq!(
        twice,
        "ytt: Error: Standard input has already been read, has the '-' argument been used in more than one flag?\n"
    );
}

#[test]
fn marks_say_what_a_file_is() {
    let sandbox = Sandbox::new("input-marks").with("a.txt", "a:   1\n").with("b.yml", "b: 1\n");
    let mark = |marks: &[&str]| {
        let flags = marks.iter().flat_map(|it| ["--file-mark", it]);
        sandbox.ytt(&["-f", "."].into_iter().chain(flags).collect::<Vec<_>>())
    };
    assert_eq!(mark(&["*.txt:type=yaml-plain"]).output(), "a: 1\n---\nb: 1\n");
    assert_eq!(mark(&["a.txt:exclude=true"]).output(), "b: 1\n");
    assert_eq!(
        mark(&["c.yml:exclude=true"]).failure(1),
        "ytt: Error: Expected file mark 'c.yml:exclude=true' to match at least one file by path, but did not\n"
    );
}

#[test]
#[cfg(unix)]
fn links_are_followed_only_where_allowed() {
    let sandbox = Sandbox::new("input-links").with("real.yml", "a: 1\n").with("d/x.yml", "x: 1\n");
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(to, sandbox.path(from)).expect("links can be made");
    };
    link("../real.yml", "d/link.yml");
    link("d", "linked");
    let refused = sandbox.ytt(&["-f", "d"]).failure(1);
    assert!(refused.contains("symlink file 'd/link.yml' -> 'real.yml' to be allowed"), "{refused}");
    let allowed = sandbox.ytt(&["-f", "d", "--allow-symlink-destination", "real.yml"]);
    assert_eq!(allowed.output(), "a: 1\n---\nx: 1\n");
    let directory = ["-f", "linked", "--dangerous-allow-all-symlink-destinations"];
    assert!(sandbox.plumb(&directory).failure(1).contains("leads to a directory"));
    let warned = sandbox.ytt(&directory);
    assert_eq!((warned.code, warned.stdout.as_str()), (Some(0), ""));
    assert!(warned.stderr.starts_with("ytt: Warning: "), "{}", warned.stderr);
}

#[test]
fn bad_input_is_named_and_nothing_is_printed() {
    let sandbox = Sandbox::new("input-bad")
        .with("broken.yml", "a: 1\nb: [\n")
        .with("good.yml", "good: 1\n")
        .with("latin.yml", b"a: \xe9\n");
    let broken = sandbox.plumb(&["-f", "good.yml", "-f", "broken.yml"]).failure(1);
    assert!(broken.contains("broken.yml:"), "{broken}");
    let latin = sandbox.plumb(&["-f", "latin.yml"]).failure(1);
    assert!(latin.contains("latin.yml"), "{latin}");
    let missing = sandbox.plumb(&["-f", "nope.yml"]).failure(1);
    assert!(missing.contains("nope.yml: no such file or directory"), "{missing}");
    assert!(missing.contains("help: "), "{missing}");
    let below = sandbox.plumb(&["-f", "good.yml/x.yml"]).failure(1);
    assert!(below.contains("good.yml/x.yml: not a directory"), "{below}");
}

#[test]
fn files_may_come_as_one_json_text() {
    let sandbox = Sandbox::new("input-bulk");
    let files =
        r#"{"files":[{"name":"b.yml","data":"b: <1>\n"},{"name":"a.yml","data":"a: 1\n"}]}"#;
    assert_eq!(sandbox.ytt(&["--bulk-in", files]).output(), "b: <1>\n---\na: 1\n");
    assert_eq!(
        sandbox.ytt(&["--bulk-in", files, "--bulk-out"]).output(),
        r#"{"files":[{"name":"b.yml","data":"b: \u003c1\u003e\n"},{"name":"a.yml","data":"a: 1\n"}]}"#
    );
    let broken = r#"{"files":[{"name":"b.yml","data":"b: ["}]}"#;
    let told = sandbox.ytt(&["--bulk-in", broken, "--bulk-out"]).output();
    assert!(told.starts_with(r#"{"errors":"Unmarshaling YAML template 'b.yml': "#), "{told}");
    assert_eq!(sandbox.plumb(&["--bulk-in", broken, "--bulk-out"]).code, Some(1));
}

#[test]
fn a_byte_order_mark_is_skipped_unless_called_as_ytt() {
    let sandbox = Sandbox::new("input-bom")
        .with("a.yml", "\u{feff}#@ x = 1\na: #@ x\n")
        .with("values.yml", "\u{feff}b: 2\n")
        .with("t.txt", "\u{feff}text\n");
    let values = ["-f", "a.yml", "--data-values-file", "values.yml"];
    assert_eq!(sandbox.plumb(&values).output(), "a: 1\n");
    let inspected = ["--data-values-file", "values.yml", "--data-values-inspect"];
    assert_eq!(sandbox.plumb(&inspected).output(), "b: 2\n");
    assert_eq!(sandbox.ytt(&inspected).output(), "\"\\uFEFF\\x62\": 2\n");
    let written = sandbox.plumb(&["-f", "t.txt", "--output-files", "out"]);
    assert_eq!(written.output(), "creating: out/t.txt\n");
    assert_eq!(std::fs::read(sandbox.path("out/t.txt")).expect("it was written"), b"text\n");
}
