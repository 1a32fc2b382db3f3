//! `cargo xtask instructions`: compares the instructions of small runs with the recorded ones.
//!
//! The counts of allocations do not show that a loop of the interpreter became slower, or a lookup, or
//! the start of the program. Instructions do, and they are the same in every run on a machine. Other
//! processors use other variants of functions of the C library, so the counts differ a little there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, iter};

use anyhow::{Context as _, Result, bail, ensure};

use crate::files;

const BASELINE: &str = "bench/instructions.toml";
const HEADER: &str = "# Instructions of the optimised program, as valgrind counts them.\n\
                      # Written by `cargo xtask instructions --update`.\n\n";

/// Counts may differ from the recorded ones by this fraction: one part in `TOLERANCE`.
const TOLERANCE: u64 = 10;

/// Runs whose values are wrong: they report findings, and end with exit code 1.
const WITH_FINDINGS: [&str; 2] = ["small/type-errors", "small/violations"];

/// The instructions of runs, by the name of the run.
type Counts = BTreeMap<String, u64>;

/// A command whose instructions are counted.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
    pub(crate) arguments: Vec<String>,
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let is_update = match arguments {
        [] => false,
        [update] if update == "--update" => true,
        _ => bail!("the only option is --update"),
    };
    let program = crate::target_directory()?.join("release/ytt");
    ensure!(program.is_file(), "{} is missing: cargo build --release", program.display());
    let status =
        fs::read_to_string("/proc/self/status").context("reading which cores are allowed")?;
    let core = first_core(&status).context("/proc/self/status does not list the allowed cores")?;
    let counts = runs(root)?
        .into_iter()
        .map(|run| Ok((run.name.clone(), count(&program, &run, core)?)))
        .collect::<Result<Counts>>()?;
    let baseline = root.join(BASELINE);
    if is_update {
        return Ok(fs::write(baseline, written(&counts))?);
    }
    let differences = differences(&read(&fs::read_to_string(baseline)?)?, &counts);
    ensure!(
        differences.is_empty(),
        "{}\n`cargo xtask instructions --update` records the new counts; give the reason in the commit",
        differences.join("\n")
    );
    println!("{} runs take as many instructions as recorded", counts.len());
    Ok(())
}

/// A start that does nothing, the workloads of `bench/small`, and the templates of `bench/language`.
fn runs(root: &Path) -> Result<Vec<Run>> {
    let start = Run {
        name: "start".to_owned(),
        directory: root.to_owned(),
        arguments: vec!["version".to_owned()],
    };
    let mut runs = vec![start];
    runs.extend(small(root)?);
    let language = root.join("bench/language");
    for template in files::with_extension(&language, "yml")? {
        let arguments = vec!["-f".to_owned(), template.display().to_string()];
        let name = format!("language/{}", stem(&template));
        runs.push(Run { name, directory: language.clone(), arguments });
    }
    Ok(runs)
}

/// The workloads of `bench/small`.
pub(crate) fn small(root: &Path) -> Result<Vec<Run>> {
    let run = |directory: PathBuf| {
        let arguments = fs::read_to_string(directory.join("cmd"))?;
        let arguments = arguments.lines().map(str::to_owned).collect();
        Ok(Run { name: format!("small/{}", stem(&directory)), directory, arguments })
    };
    fs::read_dir(root.join("bench/small"))?.map(|entry| run(entry?.path())).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Counts the instructions of a run. The run uses one core and an empty environment, so that the count
/// does not depend on the number of cores, or on variables that cargo sets.
fn count(program: &Path, run: &Run, core: &str) -> Result<u64> {
    let mut command = Command::new("taskset");
    command.args(["-c", core, "valgrind", "--tool=cachegrind", "--cache-sim=no"]);
    command.arg("--cachegrind-out-file=/dev/null").arg(program).args(&run.arguments);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.current_dir(&run.directory).stdin(Stdio::null()).stdout(Stdio::null());
    let output = command.output().context("starting taskset (it is in util-linux)")?;
    counted(&run.name, &output)
}

/// The first core on which this process may run: in a container, that may not be core 0. The status is
/// that of `/proc`, with a line like `Cpus_allowed_list: 2-3,6`.
fn first_core(status: &str) -> Option<&str> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    list.trim().split(['-', ',']).next().filter(|it| !it.is_empty())
}

