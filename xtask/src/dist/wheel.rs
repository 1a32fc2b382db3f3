//! The Python package, made by maturin from `packaging/python`.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::cargo::{Build, as_from_a_shell};
use super::{Outcome, empty, execute, installed};

pub(super) fn write(build: &Build, out: &Path) -> Result<Outcome> {
    if !installed("maturin", &["--version"]) {
        return Ok(Outcome::Skipped("maturin is missing (pip install maturin)".into()));
    }
    let folder = empty(out.join("wheel"))?;
    execute(
        as_from_a_shell(&mut Command::new("maturin"))
            .args(["build", "--release", "--locked", "--out"])
            .arg(&folder)
            .args(build.features())
            .env("CARGO_TARGET_DIR", &build.directory)
            .current_dir(build.root.join("packaging/python")),
    )?;
    super::take(&folder, out)
}
