//! The smallest runs: what every start of the program costs, and how large it is.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::{built, output};

const N_RUNS: usize = 200;

/// A table of CPU time and memory of the smallest runs, and the size of the program.
pub(super) fn table(root: &Path) -> Result<String> {
    let directory = std::env::temp_dir().join(format!("plumb-bench-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let table = in_directory(root, &directory);
    fs::remove_dir_all(&directory)?;
    table
}

fn in_directory(root: &Path, directory: &Path) -> Result<String> {
    fs::write(directory.join("line.yml"), "a: #@ 1 + 1\n")?;
    fs::write(
        directory.join("line.js"),
        "export default [{ path: 'hello.yaml', value: { hello: 'world' } }];\n",
    )?;
    let launcher = launcher(root, directory)?;
    let plumb = built("plumb")?;
    let mut out = format!("{:<34}{:>9}{:>11}{:>10}\n", "run", "best ms", "median ms", "peak MB");
    for arguments in [&["version"][..], &["-f", "line.yml"], &["generate", "--stdout", "line.js"]] {
        let mut costs = (0..N_RUNS)
            .map(|_| run(&launcher, &plumb, arguments, directory))
            .collect::<Result<Vec<_>>>()?;
        costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let [best, median] = [0, N_RUNS / 2].map(|at| costs[at].seconds * 1000.0);
        costs.sort_by(|a, b| a.megabytes.total_cmp(&b.megabytes));
        let name = format!("plumb {}", arguments.join(" "));
        writeln!(out, "{name:<34}{best:>9.2}{median:>11.2}{:>10.1}", costs[N_RUNS / 2].megabytes)?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a size in megabytes, with one decimal")]
    let megabytes = fs::metadata(&plumb)?.len() as f64 / 1e6;
    writeln!(out, "size of the program: {megabytes:.1} MB")?;
    Ok(out)
}

/// CPU time of a run, user and system, and its peak memory.
struct Cost {
    seconds: f64,
    megabytes: f64,
}

fn run(launcher: &Path, plumb: &Path, arguments: &[&str], directory: &Path) -> Result<Cost> {
    let report = directory.join("report");
    let mut command = Command::new(launcher);
    command.arg(&report).arg("60").arg(plumb).args(arguments).current_dir(directory);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let report = fs::read_to_string(report)?;
    let fields: Vec<&str> = report.split_whitespace().collect();
    let [_wall, user, system, kilobytes, code] = fields[..] else {
        anyhow::bail!("an unknown report of rusage: {report}");
    };
    ensure!(status.success() && code == "0", "plumb {} failed", arguments.join(" "));
    Ok(Cost {
        seconds: user.parse::<f64>()? + system.parse::<f64>()?,
        megabytes: kilobytes.parse::<f64>()? * 1024.0 / 1e6,
    })
}

/// A small program that measures another one. The memory of a larger parent would count as that of
/// the child.
fn launcher(root: &Path, directory: &Path) -> Result<PathBuf> {
    let program = directory.join("rusage");
    let source = root.join("../shared/bench/rusage.c");
    output(Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(source))
        .context("compiling rusage.c (it needs ../shared and a C compiler)")?;
    Ok(program)
}
