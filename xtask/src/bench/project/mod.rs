//! `cargo xtask bench --project`: a project of 100 targets over 200 files, and one of 50 tests.

mod watch;
mod workload;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use super::{best_and_median, cpu};
use workload::{N_TARGETS, output_of, values_of};

/// The number of builds on one core and on two cores, in alternation.
const N_BUILDS: usize = 15;
/// The number of times that all targets are run one by one.
const N_ROUNDS: usize = 3;
const N_TEST_RUNS: u32 = 30;

/// The output that exists before a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Missing,
    Unchanged,
}

/// Wall time and CPU time of runs, in seconds.
#[derive(Default)]
struct Times(Vec<(f64, f64)>);

/// Tables about projects in a new directory below `above`.
pub(super) fn tables(plumb: &Path, above: &Path) -> Result<String> {
    let directory = above.join(format!("plumb-bench-{}", std::process::id()));
    let tables = Bench { plumb, directory: directory.join("targets") }
        .tables()
        .and_then(|tables| Ok(tables + &tests(plumb, &directory.join("tests"))?));
    fs::remove_dir_all(&directory)?;
    tables
}

struct Bench<'a> {
    plumb: &'a Path,
    directory: PathBuf,
}

impl Bench<'_> {
    fn tables(&self) -> Result<String> {
        workload::targets(&self.directory)?;
        let mut out = String::from(
            "wall time    one core s    two cores s        ratio\n\
             output     best  median   best  median   best  median\n",
        );
        let mut costs = Vec::new();
        for output in [Output::Missing, Output::Unchanged] {
            let (mut one, mut two) = (Times::default(), Times::default());
            for _ in 0..N_BUILDS {
                one.0.push(self.build("0", output)?);
                two.0.push(self.build("0,1", output)?);
            }
            let [one_best, one_median] = one.walls();
            let [two_best, two_median] = two.walls();
            let (best, median) = (one_best / two_best, one_median / two_median);
            writeln!(
                out,
                "{:<9}{one_best:>6.3}{one_median:>8.3}{two_best:>7.3}{two_median:>8.3}{best:>7.2}{median:>8.2}",
                output.name()
            )?;
            costs.push((output, two.least_cpu()));
        }
        out.push_str("\nCPU time  100 runs s  one build s  ratio\n");
        for &(output, cpu) in &costs {
            let mut rounds = Times::default();
            for _ in 0..N_ROUNDS {
                rounds.0.push(self.one_by_one(output)?);
            }
            let apart = rounds.least_cpu();
            writeln!(out, "{:<10}{apart:>10.2}{cpu:>13.2}{:>7.2}", output.name(), cpu / apart)?;
        }
        let of_change = watch::seconds_per_change(self.plumb, &self.directory)?;
        // All files of the target change, so this is compared with a build that writes all files.
        let of_build = costs[0].1;
        writeln!(
            out,
            "\none changed target of {N_TARGETS}, CPU time: {of_change:.4} s, 1/{:.0} of a new build",
            of_build / of_change
        )?;
        Ok(out)
    }

    /// Builds all targets on some cores.
    fn build(&self, cores: &str, output: Output) -> Result<(f64, f64)> {
        self.prepare(output)?;
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(self.plumb).args(["build", "-q"]);
        self.timed(|| succeed(command.current_dir(&self.directory)))
    }

    /// Renders each target with a separate run.
    fn one_by_one(&self, output: Output) -> Result<(f64, f64)> {
        self.prepare(output)?;
        self.timed(|| {
            (0..N_TARGETS).try_for_each(|at| {
                let mut command = Command::new(self.plumb);
                command.args(["-q", "-f", "config", "--data-values-file", &values_of(at)]);
                command.args(["--output-files", &output_of(at)]);
                succeed(command.current_dir(&self.directory))
            })
        })
    }

    fn prepare(&self, output: Output) -> Result<()> {
        let directory = self.directory.join("out");
        match output {
            Output::Missing if directory.exists() => Ok(fs::remove_dir_all(directory)?),
            Output::Missing | Output::Unchanged => Ok(()),
        }
    }

    fn timed(&self, act: impl FnOnce() -> Result<()>) -> Result<(f64, f64)> {
        let start = Instant::now();
        let ((), cpu) = cpu::measured(act)?;
        let n_written = fs::read_dir(self.directory.join("out"))?.count();
        ensure!(n_written == N_TARGETS, "{n_written} output directories were written");
        Ok((start.elapsed().as_secs_f64(), cpu))
    }
}

impl Output {
    fn name(self) -> &'static str {
        match self {
            Self::Missing => "new",
            Self::Unchanged => "unchanged",
        }
    }
}

impl Times {
    /// The best wall time, and the median.
    fn walls(&self) -> [f64; 2] {
        best_and_median(self.0.iter().map(|it| it.0).collect())
    }

    fn least_cpu(&self) -> f64 {
        self.0.iter().map(|it| it.1).fold(f64::INFINITY, f64::min)
    }
}

/// A line about a project of 50 tests.
fn tests(plumb: &Path, directory: &Path) -> Result<String> {
    workload::tests(directory)?;
    let run = || {
        let mut command = Command::new(plumb);
        succeed(command.args(["test", "-q"]).current_dir(directory))
    };
    let ((), seconds) = cpu::measured(|| (0..N_TEST_RUNS).try_for_each(|_| run()))?;
    Ok(format!("50 tests, CPU time: {:.4} s\n", seconds / f64::from(N_TEST_RUNS)))
}

fn succeed(command: &mut Command) -> Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
