//! Chooses how the optimised programs are linked on Linux: smaller, with less to do at each start, and with the
//! functions of small runs next to each other (docs/performance.md, "Start-up").
//!
//! Linkers differ in what they accept, so each choice is first tried on a small program, which must also run. All of
//! them need lld, which Rust comes with. Without them, the programs do the same, but start slower.
//!
//! `PLUMB_LINK=portable` tries only what does not depend on the version of glibc on this computer. `PLUMB_LINK=plain`
//! tries nothing, for profilers: each function keeps its name.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Functions and crates in the order in which they are placed.
const ORDER: &str = include_str!("order.txt");

/// Flags for the linker that are chosen together.
struct Choice {
    arguments: Vec<String>,
    /// A static library that is linked too.
    library: Option<&'static str>,
    /// If this needs the glibc of this computer or a newer one.
    needs_new_glibc: bool,
}

/// What is tried, one after the other. The script is a file with the order.
fn choices(script: &Path) -> [Choice; 4] {
    let choice = |argument: &str| Choice {
        arguments: vec![argument.to_owned()],
        library: None,
        needs_new_glibc: false,
    };
    [
        // Equal functions and constants are kept once. No code compares their addresses to tell them apart, and
        // linkers on Windows do the same.
        choice("-Wl,--icf=all,--ignore-data-address-equality"),
        // The system maps 64 kB at a time, so a small run takes half of the memory.
        choice(&format!("-T{}", script.display())),
        // One shared library less to load.
        Choice { arguments: Vec::new(), library: Some("gcc_eh"), needs_new_glibc: false },
        // The table of addresses that the loader fills in takes a few kilobytes. glibc reads it since version 2.36.
        Choice { needs_new_glibc: true, ..choice("-Wl,-z,pack-relative-relocs") },
    ]
}

/// What is linked to try a choice: a panic needs the library that unwinds the stack.
const TRIAL: &str = "fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let caught = std::panic::catch_unwind(|| std::env::args().nth(1).expect(\"no argument is given\"));
    assert!(caught.is_err());
}";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=order.txt");
    println!("cargo::rerun-if-env-changed=PLUMB_LINK");
    let wanted = env::var("PLUMB_LINK").unwrap_or_default();
    let is_optimised = variable("PROFILE") == "release" && variable("DEBUG") == "false";
    let is_native =
        variable("HOST") == variable("TARGET") && variable("CARGO_CFG_TARGET_OS") == "linux";
    if wanted == "plain" || !is_optimised || !is_native {
        return;
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let order = out.join("order.ld");
    fs::write(&order, script(ORDER)).expect("the directory is ours to write");
    let choices = choices(&order);
    let mut chosen: Vec<&Choice> = Vec::new();
    for choice in &choices {
        if choice.needs_new_glibc && wanted == "portable" {
            continue;
        }
        chosen.push(choice);
        if !works(&chosen, &out) {
            chosen.pop();
        }
        if chosen.is_empty() {
            return;
        }
    }
    for choice in chosen {
        for argument in &choice.arguments {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
        if let Some(library) = choice.library {
            println!("cargo::rustc-link-lib=static:-bundle={library}");
        }
    }
}

/// A script for the linker. A group of the list becomes a section before all others of its kind. In it, a section such
/// as `.text._ZN5plumb3run17h*` is looked for in the library of its crate, because other crates may have functions of
/// the same name. If the program is optimised across crates, it is one object with all functions.
fn script(list: &str) -> String {
    let mut out = String::new();
    for group in list.split("\n[").skip(1) {
        let (name, list) = group.split_once("]\n").expect("a name in brackets");
        let lines = list.lines().filter(|it| !it.starts_with('#'));
        if name == "data" {
            let files = lines.map(|it| format!("*lib{it}-*.rlib:*(.rodata .rodata.*)\n"));
            out += "SECTIONS { .rodata.hot : {\n";
            out.extend(files);
            out += "} } INSERT BEFORE .rodata;\n";
            continue;
        }
        out.extend([
            "SECTIONS { .text.",
            name,
            " : {\n*crt1.o(.text)\n*/deps/[!l]*.o(\n.text.main\n",
        ]);
        let functions = lines.clone().filter_map(|it| it.strip_prefix(' '));
        out.extend(functions.map(|it| format!(".text.{it}\n")));
        out.extend(lines.map(|line| match line.strip_prefix(' ') {
            Some(function) => format!(".text.{function}\n"),
            None => format!(")\n*lib{line}-*.rlib:*(\n"),
        }));
        out += ")\n} } INSERT BEFORE .text;\n";
    }
    out
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
