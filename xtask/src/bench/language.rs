//! Runs the templates of `bench/language` with Plumb and another program, in alternation.
//!
//! The other program is ytt, which must print the same output, or `bench/starlark`, which runs the
//! code of a template with the `starlark` crate.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use super::cpu;

/// The minimum CPU time of each program: shorter times cannot be measured accurately.
const ENOUGH: f64 = 1.0;
const MAX_RUNS: u32 = 100;

/// A program, and the arguments before the name of a template.
#[derive(Clone, Copy)]
struct Program<'a> {
    path: &'a Path,
    arguments: &'a [&'a str],
}

/// A table of CPU seconds per run of Plumb and of ytt.
pub(super) fn table(root: &Path, ours: &Path, peer: &Path) -> Result<String> {
    let ours = Program { path: ours, arguments: &["-f"] };
    let peer = Program { path: peer, arguments: &["-f"] };
    let mut out =
        format!("{:<16}{:>10}{:>10}{:>8}  same\n", "template", "ours s", "peer s", "ratio");
    for template in templates(root)? {
        let name = name(&template);
        let is_same = ours.output(&template)? == peer.output(&template)?;
        let (mine, theirs) = compare(ours, peer, &template)?;
        let same = if is_same { "yes" } else { "NO" };
        writeln!(out, "{name:<16}{mine:>10.4}{theirs:>10.4}{:>8.1}  {same}", theirs / mine)?;
    }
    Ok(out)
}

/// A table of CPU seconds per run of Plumb and of `bench/starlark`, and the geometric mean of the
/// ratios. Both times include the start of the program.
pub(super) fn starlark_table(root: &Path, ours: &Path, starlark: &Path) -> Result<String> {
    let ours = Program { path: ours, arguments: &["-f"] };
    let starlark = Program { path: starlark, arguments: &[] };
    let mut out = format!("{:<16}{:>10}{:>12}{:>8}\n", "template", "ours s", "starlark s", "ratio");
    let (mut product, mut count) = (0.0, 0.0);
    for template in templates(root)? {
        let (mine, theirs) = compare(ours, starlark, &template)?;
        let ratio = theirs / mine;
        (product, count) = (product + ratio.ln(), count + 1.0);
        writeln!(out, "{:<16}{mine:>10.4}{theirs:>12.4}{ratio:>8.2}", name(&template))?;
    }
    let mean = (product / count).exp();
    writeln!(out, "{:<16}{:>10}{:>12}{mean:>8.2}", "geometric mean", "", "")?;
    Ok(out)
}

fn templates(root: &Path) -> Result<Vec<PathBuf>> {
    let files: Vec<PathBuf> = fs::read_dir(root.join("bench/language"))?
        .map(|it| Ok(it?.path()))
        .collect::<Result<_>>()?;
    let mut templates: Vec<PathBuf> =
        files.into_iter().filter(|it| it.extension().is_some_and(|it| it == "yml")).collect();
    templates.sort();
    Ok(templates)
}

fn name(template: &Path) -> String {
    template.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// CPU seconds per run of two programs.
fn compare(ours: Program<'_>, peer: Program<'_>, template: &Path) -> Result<(f64, f64)> {
    let (mut mine, mut theirs) = (Cost::default(), Cost::default());
    while mine.is_wanting() || theirs.is_wanting() {
        mine.add(ours, template)?;
        theirs.add(peer, template)?;
    }
    Ok((mine.per_run(), theirs.per_run()))
}

impl Program<'_> {
    fn command(self, template: &Path) -> Command {
        let mut command = Command::new(self.path);
        command.args(self.arguments).arg(template);
        command
    }

    fn output(self, template: &Path) -> Result<Vec<u8>> {
        Ok(self.command(template).output()?.stdout)
    }
}

#[derive(Default)]
struct Cost {
    seconds: f64,
    n_runs: u32,
}

impl Cost {
    fn is_wanting(&self) -> bool {
        self.seconds < ENOUGH && self.n_runs < MAX_RUNS
    }

    fn add(&mut self, program: Program<'_>, template: &Path) -> Result<()> {
        if !self.is_wanting() {
            return Ok(());
        }
        let run = || {
            let mut command = program.command(template);
            Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).status()?)
        };
        let (status, seconds) = cpu::measured(run)?;
        let path = program.path.display();
        ensure!(status.success(), "{path} fails on {}", template.display());
        self.seconds += seconds;
        self.n_runs += 1;
        Ok(())
    }

    fn per_run(&self) -> f64 {
        self.seconds / f64::from(self.n_runs)
    }
}
