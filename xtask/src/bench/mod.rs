//! `cargo xtask bench`: compares CPU time and memory of Plumb and ytt on the workloads of
//! `../shared/bench`. With `--project` and `--editor`, measures Plumb alone: projects, and the language
//! server.
//!
//! Both programs run in alternation on the same machine, so that their ratios are meaningful even
//! if absolute times are not.

mod cpu;
mod editor;
mod jsonnet;
mod language;
mod project;
mod webhook;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

const REPORT: &str = "docs/performance.md";

/// The report keeps its prose; the tables between these lines are replaced.
struct Marks {
    start: &'static str,
    end: &'static str,
}

const WORKLOADS: Marks =
    Marks { start: "<!-- table: cargo xtask bench --write -->", end: "<!-- end of table -->" };
const LANGUAGE: Marks = Marks {
    start: "<!-- language: cargo xtask bench --write -->",
    end: "<!-- end of language -->",
};

const STAGES: Marks =
    Marks { start: "<!-- stages: cargo xtask bench --write -->", end: "<!-- end of stages -->" };
const JSONNET: Marks = Marks {
    start: "<!-- jsonnet: cargo xtask bench --jsonnet --write -->",
    end: "<!-- end of jsonnet -->",
};

const PROJECT: Marks = Marks {
    start: "<!-- project: cargo xtask bench --project --write -->",
    end: "<!-- end of project -->",
};

const EDITOR: Marks = Marks {
    start: "<!-- editor: cargo xtask bench --editor --write -->",
    end: "<!-- end of editor -->",
};

const STARLARK: Marks = Marks {
    start: "<!-- starlark: cargo xtask bench --starlark --write -->",
    end: "<!-- end of starlark -->",
};

const WEBHOOK: Marks = Marks {
    start: "<!-- webhook: cargo xtask bench --webhook --write -->",
    end: "<!-- end of webhook -->",
};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let write = arguments.iter().any(|it| it == "--write");
    if arguments.iter().any(|it| it == "--project") {
        let plumb = built("plumb")?;
        let above = option(arguments, "--directory").map(PathBuf::from);
        let tables = project::tables(&plumb, &above.unwrap_or_else(std::env::temp_dir))?;
        print!("{tables}");
        return if write { keep(root, &[(&PROJECT, &tables)]) } else { Ok(()) };
    }
    if let Some(peer) = option(arguments, "--webhook") {
        let wrk = option(arguments, "--wrk").map_or(Path::new("wrk"), Path::new);
        let table = webhook::table(root, &built("plumb")?, Path::new(peer), wrk)?;
        print!("{table}");
        return if write { keep(root, &[(&WEBHOOK, &table)]) } else { Ok(()) };
    }
    if arguments.iter().any(|it| it == "--editor") {
        let table = editor::table(root, &built("plumb")?, &std::env::temp_dir())?;
        print!("{table}");
        return if write { keep(root, &[(&EDITOR, &table)]) } else { Ok(()) };
    }
    let compare = root.join("../shared/bench/compare");
    ensure!(compare.exists(), "no ../shared/bench beside the repository");
    let ours = built("ytt")?;
    if let Some(jsonnet) = option(arguments, "--jsonnet") {
        let table = jsonnet::table(root, &ours, Path::new(jsonnet))?;
        print!("{table}");
        return if write { keep(root, &[(&JSONNET, &table)]) } else { Ok(()) };
    }
    if let Some(starlark) = option(arguments, "--starlark") {
        let table = language::starlark_table(root, &ours, Path::new(starlark))?;
        print!("{table}");
        return if write { keep(root, &[(&STARLARK, &table)]) } else { Ok(()) };
    }
    let peer = option(arguments, "--peer");
    let peer = Path::new(peer.context("name the program to compare with: --peer PATH")?);
    let stages = stages(root)?;
    print!("{stages}");
    let language = language::table(root, &ours, peer)?;
    print!("{language}");
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
        keep(root, &[(&STAGES, &stages), (&LANGUAGE, &language), (&WORKLOADS, &table)])?;
    }
    Ok(())
}

/// The path of a program of the release build.
fn built(name: &str) -> Result<PathBuf> {
    let path = crate::target_directory()?.join("release").join(name);
    ensure!(path.exists(), "no {}: run `cargo build --release` first", path.display());
    Ok(path)
}

/// A table of the time that each stage takes, at two sizes.
fn stages(root: &Path) -> Result<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--release", "--package", "plumb", "--example", "stages"]);
    let output = cargo.current_dir(root).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// The argument after an option.
fn option<'a>(arguments: &'a [String], name: &str) -> Option<&'a String> {
    arguments.iter().position(|it| it == name).and_then(|at| arguments.get(at + 1))
}

/// Writes tables into the report.
fn keep(root: &Path, tables: &[(&Marks, &str)]) -> Result<()> {
    let path = root.join(REPORT);
    let mut report = std::fs::read_to_string(&path)?;
    for (marks, table) in tables {
        report = with_table(&report, marks, table)?;
    }
    Ok(std::fs::write(path, report)?)
}

fn with_table(report: &str, marks: &Marks, table: &str) -> Result<String> {
    let Marks { start, end } = marks;
    let (before, rest) = report.split_once(start).context("the report marks its table")?;
    let (_, after) = rest.split_once(end).context("the report marks the table's end")?;
    Ok(format!("{before}{start}\n\n```text\n{table}```\n\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_the_report_is_replaced() {
        let Marks { start, end } = WORKLOADS;
        let report = format!("a\n{start}\nold\n{end}\nb\n");
        let new = with_table(&report, &WORKLOADS, "new\n").expect("a marked report");
        assert_eq!(new, format!("a\n{start}\n\n```text\nnew\n```\n\n{end}\nb\n"));
    }
}
