//! `cargo xtask cases`: runs or rewrites only the case files and man pages.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

/// The test of each crate that runs its case files.
const CASES: [&str; 3] = ["--workspace", "--test", "cases"];
/// The test that compares the man pages with the help texts, and can rewrite them.
const MAN_PAGES: [&str; 5] = ["--package", "plumb-cli", "--test", "it", "man_pages"];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let (flags, filters): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|it| *it == "--update");
    let test = |tests: &[&str], filters: &[&String]| -> Result<()> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root).args(["test", "--quiet"]).args(tests).args(filters);
        if !flags.is_empty() {
            cargo.env("PLUMB_UPDATE_CASES", "1");
        }
        let status = cargo.status()?;
        ensure!(status.success(), "some cases differ; `cargo xtask cases --update` rewrites them");
        Ok(())
    };
    test(&CASES, &filters)?;
    if filters.is_empty() {
        test(&MAN_PAGES, &[])?;
    }
    Ok(())
}
