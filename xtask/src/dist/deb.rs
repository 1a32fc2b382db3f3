//! The Debian package, made by cargo-deb from `[package.metadata.deb]` of the command line.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

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
    fs::remove_dir(&staged)?;
    execute(Command::new("cp").arg("-a").args([&tree.path, &staged]))?;
    follow_policy(&staged)?;
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

/// Changes a tree to what Debian's policy demands: man pages and the change log are compressed. The
/// licence is in a file that cargo-deb writes.
fn follow_policy(tree: &Path) -> Result<()> {
    let documents = tree.join("share/doc/plumb");
    fs::remove_file(documents.join("LICENSE"))?;
    fs::rename(documents.join("CHANGELOG.md"), documents.join("changelog"))?;
    compress(&documents.join("changelog"))?;
    for page in crate::files::with_extension(&tree.join("share/man/man1"), "1")? {
        compress(&page)?;
    }
    Ok(())
}

/// Replaces a file by a compressed one.
fn compress(path: &Path) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".gz");
    let mut compressed = GzEncoder::new(File::create(name)?, Compression::best());
    io::copy(&mut File::open(path)?, &mut compressed)?;
    compressed.finish()?;
    Ok(fs::remove_file(path)?)
}
