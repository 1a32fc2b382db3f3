//! The playground that packages contain, for `plumb website`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// The exit code of `web/make.sh` if there is no compiler for WebAssembly.
const NO_COMPILER: i32 = 3;

/// The feature of the command line that contains the page.
pub(super) const FEATURE: &str = "website";

/// Builds the page, unless it exists. If its tools are missing, packages do not contain the page.
pub(super) fn build(root: &Path) -> Result<()> {
    if find(root).is_some() {
        return Ok(());
    }
    let skipped =
        |why: &str| println!("dist: page: SKIPPED: {why}; `plumb website` serves nothing");
    let Ok(status) = Command::new("bash").arg(root.join("web/make.sh")).status() else {
        skipped("bash is missing");
        return Ok(());
    };
    if status.code() == Some(NO_COMPILER) {
        skipped("there is no compiler for WebAssembly (rustup target add wasm32-unknown-unknown)");
        return Ok(());
    }
    ensure!(status.success(), "web/make.sh failed");
    Ok(())
}

/// The directory of the page, if it was built.
pub(super) fn find(root: &Path) -> Option<PathBuf> {
    let page = root.join("web/dist");
    page.join("index.html.br").exists().then_some(page)
}