/// The instructions of a run that ended as it should. Any other has done only a part of its work, so
/// its count means nothing. Valgrind exits with the status of the program.
fn counted(name: &str, output: &Output) -> Result<u64> {
    let report = String::from_utf8_lossy(&output.stderr);
    let expected = i32::from(WITH_FINDINGS.contains(&name));
    ensure!(output.status.code() == Some(expected), "{name} failed ({}):\n{report}", output.status);
    total(&report).with_context(|| format!("valgrind counted nothing for {name}:\n{report}"))
}

/// Reads the count from the line of the report that looks like `==42== I   refs:      1,308,882`.
fn total(report: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains(" refs:"))?;
    let digits: String = line.rsplit_once(':')?.1.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn written(counts: &Counts) -> String {
    let lines = counts.iter().map(|(name, count)| format!("\"{name}\" = {count}\n"));
    iter::once(HEADER.to_owned()).chain(lines).collect()
}

fn read(text: &str) -> Result<Counts> {
    let table: toml::Table = text.parse()?;
    let count = |(name, value): (String, toml::Value)| {
        let count = value.as_integer().and_then(|it| it.try_into().ok());
        Ok((name, count.with_context(|| format!("{BASELINE} has a value that is not a count"))?))
    };
    table.into_iter().map(count).collect()
}

/// How the counts differ from the recorded ones, one line for each run. Lower counts are reported
/// too, so that they are recorded.
fn differences(recorded: &Counts, found: &Counts) -> Vec<String> {
    let changed = found.iter().filter_map(|(name, now)| {
        let Some(before) = recorded.get(name) else {
            return Some(format!("{name}: not recorded yet"));
        };
        let word = if now > before { "more" } else { "fewer" };
        (now.abs_diff(*before) > before / TOLERANCE)
            .then(|| format!("{name}: {word} instructions: {now}, recorded were {before}"))
    });
    let gone = recorded.keys().filter(|name| !found.contains_key(*name));
    changed.chain(gone.map(|name| format!("{name}: recorded, but no longer run"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_the_report() {
        let report = "==7== Cachegrind\n==7== \n==7== I   refs:      1,308,882\n";
        assert_eq!(total(report), Some(1_308_882));
        assert_eq!(total("valgrind: no such program"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_run_that_fails_is_not_counted() {
        use std::os::unix::process::ExitStatusExt as _;

        let output = |status| Output {
            status: std::process::ExitStatus::from_raw(status),
            stdout: Vec::new(),
            stderr: b"==7== I   refs:      1,308,882\n".to_vec(),
        };
        assert_eq!(counted("start", &output(0)).ok(), Some(1_308_882));
        let (exit_code_1, segmentation_fault) = (1 << 8, 11);
        for status in [exit_code_1, segmentation_fault] {
            let error = counted("start", &output(status)).expect_err("it failed").to_string();
            assert!(error.starts_with("start failed ("), "{error}");
        }
        for name in WITH_FINDINGS {
            assert_eq!(counted(name, &output(exit_code_1)).ok(), Some(1_308_882));
            for status in [0, segmentation_fault] {
                counted(name, &output(status)).expect_err("there are no findings");
            }
        }
    }

    #[test]
    fn a_core_that_is_allowed_is_used() {
        assert_eq!(first_core("Name:\txtask\nCpus_allowed_list:\t2-3,6\n"), Some("2"));
        assert_eq!(first_core("Cpus_allowed_list:\t5\n"), Some("5"));
        assert_eq!(first_core("Cpus_allowed_list:\t\n"), None);
        assert_eq!(first_core("Name:\txtask\n"), None);
    }

    #[test]
    fn counts_are_compared_with_the_recorded_ones() {
        let counts = |list: &[(&str, u64)]| {
            list.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect::<Counts>()
        };
        let recorded = counts(&[("fib", 1000), ("gone", 1), ("loop", 1000), ("sort", 1000)]);
        let found = counts(&[("fib", 1100), ("loop", 1101), ("new", 1), ("sort", 899)]);
        let expected = [
            "loop: more instructions: 1101, recorded were 1000",
            "new: not recorded yet",
            "sort: fewer instructions: 899, recorded were 1000",
            "gone: recorded, but no longer run",
        ];
        assert_eq!(differences(&recorded, &found), expected);
        assert_eq!(read(&written(&recorded)).expect("a table"), recorded);
    }
}
