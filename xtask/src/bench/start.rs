//! The smallest runs: what every start of the program costs, and how large it is. The program in
//! packages (`release-lto`) is measured too if it was built.

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
    let mut programs = vec![("release", built("plumb")?)];
    let packaged = crate::target_directory()?.join("release-lto/plumb");
    programs.extend(packaged.exists().then_some(("release-lto", packaged)));
    let mut out = format!(
        "{:<34}{:<13}{:>9}{:>11}{:>10}\n",
        "run", "profile", "best ms", "median ms", "peak MB"
    );
    for arguments in [&["version"][..], &["-f", "line.yml"], &["generate", "--stdout", "line.js"]] {
        let mut costs: Vec<Vec<Cost>> = programs.iter().map(|_| Vec::new()).collect();
        for _ in 0..N_RUNS {
            for ((_, plumb), costs) in programs.iter().zip(&mut costs) {
                costs.push(run(&launcher, plumb, arguments, directory)?);
            }
        }
        for ((profile, _), mut costs) in programs.iter().zip(costs) {
            costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let [best, median] = [0, N_RUNS / 2].map(|at| costs[at].seconds * 1000.0);
            costs.sort_by(|a, b| a.megabytes.total_cmp(&b.megabytes));
            let megabytes = costs[N_RUNS / 2].megabytes;
            let name = format!("plumb {}", arguments.join(" "));
            writeln!(out, "{name:<34}{profile:<13}{best:>9.2}{median:>11.2}{megabytes:>10.1}")?;
        }
    }
    for (profile, plumb) in &programs {
        #[expect(clippy::cast_precision_loss, reason = "a size in megabytes, with one decimal")]
        let megabytes = fs::metadata(plumb)?.len() as f64 / 1e6;
        let name = "size of the program, MB";
        writeln!(out, "{name:<34}{profile:<13}{megabytes:>9.1}")?;
    }
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
