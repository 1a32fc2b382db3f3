//! Guards performance: counts the allocations of whole runs, and fails if the count changes.
//!
//! Allocations are the same on every machine and can be counted without tools, and nearly
//! everything that makes a run slower (a copy, a repeated step, a conversion back and forth)
//! allocates. The workloads are in `bench/small`, the counts in `bench/baseline.toml`. `cargo xtask
//! allocations --update` writes new counts; explain the change in the commit.
//!
//! Each workload is a test. The test program starts itself as a program with a counting allocator.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test without a harness: it reads files, starts processes, and prints counts"
)]

use std::alloc::System;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use plumb_cli::Name;
use plumb_testkit::Suite;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Set in the process whose allocations are counted.
const COUNTED: &str = "PLUMB_TEST_COUNTED";
const UPDATE: &str = "PLUMB_UPDATE_ALLOCATIONS";
const UPDATE_HELP: &str =
    "`cargo xtask allocations --update` records what is now; give the reason in the commit";
const BASELINE: &str = "bench/baseline.toml";

/// Counts may differ from the recorded ones by this fraction: one part in `TOLERANCE`.
const TOLERANCE: u64 = 10;

/// The allocations of the runs of a workload.
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workloads = workloads(&root.join("bench/small"));
    if env::var_os(UPDATE).is_some() {
        let found = workloads.into_iter().map(|(name, directory)| (name, count(&directory)));
        let written = written(&found.collect());
        fs::write(root.join(BASELINE), written).expect("the baseline can be written");
        return ExitCode::SUCCESS;
    }
    let recorded = read(&root.join(BASELINE));
    let gone: Vec<String> =
        recorded.keys().filter(|it| !workloads.contains_key(*it)).cloned().collect();
    let suite = Suite::new().test("allocations::every_recorded_workload_exists", move || {
        assert!(gone.is_empty(), "recorded, but not in bench/small: {}", gone.join(", "));
        Ok(())
    });
    let suite = workloads.into_iter().fold(suite, |suite, (name, directory)| {
        let before = recorded.get(&name).copied();
        suite.test(&format!("allocations::{name}"), move || {
            let before = before.unwrap_or_else(|| panic!("not recorded yet\n{UPDATE_HELP}"));
            let differences = differences(before, count(&directory)).join("\n");
            assert!(differences.is_empty(), "{differences}\n{UPDATE_HELP}");
            Ok(())
        })
    });
    suite.run()
}

/// The directories of all workloads by name. Each has its arguments in a file `cmd`, one per line.
fn workloads(directory: &Path) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(directory).expect("bench/small is in the repository");
    let directories = entries.map(|it| it.expect("a readable directory").path());
    let named = |directory: PathBuf| {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, directory)
    };
    directories.map(named).collect()
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
    let (allocations, bytes) = counts.expect("the counted program prints its counts last");
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
        number.and_then(|it| it.try_into().ok()).expect("the baseline has counts")
    };
    let count = |entry: &toml::Value| Count {
        allocations: number(entry, "allocations"),
        bytes: number(entry, "bytes"),
    };
    table.iter().map(|(name, entry)| (name.clone(), count(entry))).collect()
}

/// How the counts of a workload differ from the recorded ones, one line each. Lower counts are
/// reported too, so that they are recorded.
fn differences(recorded: Count, found: Count) -> Vec<String> {
    let pairs = [
        ("allocations", recorded.allocations, found.allocations),
        ("bytes", recorded.bytes, found.bytes),
    ];
    let differ =
        pairs.into_iter().filter(|(_, before, now)| now.abs_diff(*before) > before / TOLERANCE);
    let lines = differ.map(|(what, before, now)| {
        let word = if now > before { "more" } else { "fewer" };
        format!("{word} {what}: {now}, recorded were {before}")
    });
    lines.collect()
}
