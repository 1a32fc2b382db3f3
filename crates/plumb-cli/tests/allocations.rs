//! The guard of speed: counts what whole runs allocate, and fails where it is more than it was.
//!
//! Allocations are the same on every machine and need no tool to count, and nearly all that makes
//! a run slower (a copy, a step done twice, a conversion to and fro) allocates. `bench/small` has
//! the workloads, `bench/baseline.toml` the counts; `cargo xtask allocations --update` writes them
//! anew, and the commit says why.
//!
//! The test starts itself once for each workload, as a program whose allocator counts. It has no
//! harness, so it heeds by itself that only tests of some name are asked for.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test without a harness: it reads files, starts processes, and says what it found"
)]

use std::alloc::System;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use plumb_cli::Name;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Tells the process that it is to be the program that is counted.
const COUNTED: &str = "PLUMB_TEST_COUNTED";
const UPDATE: &str = "PLUMB_UPDATE_ALLOCATIONS";
const BASELINE: &str = "bench/baseline.toml";

/// Counts may differ from the recorded ones by one part in so many.
const TOLERANCE: u64 = 10;

/// What the runs of a workload allocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    allocations: u64,
    bytes: u64,
}

type Counts = BTreeMap<String, Count>;

fn main() -> ExitCode {
    if env::var_os(COUNTED).is_some() {
        let code = plumb_cli::main(Name::Ytt);
        let stats = ALLOCATOR.stats();
        eprintln!("\n{} {}", stats.allocations + stats.reallocations, stats.bytes_allocated);
        return code;
    }
    if env::args().skip(1).any(|it| !it.starts_with('-') && !"allocations".contains(&it)) {
        return ExitCode::SUCCESS;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = count_all(&root.join("bench/small"));
    if env::var_os(UPDATE).is_some() {
        fs::write(root.join(BASELINE), written(&found)).expect("the baseline can be written");
        return ExitCode::SUCCESS;
    }
    let recorded = read(&root.join(BASELINE));
    let differences = differences(&recorded, &found);
    if differences.is_empty() {
        println!("allocations of {} workloads are as they were", found.len());
        return ExitCode::SUCCESS;
    }
    eprintln!("{}", differences.join("\n"));
    eprintln!("`cargo xtask allocations --update` records what is now; say why in the commit");
    ExitCode::FAILURE
}

/// The counts of all workloads. Each has its arguments in a file `cmd`, one a line.
fn count_all(workloads: &Path) -> Counts {
    let entries = fs::read_dir(workloads).expect("bench/small is in the repository");
    let directories = entries.map(|it| it.expect("a readable directory").path());
    let count = |directory: PathBuf| {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, count(&directory))
    };
    directories.map(count).collect()
}

fn count(workload: &Path) -> Count {
    let arguments = fs::read_to_string(workload.join("cmd")).expect("a workload has its arguments");
    let output = Command::new(env::current_exe().expect("a test knows its own path"))
        .args(arguments.lines())
        .current_dir(workload)
        .env(COUNTED, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .expect("the test can start itself");
    let said = String::from_utf8_lossy(&output.stderr);
    let counts = said.lines().next_back().and_then(|line| line.split_once(' '));
    let number = |text: &str| text.parse().expect("a count");
    let (allocations, bytes) = counts.expect("the counted program says its counts last");
    Count { allocations: number(allocations), bytes: number(bytes) }
}

fn written(counts: &Counts) -> String {
    let header = "# What the workloads of bench/small allocate: how often, and how many bytes.\n\
                  # Written by `cargo xtask allocations --update`.\n\n";
    let line = |(name, count): (&String, &Count)| {
        format!("{name} = {{ allocations = {}, bytes = {} }}\n", count.allocations, count.bytes)
    };
    header.to_owned() + &counts.iter().map(line).collect::<String>()
}

fn read(baseline: &Path) -> Counts {
    let text = fs::read_to_string(baseline).expect("the baseline is in the repository");
    let table: toml::Table = text.parse().expect("the baseline is TOML");
    let number = |entry: &toml::Value, key: &str| {
        let number = entry.get(key).and_then(toml::Value::as_integer);
        number.and_then(|it| it.try_into().ok()).expect("the baseline holds counts")
    };
    let count = |entry: &toml::Value| Count {
        allocations: number(entry, "allocations"),
        bytes: number(entry, "bytes"),
    };
    table.iter().map(|(name, entry)| (name.clone(), count(entry))).collect()
}

/// What is not as it was recorded, a line each. Fewer are told too: what was won is to be kept.
fn differences(recorded: &Counts, found: &Counts) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, now) in found {
        let Some(before) = recorded.get(name) else {
            lines.push(format!("{name}: not recorded yet"));
            continue;
        };
        let pairs = [
            ("allocations", before.allocations, now.allocations),
            ("bytes", before.bytes, now.bytes),
        ];
        for (what, before, now) in pairs {
            if now.abs_diff(before) > before / TOLERANCE {
                let word = if now > before { "more" } else { "fewer" };
                lines.push(format!("{name}: {word} {what}: {now}, recorded were {before}"));
            }
        }
    }
    let gone = recorded.keys().filter(|name| !found.contains_key(*name));
    lines.extend(gone.map(|name| format!("{name}: recorded, but not in bench/small")));
    lines
}
