//! The pages of the manual that are generated from the tables of commands and flags.
//!
//! `PLUMB_UPDATE_CASES=1` rewrites the man pages, as it does case files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All commands: the words of the help, and their subcommands.
fn commands() -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while let Some(words) = found.get(at).cloned() {
        found.extend(commands_of(&help(&words, &[])));
        at += 1;
    }
    found
}

fn commands_of(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|it| *it != "Commands:").skip(1);
    let rows = lines.take_while(|it| !it.is_empty());
    // A long explanation has further lines, which are indented more.
    let rows = rows.filter(|it| !it.starts_with("   "));
    // The words end where the explanation starts, in the next column.
    rows.filter_map(|it| it.trim().split("  ").next()).map(str::to_owned).collect()
}

fn help(words: &str, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.arg("help").args(flags).args(words.split_whitespace());
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "plumb help {words}");
    String::from_utf8(output.stdout).expect("the help is text")
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn man_pages_are_kept_as_case_files_are() {
    let folder = docs().join("man");
    let update = std::env::var_os("PLUMB_UPDATE_CASES").is_some();
    let mut names = Vec::new();
    for words in commands() {
        let name = format!("plumb {words}").trim_end().replace(' ', "-") + ".1";
        let page = help(&words, &["--man"]);
        if update {
            fs::write(folder.join(&name), &page).expect("a writable tree");
        }
        let kept = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(kept == page, "docs/man/{name} is stale: cargo xtask cases --update");
        names.push(name);
    }
    for entry in fs::read_dir(folder).expect("there are pages") {
        let name = entry.expect("a readable entry").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "docs/man/{name} is the page of no command");
    }
}

#[test]
fn the_reference_shows_the_help_of_every_command() {
    let page = fs::read_to_string(docs().join("src/reference/commands.md")).expect("a page");
    for words in commands() {
        let line = format!("$ plumb help {words}").trim_end().to_owned();
        assert!(page.lines().any(|it| it == line), "the reference of commands lacks `{line}`");
    }
}
