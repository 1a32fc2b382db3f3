//! `cargo xtask picture`: the picture of a terminal in the README, created from the README's own
//! example.
//!
//! The program uses colours only on a terminal: `script` of util-linux provides one. The picture is
//! an SVG, so that it is text in the repository and sharp on every screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use plumb_testkit::CaseFile;

/// The section of the README with the example.
const SECTION: &str = "A template, a wrong value, and the message";
const PICTURE: &str = "docs/images/finding.svg";

/// Draws the picture with the program that an argument names, or with a debug build.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let is_there = Command::new("script").arg("--version").output();
    if !is_there.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("util-linux")) {
        println!("picture: SKIPPED: the program `script` of util-linux is missing");
        return Ok(());
    }
    let program = match arguments {
        [] => program(root)?,
        [path] => std::path::absolute(path)?,
        _ => bail!("picture takes at most one program"),
    };
    let folder = crate::target_directory()?.join("picture");
    let command = example(&root.join("README.md"), &folder)?;
    let shown = on_terminal(&program, &command, &folder)?;
    let prompt = format!("\u{1b}[1m$ {command}\u{1b}[0m\n");
    let picture = anstyle_svg::Term::new().render_svg(&(prompt + &shown));
    fs::create_dir_all(root.join(PICTURE).parent().context("a folder")?)?;
    fs::write(root.join(PICTURE), picture)?;
    println!("picture: {PICTURE}");
    Ok(())
}

fn program(root: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "--package", "plumb-cli", "--bin", "plumb"];
    let status = Command::new(cargo).current_dir(root).args(build).status()?;
    ensure!(status.success(), "plumb does not build");
    Ok(crate::target_directory()?.join("debug/plumb"))
}

/// Writes the files of the example into a folder, and returns its first command.
fn example(page: &Path, folder: &Path) -> Result<String> {
    let page = CaseFile::parse(page, &fs::read_to_string(page)?, &["console"]);
    let case = page.cases.iter().find(|it| it.title == SECTION);
    let case = case.with_context(|| format!("the README has no section {SECTION:?}"))?;
    for file in &case.inputs {
        let path = folder.join(&file.name);
        fs::create_dir_all(path.parent().context("a folder")?)?;
        fs::write(path, &file.text)?;
    }
    let console = case.expectations.first().context("a console")?;
    let line = console.text.lines().find_map(|it| it.strip_prefix("$ "));
    Ok(line.context("a command")?.to_owned())
}

/// The output of a command on a terminal, with colours.
fn on_terminal(program: &Path, command: &str, folder: &Path) -> Result<String> {
    let found = program.parent().context("a folder")?;
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(format!("stty cols 100; {command}"))
        .arg("/dev/null")
        .current_dir(folder)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", found.display()))
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm-256color")
        .output()?;
    let shown = String::from_utf8(output.stdout)?.replace("\r\n", "\n");
    ensure!(shown.contains("error"), "the example must fail, and shows:\n{shown}");
    Ok(shown)
}
