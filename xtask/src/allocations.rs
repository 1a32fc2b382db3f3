//! `cargo xtask allocations`: compares the allocations of small workloads with the recorded ones.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail, ensure};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["test", "--quiet", "--package", "plumb-cli"]);
    match arguments {
        [] => {}
        [update] if update == "--update" => {
            cargo.env("PLUMB_UPDATE_ALLOCATIONS", "1");
        }
        _ => bail!("the only option is --update"),
    }
    let status = cargo.args(["--test", "allocations"]).status()?;
    ensure!(status.success(), "some workloads allocate more or fewer than recorded");
    Ok(())
}
