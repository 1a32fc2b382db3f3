//! The commands besides the main one.

use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

#[test]
fn each_name_has_its_version() {
    let sandbox = Sandbox::new("commands-version");
    assert_eq!(sandbox.ytt(&["version"]).output(), "ytt version 0.48.0\n");
    assert_eq!(sandbox.ytt(&["--version"]).output(), "ytt version 0.48.0\n");
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
    assert_eq!(sandbox.plumb(&["fmt", "-f", "."]).output(), "# note\na:\n  b:\n    - 1\n");
}

#[test]
fn completions_are_scripts_of_their_shell() {
    let sandbox = Sandbox::new("commands-completion");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = sandbox.plumb(&["completion", shell]).output();
        assert!(script.contains("data-values-file"), "{shell}");
        assert!(script.contains("plumb"), "{shell}");
    }
    let bash = sandbox.ytt(&["completion", "bash"]).output();
    let script = format!(
        "{bash}\nCOMP_WORDS=(ytt --data-values-f); COMP_CWORD=1; _ytt; echo \"${{COMPREPLY[*]}}\""
    );
    let shell = Command::new("bash").args(["--norc", "-c", &script]).stdin(Stdio::null()).output();
    // Where there is no bash, no one completes with it.
    if let Ok(output) = shell {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "--data-values-file\n");
    }
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
