//! Runs the templates of `bench/language` with both programs, in alternation.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use super::cpu;

/// Each program runs until it has used this much CPU time: shorter times are measured too coarsely.
const ENOUGH: f64 = 1.0;
const MAX_RUNS: u32 = 100;

/// A table of CPU seconds per run.
pub(super) fn table(root: &Path, ours: &Path, peer: &Path) -> Result<String> {
    let mut templates: Vec<PathBuf> = fs::read_dir(root.join("bench/language"))?
        .map(|it| Ok(it?.path()))
        .collect::<Result<_>>()?;
    templates.sort();
    let mut out =
        format!("{:<14}{:>10}{:>10}{:>8}  same\n", "template", "ours s", "peer s", "ratio");
    for template in templates {
        let name = template.file_stem().unwrap_or_default().to_string_lossy();
        let is_same = output(ours, &template)? == output(peer, &template)?;
        let (mut mine, mut theirs) = (Cost::default(), Cost::default());
        while mine.is_wanting() || theirs.is_wanting() {
            mine.add(ours, &template)?;
            theirs.add(peer, &template)?;
        }
        let (mine, theirs) = (mine.per_run(), theirs.per_run());
        let same = if is_same { "yes" } else { "NO" };
        writeln!(out, "{name:<14}{mine:>10.4}{theirs:>10.4}{:>8.1}  {same}", theirs / mine)?;
    }
    Ok(out)
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

    fn add(&mut self, program: &Path, template: &Path) -> Result<()> {
        if !self.is_wanting() {
            return Ok(());
        }
        let run = || {
            let mut command = Command::new(program);
            Ok(command.arg("-f").arg(template).stdout(Stdio::null()).status()?)
        };
        let (status, seconds) = cpu::measured(run)?;
        ensure!(status.success(), "{} fails on {}", program.display(), template.display());
        self.seconds += seconds;
        self.n_runs += 1;
        Ok(())
    }

    fn per_run(&self) -> f64 {
        self.seconds / f64::from(self.n_runs)
    }
}

fn output(program: &Path, template: &Path) -> Result<Vec<u8>> {
    Ok(Command::new(program).arg("-f").arg(template).output()?.stdout)
}
