//! The npm packages: one that starts the program, and one for each platform that contains it. The
//! first has the others as optional dependencies, and npm installs the one for its platform.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::cargo::Build;
use super::tree::{LINKS, Tree};
use super::{Outcome, empty, execute, installed};

const NAME: &str = "plumb-config";

/// The platforms: the name in Rust, and the operating system and processor as Node names them.
const PLATFORMS: [(&str, &str, &str); 6] = [
    ("aarch64-apple-darwin", "darwin", "arm64"),
    ("aarch64-pc-windows-msvc", "win32", "arm64"),
    ("aarch64-unknown-linux-gnu", "linux", "arm64"),
    ("x86_64-apple-darwin", "darwin", "x64"),
    ("x86_64-pc-windows-msvc", "win32", "x64"),
    ("x86_64-unknown-linux-gnu", "linux", "x64"),
];

pub(super) fn write(build: &Build, tree: &Tree, out: &Path) -> Result<Outcome> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !installed(npm, &["--version"]) {
        return Ok(Outcome::Skipped("npm is missing (nodejs.org)".into()));
    }
    let Some((_, os, cpu)) = PLATFORMS.iter().find(|it| it.0 == build.target) else {
        return Ok(Outcome::Skipped(format!("there is no npm package for {}", build.target)));
    };
    let folder = empty(out.join("npm"))?;
    let platform = empty(folder.join("platform"))?;
    fs::copy(tree.program(), platform.join(build.file_name()))?;
    fs::copy(tree.licences(), platform.join("THIRD-PARTY-LICENSES.txt"))?;
    fs::copy(build.root.join("LICENSE"), platform.join("LICENSE"))?;
    describe(&platform, &of_platform(build, os, cpu))?;
    let main = empty(folder.join("main"))?;
    let sources = build.root.join("packaging/npm");
    let programs = ["plumb"].into_iter().chain(LINKS).map(|it| format!("{it}.js"));
    for name in programs.chain(["launch.js".to_owned(), "README.md".to_owned()]) {
        fs::copy(sources.join(&name), main.join(&name))?;
    }
    fs::copy(build.root.join("LICENSE"), main.join("LICENSE"))?;
    describe(&main, &of_launcher(build))?;
    let packed = empty(folder.join("packed"))?;
    for folder in [&platform, &main] {
        let pack = ["pack", "--silent", "--pack-destination"];
        execute(Command::new(npm).args(pack).arg(&packed).current_dir(folder))?;
    }
    super::take(&packed, out)
}

fn describe(folder: &Path, package: &Value) -> Result<()> {
    Ok(fs::write(folder.join("package.json"), serde_json::to_string_pretty(package)? + "\n")?)
}

fn of_platform(build: &Build, os: &str, cpu: &str) -> Value {
    let mut package = json!({
        "name": format!("@{NAME}/{os}-{cpu}"),
        "version": build.version,
        "description": format!("The program plumb for {os} on {cpu}"),
        "license": "Apache-2.0",
        "type": "commonjs",
        "os": [os],
        "cpu": [cpu],
        "preferUnplugged": true,
    });
    if os == "linux" {
        package["libc"] = json!(["glibc"]);
    }
    package
}

fn of_launcher(build: &Build) -> Value {
    let platforms = PLATFORMS
        .iter()
        .map(|(_, os, cpu)| (format!("@{NAME}/{os}-{cpu}"), Value::String(build.version.clone())));
    json!({
        "name": NAME,
        "version": build.version,
        "description": "Renders configuration and validates it before anyone uses it",
        "license": "Apache-2.0",
        "type": "commonjs",
        "keywords": ["configuration", "kubernetes", "templates", "validation", "yaml", "ytt"],
        "bin": {"plumb": "plumb.js", "ytt": "ytt.js", "jk": "jk.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": platforms.collect::<serde_json::Map<_, _>>(),
    })
}
