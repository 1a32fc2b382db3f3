//! `cargo xtask cases`: the case files alone, to run or to rewrite.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

/// The test of each crate that runs its case files.
const TEST: &str = "cases";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["test", "--workspace", "--quiet", "--test", TEST]);
    for argument in arguments {
        match argument.as_str() {
            "--update" => cargo.env("PLUMB_UPDATE_CASES", "1"),
            filter => cargo.arg(filter),
        };
    }
    let status = cargo.status()?;
    ensure!(status.success(), "some cases differ; `cargo xtask cases --update` rewrites them");
    Ok(())
}
