//! `cargo xtask bench`: our CPU time and memory beside ytt's, on the workloads of `../shared/bench`.
//!
//! Both programs run turn about on the same machine, so the ratios mean something where absolute
//! times do not.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const REPORT: &str = "docs/performance.md";
/// The report keeps its prose; the table between these lines is replaced.
const TABLE_START: &str = "<!-- table: cargo xtask bench --write -->";
const TABLE_END: &str = "<!-- end of table -->";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let compare = root.join("../shared/bench/compare");
    ensure!(compare.exists(), "no ../shared/bench beside the repository");
    let ours = root.join("target/release/ytt");
    ensure!(ours.exists(), "no {}: run `cargo build --release` first", ours.display());
    let write = arguments.iter().any(|it| it == "--write");
    let passed_on = arguments.iter().filter(|it| *it != "--write");
    let output = Command::new("python3")
        .arg(compare)
        .arg("--ours")
        .arg(ours)
        .args(passed_on)
        .output()
        .context("running the comparison (it needs python3 and a C compiler)")?;
    let table = String::from_utf8_lossy(&output.stdout);
    print!("{table}");
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if write {
        let path = root.join(REPORT);
        let report = std::fs::read_to_string(&path)?;
        std::fs::write(path, with_table(&report, &table)?)?;
    }
    Ok(())
}

fn with_table(report: &str, table: &str) -> Result<String> {
    let (before, rest) = report.split_once(TABLE_START).context("the report marks its table")?;
    let (_, after) = rest.split_once(TABLE_END).context("the report marks the table's end")?;
    Ok(format!("{before}{TABLE_START}\n\n```text\n{table}```\n\n{TABLE_END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_the_report_is_replaced() {
        let report = format!("a\n{TABLE_START}\nold\n{TABLE_END}\nb\n");
        let new = with_table(&report, "new\n").expect("a marked report");
        assert_eq!(new, format!("a\n{TABLE_START}\n\n```text\nnew\n```\n\n{TABLE_END}\nb\n"));
    }
}
