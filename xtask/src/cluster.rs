//! `cargo xtask cluster`: compares Plumb with a real API server.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "-p", "plumb-cli", "--bin", "plumb"];
    let status = Command::new(&cargo).current_dir(root).args(build).status()?;
    ensure!(status.success(), "plumb does not build");
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "-p", "plumb-cli", "--example", "cluster", "--"])
        .args(arguments)
        .status()?;
    ensure!(status.success(), "Plumb and the API server disagree");
    Ok(())
}
