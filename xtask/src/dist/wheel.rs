//! The Python package, made by maturin from `packaging/python`.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::cargo::{Build, as_from_a_shell};
use super::tree::Tree;
use super::{Outcome, empty, execute, installed};

pub(super) fn write(build: &Build, tree: &Tree, out: &Path) -> Result<Outcome> {
    if !installed("maturin", &["--version"]) {
        return Ok(Outcome::Skipped("maturin is missing (pip install maturin)".into()));
    }
    // maturin takes licences from the folder of pyproject.toml. Git ignores these copies.
    let sources = build.root.join("packaging/python");
    std::fs::copy(build.root.join("LICENSE"), sources.join("LICENSE"))?;
    std::fs::copy(tree.licences(), sources.join("THIRD-PARTY-LICENSES.txt"))?;
    let folder = empty(out.join("wheel"))?;
    execute(
        as_from_a_shell(&mut Command::new("maturin"))
            .args(["build", "--profile", build.profile.name(), "--locked", "--out"])
            .arg(&folder)
            .args(build.features())
            .env("CARGO_TARGET_DIR", &build.directory)
            .current_dir(&sources),
    )?;
    super::take(&folder, out)
}
