//! How long it takes to build Plumb, and to build its tests, from nothing.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use super::{cpu, output};

const COMMANDS: [&[&str]; 2] = [&["build", "--release"], &["test", "--workspace", "--no-run"]];

/// A table of wall and CPU time of clean builds. Packages are downloaded before.
pub(super) fn table(root: &Path) -> Result<String> {
    output(Command::new(env!("CARGO")).arg("fetch").current_dir(root))?;
    let mut out = format!("{:<38}{:>8}{:>8}\n", "command", "wall s", "CPU s");
    for arguments in COMMANDS {
        let directory = std::env::temp_dir().join(format!("plumb-build-{}", std::process::id()));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments).arg("--target-dir").arg(&directory).current_dir(root);
        let start = Instant::now();
        let built = cpu::measured(|| output(&mut cargo));
        let wall = start.elapsed().as_secs_f64();
        fs::remove_dir_all(&directory)?;
        let (_, seconds) = built?;
        let name = format!("cargo {}", arguments.join(" "));
        writeln!(out, "{name:<38}{wall:>8.0}{seconds:>8.0}")?;
    }
    Ok(out)
}
