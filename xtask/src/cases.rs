//! `cargo xtask cases`: the case files alone, to run or to rewrite.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

/// Every test that runs case files has this in its name.
const TEST_NAME: &str = "case_files";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["test", "--workspace", "--quiet"]);
    let mut filter = TEST_NAME;
    for argument in arguments {
        match argument.as_str() {
            "--update" => {
                cargo.env("PLUMB_UPDATE_CASES", "1");
            }
            other => filter = other,
        }
    }
    let status = cargo.arg(filter).status()?;
    ensure!(status.success(), "some cases differ; `cargo xtask cases --update` rewrites them");
    Ok(())
}
