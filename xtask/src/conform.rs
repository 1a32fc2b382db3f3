//! `cargo xtask conform`: replays the conformance corpora next to the repository and compares the
//! counts with the ratchet, `conformance.toml`, which a change may only raise.
//!
//! The corpus of ytt was recorded from 0.48. Cases in which ytt 0.55 has a different output are
//! listed in the ratchet, and are not counted.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::target_directory;

const RATCHET: &str = "conformance.toml";

/// The key of the cases that ytt 0.55 changed.
const CHANGED: &str = "changed-in-0-55";

/// The numbers of passed cases by suite, in the three modes of the replay tool. Each mode includes
/// the one before.
type Counts = BTreeMap<String, [u64; 3]>;

/// The content of `conformance.toml`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ratchet {
    /// Cases that are not counted, because ytt has changed since they were recorded.
    changed: Vec<String>,
    counts: Counts,
}

/// The corpora, and the program that each is replayed against.
const CORPORA: [(&str, &str); 3] = [("ytt", "ytt"), ("ytt-crashes", "ytt"), ("jk", "jk")];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let update = arguments.iter().any(|it| it == "--update");
    let shared = root.join("../shared");
    if !shared.join("tools/conform").exists() {
        println!("conform: no ../shared beside the repository, skipped");
        return Ok(());
    }
    let path = root.join(RATCHET);
    let Ratchet { changed, counts: recorded } =
        parse(&std::fs::read_to_string(&path).unwrap_or_default())?;
    let mut counts = Counts::new();
    for (corpus, program) in CORPORA {
        replay(&shared, corpus, program, &changed, &mut counts)?;
    }
    let machines = machines(&shared)?;
    let fallen = fallen(&recorded, &counts);
    let total = |mode: usize| counts.values().map(|it| it[mode]).sum::<u64>();
    println!("conform: {} stdout, {} error, {} exact", total(0), total(1), total(2));
    println!("conform: {} cases that ytt 0.55 changed are not counted", changed.len());
    println!("conform-vm: {machines}");
    ensure!(fallen.is_empty(), "below the ratchet ({RATCHET}):\n{}", fallen.join("\n"));
    if update {
        std::fs::write(&path, print(&Ratchet { changed, counts }))
            .context("writing the ratchet")?;
    }
    Ok(())
}

/// Replays the corpus of virtual machines, all of which must pass; returns the tool's summary.
fn machines(shared: &Path) -> Result<String> {
    let output = Command::new("python3")
        .arg(shared.join("tools/conform-vm"))
        .arg("--bin")
        .arg(target_directory()?.join("release/plumb"))
        .arg("--failures")
        .output()
        .context("running the replay tool of machines (it needs python3)")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "virtual machines have other verdicts than expected:\n{text}");
    Ok(text.lines().last().unwrap_or_default().to_owned())
}

fn replay(
    shared: &Path,
    corpus: &str,
    program: &str,
    changed: &[String],
    counts: &mut Counts,
) -> Result<()> {
    let target = target_directory()?;
    let binary = target.join("release").join(program);
    ensure!(binary.exists(), "no {}: run `cargo build --release` first", binary.display());
    let results = target.join(format!("conform-{corpus}.json"));
    let output = Command::new("python3")
        .arg(shared.join("tools/conform"))
        .args(["run", "--mode", "exact", "--bin"])
        .arg(&binary)
        .arg("--corpus")
        .arg(shared.join("conformance").join(corpus))
        .arg("--json")
        .arg(&results)
        .output()
        .context("running the replay tool (it needs python3)")?;
    let text = std::fs::read_to_string(&results).with_context(|| {
        format!("the replay tool wrote nothing:\n{}", String::from_utf8_lossy(&output.stderr))
    })?;
    let cases: serde_json::Value = serde_json::from_str(&text)?;
    for case in cases.as_array().context("a list of cases")? {
        let id = case["id"].as_str().context("an id")?;
        if changed.iter().any(|it| it == id) {
            continue;
        }
        let suite = id.split('/').next().context("an id with a suite")?;
        let row = counts.entry(suite.to_owned()).or_default();
        for (mode, count) in ["stdout", "error", "exact"].iter().zip(row) {
            *count += u64::from(case[*mode].as_bool() == Some(true));
        }
    }
    Ok(())
}

fn parse(text: &str) -> Result<Ratchet> {
    let table: toml::Table = text.parse().with_context(|| format!("reading {RATCHET}"))?;
    let mut ratchet = Ratchet::default();
    for (suite, row) in table {
        if suite == CHANGED {
            let names =
                row.as_array().with_context(|| format!("{RATCHET}: {CHANGED} is a list"))?;
            ratchet.changed =
                names.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
            continue;
        }
        let Some([stdout, error, exact]) = row.as_array().map(Vec::as_slice) else {
            bail!("{RATCHET}: {suite} is not a row of three counts");
        };
        let count = |value: &toml::Value| value.as_integer().and_then(|it| u64::try_from(it).ok());
        let row = [count(stdout), count(error), count(exact)].map(Option::unwrap_or_default);
        ratchet.counts.insert(suite, row);
    }
    Ok(ratchet)
}

fn print(ratchet: &Ratchet) -> String {
    let names: Vec<String> = ratchet.changed.iter().map(|it| format!("    \"{it}\",\n")).collect();
    let names = names.concat();
    let header = format!(
        "# Cases that ytt 0.55 changed since they were recorded from 0.48. They are not counted.\n\
         {CHANGED} = [\n{names}]\n\n\
         # Cases passed by suite: [stdout, error, exact]. A change may only raise a count.\n"
    );
    let rows =
        ratchet.counts.iter().map(|(suite, [a, b, c])| format!("{suite} = [{a}, {b}, {c}]\n"));
    header + &rows.collect::<String>()
}

fn fallen(recorded: &Counts, counts: &Counts) -> Vec<String> {
    let below = recorded.iter().filter_map(|(suite, recorded)| {
        let now = counts.get(suite).copied().unwrap_or_default();
        let fell = recorded.iter().zip(now).any(|(recorded, now)| now < *recorded);
        fell.then(|| format!("  {suite}: {now:?}, recorded {recorded:?}"))
    });
    below.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_falls_in_any_mode_is_named() {
        let recorded = parse("cli = [3, 2, 2]\nfmt = [5, 5, 5]\n").expect("a ratchet");
        let now = parse("cli = [3, 3, 1]\nfmt = [6, 5, 5]\n").expect("a ratchet");
        let (recorded, now) = (recorded.counts, now.counts);
        assert_eq!(fallen(&recorded, &now), ["  cli: [3, 3, 1], recorded [3, 2, 2]"]);
        assert_eq!(fallen(&recorded, &recorded), Vec::<String>::new());
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let counts = Counts::from([("cli".to_owned(), [3, 2, 1])]);
        let changed = vec!["cli/version".to_owned(), "fmt/comment".to_owned()];
        let ratchet = Ratchet { changed, counts };
        assert_eq!(parse(&print(&ratchet)).expect("a ratchet"), ratchet);
    }
}
