//! The commands besides the main one.

use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

#[test]
fn each_name_has_its_version() {
    let sandbox = Sandbox::new("commands-version");
    assert_eq!(sandbox.ytt(&["version"]).output(), "ytt version 0.55.0\n");
    assert_eq!(sandbox.ytt(&["--version"]).output(), "ytt version 0.55.0\n");
    let ours = format!("plumb {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(sandbox.plumb(&["version"]).output(), ours);
}

#[test]
fn help_explains_each_command() {
    let sandbox = Sandbox::new("commands-help");
    for arguments in [&["--help"][..], &["-h"], &["help"], &[]] {
        let help = sandbox.plumb(arguments).output();
        assert!(help.contains("Usage:\n  plumb -f PATH"), "{help}");
    }
    for arguments in [&["fmt", "--help"][..], &["help", "fmt"]] {
        assert!(sandbox.plumb(arguments).output().contains("Usage:\n  plumb fmt -f PATH"));
    }
    assert_eq!(sandbox.ytt(&[]).output(), "");
}

#[test]
fn the_main_command_has_old_names() {
    let sandbox = Sandbox::new("commands-template").with("a.yml", "a: 1\n");
    for name in ["template", "tpl", "t"] {
        assert_eq!(sandbox.ytt(&[name, "-f", "a.yml"]).output(), "a: 1\n");
    }
    assert_eq!(sandbox.ytt(&["-f", "a.yml", "t"]).output(), "a: 1\n");
}

#[test]
fn fmt_keeps_comments() {
    let sandbox = Sandbox::new("commands-fmt")
        .with("a.yml", "# note\na:   {b: [1]}\n")
        .with("skipped.txt", "a: 1\n");
    assert_eq!(sandbox.plumb(&["fmt", "-f", "."]).output(), "# note\na: {b: [1]}\n");
}

#[test]
fn completions_are_scripts_of_their_shell() {
    let sandbox = Sandbox::new("commands-completion");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = sandbox.plumb(&["completion", shell]).output();
        for word in ["plumb", "check", "data-values-file", "report", "template/load-cycle"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_completes_commands_flags_and_codes() {
    let sandbox = Sandbox::new("commands-bash");
    let check = |name: &str, words: &str, expected: &str| {
        let functions = sandbox.run(name, &["completion", "bash"], "").output();
        let last = words.split(' ').count();
        let script = format!(
            "{functions}\nCOMP_WORDS=({name} {words}); COMP_CWORD={last}; _{name}; \
             echo \"${{COMPREPLY[*]}}\""
        );
        let mut shell = Command::new("bash");
        let ran = shell.args(["--norc", "-c", &script]).stdin(Stdio::null()).output();
        // Without bash, its completion cannot be tested.
        if let Ok(output) = ran {
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected, "{words}");
        }
    };
    check("ytt", "--data-values-f", "--data-values-file");
    check("plumb", "ex", "explain");
    check("plumb", "check --repo", "--report");
    check("plumb", "explain template/load", "template/load-cycle");
    check("plumb", "schema im", "import");
    check("plumb", "help --m", "--man");
    check("plumb", "check --kube", "--kube-schemas --kube-allow-unknown");
    check("plumb", "check -o j", "json");
    check("plumb", "-f a --output js", "json json-schema");
    check("plumb", "vm check -o t", "text");
    check("plumb", "check --report = sar", "sarif");
    check("plumb", "fmt --compat j", "jk");
    check("plumb", "check -W e", "error");
}

#[test]
fn debug_tells_what_files_are_taken_for() {
    let sandbox = Sandbox::new("commands-debug").with("a.yml", "a: 1\n").with("notes", "x\n");
    let ran = sandbox.plumb(&["-f", ".", "--debug"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "a: 1\n"));
    assert!(ran.stderr.contains("  a.yml: yaml, template, for output\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("  notes: data\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("total: "), "{}", ran.stderr);
}
