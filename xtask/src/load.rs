//! `cargo xtask load`: attacks a webhook on this machine, and reports the effect on honest clients.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--release", "--quiet", "-p", "plumb-webhook", "--example", "load", "--"])
        .args(arguments)
        .status()?;
    ensure!(status.success(), "the webhook is outside its limits");
    Ok(())
}
