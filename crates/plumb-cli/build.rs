//! Chooses how the optimised programs are linked on Linux: smaller, and with less to do at each start
//! (docs/performance.md, "Start-up").
//!
//! Linkers differ in what they accept, so each choice is first tried on a small program, which must also run.
//! Without it, the programs do the same, but slower. `PLUMB_LINK=plain` tries nothing, and `PLUMB_LINK=portable` only
//! what does not depend on the version of glibc on this computer. `plain` is for profilers: each function keeps its name.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Flags for the linker that are chosen together.
struct Choice {
    arguments: &'static [&'static str],
    /// A static library that is linked too.
    library: Option<&'static str>,
    /// If this needs the glibc of this computer or a newer one.
    needs_new_glibc: bool,
}

const CHOICES: [Choice; 3] = [
    // Equal functions and constants are kept once. No code compares their addresses to tell them apart, and linkers on
    // Windows do the same.
    Choice {
        arguments: &["-Wl,--icf=all,--ignore-data-address-equality"],
        library: None,
        needs_new_glibc: false,
    },
    // One shared library less to load.
    Choice { arguments: &[], library: Some("gcc_eh"), needs_new_glibc: false },
    // The table of addresses that the loader fills in takes a few kilobytes. glibc reads it since version 2.36.
    Choice { arguments: &["-Wl,-z,pack-relative-relocs"], library: None, needs_new_glibc: true },
];

/// What is linked to try a choice: a panic needs the library that unwinds the stack.
const TRIAL: &str = "fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let caught = std::panic::catch_unwind(|| std::env::args().nth(1).expect(\"no argument is given\"));
    assert!(caught.is_err());
}";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PLUMB_LINK");
    let wanted = env::var("PLUMB_LINK").unwrap_or_default();
    let is_optimised = variable("PROFILE") == "release" && variable("DEBUG") == "false";
    let is_native =
        variable("HOST") == variable("TARGET") && variable("CARGO_CFG_TARGET_OS") == "linux";
    if wanted == "plain" || !is_optimised || !is_native {
        return;
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut chosen: Vec<&Choice> = Vec::new();
    for choice in &CHOICES {
        if choice.needs_new_glibc && wanted == "portable" {
            continue;
        }
        chosen.push(choice);
        if !works(&chosen, &out) {
            chosen.pop();
        }
    }
    for choice in chosen {
        for argument in choice.arguments {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
        if let Some(library) = choice.library {
            println!("cargo::rustc-link-lib=static:-bundle={library}");
        }
    }
}

/// A variable that cargo sets.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// If a small program can be linked with all of these, and runs.
fn works(choices: &[&Choice], out: &Path) -> bool {
    let (source, program) = (out.join("trial.rs"), out.join("trial"));
    if fs::write(&source, TRIAL).is_err() {
        return false;
    }
    let mut command = Command::new(variable("RUSTC"));
    command
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .args(["--edition=2024", "--target"])
        .arg(variable("TARGET"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        command.arg("-C").arg(format!("linker={}", Path::new(&linker).display()));
    }
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    command.args(flags.split('\x1f').filter(|it| !it.is_empty()));
    for choice in choices {
        command.args(choice.arguments.iter().map(|it| format!("-Clink-arg={it}")));
        command.args(choice.library.map(|it| format!("-lstatic:-bundle={it}")));
    }
    ends_well(&mut command) && ends_well(&mut Command::new(&program))
}

fn ends_well(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}
