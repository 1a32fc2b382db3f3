//! The build that all packages share, and its metadata from cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::{execute, page};

/// A profile of Cargo.toml.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    /// For packages that users install. Each link takes minutes.
    ReleaseLto,
    /// For trying how packages are made.
    Release,
}

impl Profile {
    /// Its name, which is also the name of its directory.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ReleaseLto => "release-lto",
            Self::Release => "release",
        }
    }
}

pub(super) struct Build {
    pub(super) root: PathBuf,
    pub(super) profile: Profile,
    /// The directory that cargo builds into.
    pub(super) directory: PathBuf,
    /// The platform as Rust names it, such as `x86_64-unknown-linux-gnu`.
    pub(super) target: String,
    pub(super) version: String,
    /// The output of `cargo metadata` for this platform.
    pub(super) metadata: Value,
    /// The directory of the page that the program contains, if there is one.
    pub(super) page: Option<PathBuf>,
    /// The time of the last commit in seconds since 1970: packages of one commit have the same
    /// bytes.
    pub(super) time: u64,
}

impl Build {
    pub(super) fn new(root: &Path, profile: Profile) -> Result<Self> {
        let version = execute(Command::new("rustc").arg("-vV").current_dir(root))?;
        let version = String::from_utf8(version)?;
        let target = version.lines().find_map(|it| it.strip_prefix("host: "));
        let target = target.context("rustc -vV names the host")?.to_owned();
        let page = page::find(root);
        let mut command = Command::new(cargo());
        command.args(["metadata", "--format-version", "1", "--locked", "--filter-platform"]);
        command.arg(&target);
        if page.is_some() {
            command.arg("--features").arg(format!("plumb-cli/{}", page::FEATURE));
        }
        let metadata = execute(command.current_dir(root))?;
        let metadata: Value = serde_json::from_slice(&metadata)?;
        let directory = metadata["target_directory"].as_str().context("a target directory")?.into();
        let package = package(&metadata, "plumb-cli").context("the package plumb-cli")?;
        let version = package["version"].as_str().context("a version")?.to_owned();
        let time = std::env::var("SOURCE_DATE_EPOCH").ok().map_or_else(|| commit_time(root), Ok)?;
        let time = time.trim().parse().context("SOURCE_DATE_EPOCH is a number of seconds")?;
        let root = root.to_owned();
        Ok(Self { root, profile, directory, target, version, metadata, page, time })
    }

    /// The optimised program without symbols.
    pub(super) fn program(&self) -> Result<PathBuf> {
        self.link(&["-C", "strip=symbols"])
    }

    /// Builds the optimised program with flags for its last step only, so that the other crates are
    /// compiled once. The next call overwrites it.
    pub(super) fn link(&self, flags: &[&str]) -> Result<PathBuf> {
        let status = as_from_a_shell(&mut Command::new(cargo()))
            .args(["rustc", "--quiet", "--profile", self.profile.name(), "--locked"])
            .args(["--package", "plumb-cli"])
            .args(self.features())
            .args(["--bin", "plumb", "--"])
            .args(flags)
            // Packages also run where glibc is older than here.
            .env("PLUMB_LINK", "portable")
            .current_dir(&self.root)
            .status()?;
        anyhow::ensure!(status.success(), "the build failed");
        Ok(self.directory.join(self.profile.name()).join(self.file_name()))
    }

    /// Flags of cargo that put the page into the program.
    pub(super) fn features(&self) -> &'static [&'static str] {
        if self.page.is_some() { &["--features", page::FEATURE] } else { &[] }
    }

    /// The name of the program's file.
    pub(super) fn file_name(&self) -> &'static str {
        if self.is_windows() { "plumb.exe" } else { "plumb" }
    }

    pub(super) fn is_windows(&self) -> bool {
        self.target.contains("windows")
    }

    /// The name of archives and of the folder in them.
    pub(super) fn name(&self) -> String {
        format!("plumb-{}-{}", self.version, self.target)
    }
}

/// Removes the variables that cargo set for this program. Some build scripts depend on them: if
/// they differ from those in a shell, cargo builds half of the dependencies again.
pub(super) fn as_from_a_shell(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command.env_remove("SOURCE_DATE_EPOCH")
}

/// The package with a name in the output of `cargo metadata`.
pub(super) fn package<'a>(metadata: &'a Value, name: &str) -> Option<&'a Value> {
    metadata["packages"].as_array()?.iter().find(|it| it["name"] == name)
}

fn commit_time(root: &Path) -> Result<String> {
    let output = execute(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root));
    Ok(String::from_utf8(output.context("SOURCE_DATE_EPOCH is not set, and git has no commit")?)?)
}

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
