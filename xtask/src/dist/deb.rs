//! The Debian package, made by cargo-deb from `[package.metadata.deb]` of the command line.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::cargo::Build;
use super::tree::Tree;
use super::{Outcome, empty, execute, installed};

pub(super) fn write(build: &Build, tree: &Tree, out: &Path) -> Result<Outcome> {
    if !installed("cargo-deb", &["--version"]) {
        return Ok(Outcome::Skipped("cargo-deb is missing (cargo install cargo-deb)".into()));
    }
    // The list of assets expects the tree here, whatever the target directory is called.
    let staged = build.directory.join("release/package");
    empty(staged.clone())?;
    std::fs::remove_dir(&staged)?;
    execute(Command::new("cp").arg("-a").args([&tree.path, &staged]))?;
    let folder = empty(out.join("deb"))?;
    execute(
        Command::new("cargo-deb")
            .args(["--no-build", "--no-strip", "--package", "plumb-cli", "--output"])
            .arg(&folder)
            .env("SOURCE_DATE_EPOCH", build.time.to_string())
            .current_dir(&build.root),
    )?;
    super::take(&folder, out)
}
