//! Data values from flags and the environment.

use crate::sandbox::Sandbox;

#[test]
fn values_of_each_kind_can_be_inspected() {
    let sandbox = Sandbox::new("values-kinds").with("v.yml", "a:   {b: 1}\n").with("t", "text\n");
    let inspect = |flag: &str, argument: &str| {
        sandbox.run("plumb", &[flag, argument, "--data-values-inspect"], "s: 1\n").output()
    };
    assert_eq!(inspect("--data-values-file", "v.yml"), "a:\n  b: 1\n");
    assert_eq!(inspect("--data-values-file", "-"), "s: 1\n");
    assert_eq!(inspect("--data-value", "a.b=1"), "a:\n  b: \"1\"\n");
    assert_eq!(inspect("--data-value-yaml", "a={b: 1}"), "a:\n  b: 1\n");
    assert_eq!(inspect("--data-value-file", "a=t"), "a: |\n  text\n");
    let mut command =
        sandbox.command("plumb", &["--data-values-env-yaml", "VALUES", "--data-values-inspect"]);
    let output = command.env("VALUES_a__b", "[1]").output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a:\n  b:\n  - 1\n");
}

#[test]
fn later_kinds_win_over_earlier_ones() {
    let sandbox =
        Sandbox::new("values-order").with("v.yml", "a: {b: 1, c: [1]}\n---\na: {c: [2], d: 1}\n");
    let flags = ["--data-value-yaml", "a.b=3", "-v", "a.b=2", "--data-values-file", "v.yml"];
    let output = sandbox.plumb(&[&flags[..], &["--data-values-inspect"]].concat()).output();
    assert_eq!(output, "a:\n  b: 3\n  c:\n  - 2\n  d: 1\n");
    assert_eq!(
        sandbox.ytt(&["-v", "a=1", "-v", "a.b=2"]).failure(1),
        "ytt: Error: Overlaying data values (in following order: additional data values):\n  Document on line (data-value arg):1:\n    Map item (key 'a') on line (data-value arg):1:\n      Expected map, but was string\n"
    );
}

#[test]
fn wrong_flags_are_told_of_though_no_template_reads_them() {
    let sandbox = Sandbox::new("values-wrong")
        .with("a.yml", "a: 1\n")
        .with("code.yml", "a: #@ 1\n")
        .with("bad.yml", "a: [\n");
    let check = |flag: &str, argument: &str, expected: &str| {
        let told = sandbox.ytt(&["-f", "a.yml", flag, argument]).failure(1);
        assert_eq!(told, format!("ytt: Error: {expected}\n"));
    };
    check("-v", "a", "Extracting data value from KV:\n  Expected format key=value");
    check(
        "--data-values-file",
        "nope.yml",
        "Extracting data value from file:\n  Find files 'nope.yml':\n    Checking file 'nope.yml': lstat nope.yml: no such file or directory",
    );
    check(
        "--data-values-file",
        "bad.yml",
        "Extracting data value from file:\n  Unmarshaling YAML data values file 'bad.yml': yaml: line 1: did not find expected node content",
    );
    check(
        "--data-values-file",
        "code.yml",
        "Extracting data value from file:\n  Checking data values file 'code.yml':\n    Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)",
    );
    check(
        "-v",
        "@lib:a=1",
        "Expected all provided library data values documents to be used but found unused:\n  Data Value belonging to library '@lib' on line (data-value arg):1",
    );
}

#[test]
fn all_lines_of_a_flag_are_shown() {
    let sandbox = Sandbox::new("values-lines").with("s.yml", "#@data/values-schema\n---\na: 1\n");
    let told = sandbox.ytt(&["-f", "s.yml", "--data-value", "a=x\ny"]).failure(1);
    assert!(told.contains("(data-value arg):\n    |\n  1 | a=x\ny\n    |\n"), "{told}");
}
