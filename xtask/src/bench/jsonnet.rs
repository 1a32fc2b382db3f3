//! Compares the workload `template` with its equivalent in Jsonnet (`bench/jsonnet`), in
//! alternating runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{best_and_median, cpu, workload};

/// The number of Deployments, each with a Service.
const SIZE: &str = "1000";
const N_RUNS: usize = 11;

/// A table of CPU seconds: the best run and the median.
pub(super) fn table(root: &Path, ours: &Path, jsonnet: &Path) -> Result<String> {
    let directory = std::env::temp_dir().join(format!("plumb-bench-{}", std::process::id()));
    let table = in_directory(root, ours, jsonnet, &directory);
    fs::remove_dir_all(&directory)?;
    table
}

fn in_directory(root: &Path, ours: &Path, jsonnet: &Path, directory: &Path) -> Result<String> {
    let arguments = workload(root, "template", SIZE, directory)?;
    fs::copy(root.join("bench/jsonnet/template.jsonnet"), directory.join("template.jsonnet"))?;
    let values = output(ours, &["-f", "values.yml", "-o", "json"], directory)?;
    fs::write(directory.join("values.json"), values)?;

    let of_plumb: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let of_jsonnet = ["-y", "template.jsonnet"];
    let documents = |program, arguments: &[&str]| -> Result<Vec<Value>> {
        as_documents(ours, &output(program, arguments, directory)?, directory)
    };
    let is_same = documents(ours, &of_plumb)? == documents(jsonnet, &of_jsonnet)?;

    let mut seconds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for _ in 0..N_RUNS {
        for (name, program, arguments) in
            [("plumb", ours, &of_plumb[..]), ("jrsonnet", jsonnet, &of_jsonnet)]
        {
            let (_, taken) = cpu::measured(|| output(program, arguments, directory))?;
            seconds.entry(name).or_default().push(taken);
        }
    }
    let mut table = format!("{:<12}{:>10}{:>10}  same\n", "program", "best s", "median s");
    for (name, taken) in seconds {
        let same = if is_same { "yes" } else { "NO" };
        let [best, median] = best_and_median(taken);
        writeln!(table, "{name:<12}{best:>10.3}{median:>10.3}  {same}")?;
    }
    Ok(table)
}

/// Parses documents as data, so that the order of keys does not matter.
fn as_documents(ours: &Path, yaml: &[u8], directory: &Path) -> Result<Vec<Value>> {
    let path: PathBuf = directory.join("documents.yml");
    fs::write(&path, yaml)?;
    let arguments = ["--compat=plumb", "-o", "json", "-f", "documents.yml"];
    let lines = output(ours, &arguments, directory)?;
    let lines = std::str::from_utf8(&lines)?.lines();
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn output(program: &Path, arguments: &[&str], directory: &Path) -> Result<Vec<u8>> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("running {}", program.display()))?;
    ensure!(output.status.success(), "{} fails", program.display());
    Ok(output.stdout)
}
