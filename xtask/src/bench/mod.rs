//! `cargo xtask bench`: measures Plumb, mostly next to other programs.
//!
//! Both programs run in alternation on the same machine, so that their ratios are meaningful even
//! if absolute times are not. Each section of the report has a flag; one run measures all sections
//! whose flags are given, and `--all` selects every section.

mod build;
mod cores;
mod cpu;
mod editor;
mod jsonnet;
mod language;
mod project;
mod start;
mod webhook;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

const REPORT: &str = "docs/performance.md";

/// A part of the report that is measured on its own.
struct Section {
    /// The flag that selects it.
    flag: &'static str,
    /// What the value of the flag is, if it takes one.
    value: Option<&'static str>,
    /// Other flags of this section. All take a value.
    options: &'static [&'static str],
    measure: fn(&Bench<'_>) -> Result<Vec<Table>>,
}

/// The report keeps its prose. A table replaces what is between two lines of it.
struct Table {
    /// The name in these two lines.
    name: &'static str,
    text: String,
}

const SECTIONS: &[Section] = &[
    Section {
        flag: "--start",
        value: None,
        options: &[],
        measure: |it| Ok(vec![Table::new("start", start::table(it.root)?)]),
    },
    Section { flag: "--peer", value: Some("ytt 0.48"), options: &["--runs"], measure: peer },
    Section {
        flag: "--starlark",
        value: Some("the program of bench/starlark"),
        options: &[],
        measure: |it| {
            let peer = it.path("--starlark")?;
            Ok(vec![Table::new(
                "starlark",
                language::starlark_table(it.root, &built("ytt")?, peer)?,
            )])
        },
    },
    Section {
        flag: "--cores",
        value: None,
        options: &[],
        measure: |it| Ok(vec![Table::new("cores", cores::table(it.root, &built("ytt")?)?)]),
    },
    Section {
        flag: "--jsonnet",
        value: Some("jrsonnet"),
        options: &[],
        measure: |it| {
            let table = jsonnet::table(it.root, &built("ytt")?, it.path("--jsonnet")?)?;
            Ok(vec![Table::new("jsonnet", table)])
        },
    },
    Section {
        flag: "--generators",
        value: Some("a directory node_modules with js-yaml"),
        options: &["--node", "--deno", "--bun"],
        measure: generators,
    },
    Section {
        flag: "--webhook",
        value: Some("the program of bench/webhook"),
        options: &["--wrk"],
        measure: |it| {
            let wrk = it.option("--wrk").map_or(Path::new("wrk"), Path::new);
            let table = webhook::table(it.root, &built("plumb")?, it.path("--webhook")?, wrk)?;
            Ok(vec![Table::new("webhook", table)])
        },
    },
    Section {
        flag: "--project",
        value: None,
        options: &["--directory"],
        measure: |it| {
            let above = it.option("--directory").map(PathBuf::from);
            let above = above.unwrap_or_else(std::env::temp_dir);
            Ok(vec![Table::new("project", project::tables(&built("plumb")?, &above)?)])
        },
    },
    Section {
        flag: "--editor",
        value: None,
        options: &[],
        measure: |it| {
            let table = editor::table(it.root, &built("plumb")?, &std::env::temp_dir())?;
            Ok(vec![Table::new("editor", table)])
        },
    },
    Section {
        flag: "--build",
        value: None,
        options: &[],
        measure: |it| Ok(vec![Table::new("build", build::table(it.root)?)]),
    },
];

/// What was asked for.
struct Bench<'a> {
    root: &'a Path,
    /// Flags with their values.
    options: Vec<(&'a str, &'a str)>,
    /// The workloads to compare with ytt; [`WORKLOADS`] if there are none.
    workloads: Vec<&'a str>,
}

