//! Wall time of one render on one core and on two.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::{best_and_median, workload};

const WORKLOADS: [(&str, &str); 3] =
    [("files", "2000"), ("libraries", "640"), ("template", "3200")];
const N_RUNS: usize = 25;

/// A table of the best and the median wall time of each workload.
pub(super) fn table(root: &Path, ours: &Path) -> Result<String> {
    let mut out = String::from(
        "                     one core s    two cores s        ratio\n\
         workload              best  median   best  median   best  median\n",
    );
    for (name, size) in WORKLOADS {
        let process = std::process::id();
        let directory = std::env::temp_dir().join(format!("plumb-bench-{process}-{name}"));
        let row = workload(root, name, size, &directory)
            .and_then(|arguments| row(ours, &arguments, &directory));
        fs::remove_dir_all(&directory)?;
        writeln!(out, "{:<20}{}", format!("{name} {size}"), row?)?;
    }
    Ok(out)
}

fn row(ours: &Path, arguments: &[String], directory: &Path) -> Result<String> {
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..N_RUNS {
        one.push(wall_time(ours, "0", arguments, directory)?);
        two.push(wall_time(ours, "0,1", arguments, directory)?);
    }
    let [one_best, one_median] = best_and_median(one);
    let [two_best, two_median] = best_and_median(two);
    let (best, median) = (one_best / two_best, one_median / two_median);
    Ok(format!(
        "{one_best:>6.3}{one_median:>8.3}{two_best:>7.3}{two_median:>8.3}{best:>7.2}{median:>8.2}"
    ))
}

fn wall_time(ours: &Path, cores: &str, arguments: &[String], directory: &Path) -> Result<f64> {
    let mut command = Command::new("taskset");
    command.args(["-c", cores]).arg(ours).args(arguments).current_dir(directory);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().context("starting taskset (it is in util-linux)")?;
    ensure!(status.success(), "{command:?} failed");
    Ok(start.elapsed().as_secs_f64())
}