/// The workloads of `docs/performance.md`, with their sizes.
const WORKLOADS: [&str; 33] = [
    "startup:1",
    "plain:3200,30000",
    "template:800,3200",
    "funcs:800,3200",
    "one-expr:400,1600",
    "big-template:500,2000",
    "files:500,2000",
    "overlay-all:800,3200",
    "overlay-each:200,800",
    "overlay-array:400,1600",
    "overlay-many:600,2400",
    "data-values:4000,16000",
    "data-values-flat:800,3200",
    "data-values-flags:400,1600",
    "data-values-overlay:4000,16000",
    "validations:1600,6400",
    "violations:800,3200",
    "type-errors:4000,16000",
    "libraries:160,640",
    "text:1000,4000",
    "anchors:1600,4800",
    "comments:4000,8000",
    "crds:40,160",
    "data-read:4,16",
    "deep:200,400",
    "deep-flow:1600,3200",
    "fmt:800,3200",
    "json:800,3200",
    "openapi:1600,6400",
    "starlark-cpu:64,256",
    "wide-list:16000,64000",
    "wide-map:2000,4000",
    "wide-strings:4,10",
];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let bench = Bench::read(root, arguments)?;
    let all = bench.has("--all");
    ensure!(
        all || SECTIONS.iter().any(|it| bench.has(it.flag)),
        "expected --all or one of {}",
        SECTIONS.iter().map(|it| it.flag).collect::<Vec<_>>().join(", ")
    );
    for Section { flag, value, measure, .. } in SECTIONS {
        let name = flag.trim_start_matches('-');
        match value {
            _ if bench.has(flag) => (),
            None if all => (),
            Some(value) if all => {
                println!("== {name}\nskipped: name {value} with {flag} PATH\n");
                continue;
            }
            _ => continue,
        }
        println!("== {name}");
        for table in measure(&bench)? {
            println!("{}", table.text);
            if bench.has("--write") {
                table.write(root)?;
            }
        }
    }
    Ok(())
}

impl<'a> Bench<'a> {
    fn read(root: &'a Path, arguments: &'a [String]) -> Result<Self> {
        let mut bench = Self { root, options: Vec::new(), workloads: Vec::new() };
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            let section = SECTIONS.iter().find(|it| it.flag == argument);
            let is_option = SECTIONS.iter().any(|it| it.options.contains(&argument));
            let takes_value = is_option || section.is_some_and(|it| it.value.is_some());
            if takes_value {
                let value = rest.next().with_context(|| format!("{argument} needs a value"))?;
                bench.options.push((argument, value));
            } else if section.is_some() || ["--all", "--write"].contains(&argument) {
                bench.options.push((argument, ""));
            } else if argument.starts_with('-') {
                bail!("unknown flag {argument}: `cargo xtask help` lists those of bench");
            } else {
                bench.workloads.push(argument);
            }
        }
        Ok(bench)
    }

    fn has(&self, flag: &str) -> bool {
        self.option(flag).is_some()
    }

    fn option(&self, flag: &str) -> Option<&'a str> {
        self.options.iter().find(|it| it.0 == flag).map(|it| it.1)
    }

    /// The path after a flag that is present.
    fn path(&self, flag: &str) -> Result<&'a Path> {
        Ok(Path::new(self.option(flag).with_context(|| format!("expected {flag} PATH"))?))
    }
}

/// CPU time and memory next to ytt, on the workloads of `../shared/bench` and on the templates of
/// `bench/language`, and the time of each stage.
fn peer(bench: &Bench<'_>) -> Result<Vec<Table>> {
    let peer = bench.path("--peer")?;
    let ours = built("ytt")?;
    let stages = example(bench.root, "plumb", "stages", &[])?;
    let language = language::table(bench.root, &ours, peer)?;
    let mut compare = Command::new("python3");
    compare.arg(bench.root.join("../shared/bench/compare"));
    compare.arg("--ours").arg(ours).arg("--peer").arg(peer);
    if let Some(runs) = bench.option("--runs") {
        compare.args(["--runs", runs]);
    }
    let workloads =
        if bench.workloads.is_empty() { WORKLOADS.as_slice() } else { &bench.workloads };
    let workloads = output(compare.args(workloads))
        .context("comparing workloads (it needs ../shared, python3 and a C compiler)")?;
    Ok(vec![
        Table::new("stages", stages),
        Table::new("language", language),
        Table::new("workloads", workloads),
    ])
}

/// CPU time of generators next to node, Deno and Bun.
fn generators(bench: &Bench<'_>) -> Result<Vec<Table>> {
    let plumb = built("plumb")?;
    let plumb = plumb.to_str().context("the path of the program is not UTF-8")?;
    let modules = bench.option("--generators").context("expected --generators PATH")?;
    let mut arguments = vec!["--ours", plumb, "--node-modules", modules];
    for flag in ["--node", "--deno", "--bun"] {
        if let Some(path) = bench.option(flag) {
            arguments.extend([flag, path]);
        }
    }
    let table = example(bench.root, "plumb-cli", "scripts", &arguments)?;
    Ok(vec![Table::new("generators", table)])
}

/// The path of a program of the release build.
fn built(name: &str) -> Result<PathBuf> {
    let path = crate::target_directory()?.join("release").join(name);
    ensure!(path.exists(), "no {}: run `cargo build --release` first", path.display());
    Ok(path)
}

/// What an example of a package prints.
fn example(root: &Path, package: &str, name: &str, arguments: &[&str]) -> Result<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--release", "--package", package, "--example", name, "--"]);
    output(cargo.args(arguments).current_dir(root))
}

/// What a program prints, if it succeeds.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Creates a workload of `../shared/bench` in a directory, and returns the arguments for ytt.
fn workload(root: &Path, name: &str, size: &str, directory: &Path) -> Result<Vec<String>> {
    let mut generate = Command::new("python3");
    generate.arg(root.join("../shared/bench/gen.py")).args([name, size]).arg(directory);
    output(&mut generate).context("creating a workload (it needs ../shared and python3)")?;
    let arguments = std::fs::read_to_string(directory.join("cmd"))?;
    Ok(arguments.lines().map(str::to_owned).collect())
}

/// The best of some times, and their median.
fn best_and_median(mut times: Vec<f64>) -> [f64; 2] {
    times.sort_by(f64::total_cmp);
    [times[0], times[times.len() / 2]]
}

impl Table {
    fn new(name: &'static str, text: String) -> Self {
        Self { name, text }
    }

    /// Writes the table into the report.
    fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(REPORT);
        let report = std::fs::read_to_string(&path)?;
        Ok(std::fs::write(path, self.placed_in(&report)?)?)
    }

    fn placed_in(&self, report: &str) -> Result<String> {
        let Self { name, text } = self;
        let start = format!("<!-- table of {name}: cargo xtask bench --write -->");
        let end = format!("<!-- end of {name} -->");
        let (before, rest) =
            report.split_once(&start).with_context(|| format!("{REPORT} has no line {start}"))?;
        let (_, after) =
            rest.split_once(&end).with_context(|| format!("{REPORT} has no line {end}"))?;
        Ok(format!("{before}{start}\n\n```text\n{text}```\n\n{end}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_the_report_is_replaced() {
        let [start, end] =
            ["<!-- table of cores: cargo xtask bench --write -->", "<!-- end of cores -->"];
        let report = format!("a\n{start}\nold\n{end}\nb\n");
        let new = Table::new("cores", "new\n".to_owned()).placed_in(&report).expect("marked");
        assert_eq!(new, format!("a\n{start}\n\n```text\nnew\n```\n\n{end}\nb\n"));
    }

    #[test]
    fn an_unknown_flag_and_a_missing_value_are_errors() {
        let read = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            Bench::read(Path::new("."), &arguments).map(|it| it.options.len())
        };
        assert_eq!(read(&["--all", "--peer", "ytt", "plain:100"]).expect("valid"), 2);
        assert!(read(&["--starlrk", "x"]).is_err());
        assert!(read(&["--peer"]).is_err());
    }
}
