//! The order in which targets must run, and conflicts between their output directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message;
use plumb_source::message::plain;

use crate::Target;
use crate::inherit::CYCLE;
use crate::paths::{Base, Common};
use crate::read::WRONG_VALUE;
use plumb::world::Occupant;

/// Two targets write to the same directory, or one writes inside the directory of the other.
///
/// Each would replace or delete files of the other one. Give each target a separate directory, such
/// as `out/staging` and `out/prod`.
pub(crate) const SHARED_OUTPUT: Code = Code::new("project/shared-output");

/// For each target, the targets whose output it reads.
#[derive(Debug, Default)]
pub(crate) struct Order {
    pub(crate) after: Vec<Vec<usize>>,
}

/// Finds the order of targets. Mistakes are added to `findings`.
pub(crate) fn order(targets: &[Target], base: &Base, findings: &mut Vec<Diagnostic>) -> Order {
    let outputs = targets.iter().filter_map(|it| Some(it.output()?.directory.as_path()));
    let reads = targets.iter().flat_map(|it| it.reads.iter().map(|read| read.path.as_path()));
    let common = Common::of(outputs.chain(reads).chain([base.directory()]));
    check_outputs(targets, base, &common, findings);
    let outputs = Outputs::of(targets, &common);
    let after: Vec<Vec<usize>> = (0..targets.len())
        .map(|at| {
            let read = targets[at]
                .reads
                .iter()
                .flat_map(|read| outputs.overlapping(&common.path(&read.path)));
            let others: BTreeSet<usize> = read.filter(|&other| other != at).collect();
            others.into_iter().collect()
        })
        .collect();
    if let Some(circle) = circle(&after) {
        let mut names: Vec<&str> = circle.iter().map(|&at| targets[at].name.as_str()).collect();
        names.push(names[0]);
        let message =
            message!("targets read each other's output in a cycle: {}", plain(names.join(" → ")));
        let finding = Diagnostic::error(CYCLE, message).at(targets[circle[0]].place, "");
        findings.push(
            finding.help("a target reads another target's output if it reads a path in that output directory, or a directory that contains it"),
        );
    }
    Order { after }
}

fn check_outputs(targets: &[Target], base: &Base, common: &Common, findings: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(&Target, PathBuf)> = Vec::new();
    // Sorted by path, a directory is followed by what is inside it.
    let mut outputs: Vec<(&Target, &crate::Output, PathBuf)> = targets
        .iter()
        .filter_map(|it| Some((it, it.output()?)))
        .map(|(target, output)| (target, output, common.path(&output.directory)))
        .collect();
    outputs.sort_by(|left, right| left.2.cmp(&right.2));
    let project = common.path(base.directory());
    for (target, output, directory) in outputs {
        while seen.last().is_some_and(|(_, outer)| !directory.starts_with(outer)) {
            seen.pop();
        }
        if let Some((other, outer)) = seen.last() {
            let message = if *outer == directory {
                message!(
                    "the targets `{}` and `{}` write to the same directory",
                    plain(&other.name),
                    plain(&target.name)
                )
            } else {
                message!(
                    "the target `{}` writes inside the directory of `{}`",
                    plain(&target.name),
                    plain(&other.name)
                )
            };
            let label = message!("the directory of `{}`", plain(&other.name));
            let place =
                other.output().and_then(|it| it.place).filter(|it| Some(*it) != output.place);
            let finding = Diagnostic::error(SHARED_OUTPUT, message).at(output.place, "");
            let finding = finding.at(place, label);
            findings.push(finding.help("give each target a separate directory"));
        }
        if output.occupant == Occupant::Removed && project.starts_with(&directory) {
            let message = "a directory that is emptied must not contain the project file";
            let finding = Diagnostic::error(WRONG_VALUE, message).at(output.place, "");
            findings.push(finding.help("choose a directory that contains only output"));
        }
        seen.push((target, directory));
    }
}

/// The indices of targets by their output directories, as [`Common`] has them.
struct Outputs(BTreeMap<PathBuf, Vec<usize>>);

impl Outputs {
    fn of(targets: &[Target], common: &Common) -> Self {
        let mut outputs: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
        for (at, target) in targets.iter().enumerate() {
            if let Some(output) = target.output() {
                outputs.entry(common.path(&output.directory)).or_default().push(at);
            }
        }
        Self(outputs)
    }

    /// The targets whose output directory is a path, contains it, or is inside it.
    fn overlapping(&self, path: &Path) -> Vec<usize> {
        let around = path.ancestors().skip(1).filter_map(|it| self.0.get(it));
        // In the order of paths, a directory is followed by what is inside it.
        let rest = self.0.range(path.to_owned()..);
        let inside = rest.take_while(|(it, _)| it.starts_with(path)).map(|(_, targets)| targets);
        around.chain(inside).flatten().copied().collect()
    }
}

/// Finds targets that wait for each other: each one reads the output of the next one. Returns
/// `None` if there is no such cycle.
fn circle(after: &[Vec<usize>]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        UnderWay,
        Done,
    }
    let mut states = vec![State::New; after.len()];
    for start in 0..after.len() {
        // The path from the start to the current target, with the position of the next one to
        // follow.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if states[start] == State::New {
            states[start] = State::UnderWay;
            path.push((start, 0));
        }
        while let Some((at, next)) = path.last_mut() {
            let Some(&other) = after[*at].get(*next) else {
                states[*at] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match states[other] {
                State::New => {
                    states[other] = State::UnderWay;
                    path.push((other, 0));
                }
                State::UnderWay => {
                    let from = path.iter().position(|(it, _)| *it == other).unwrap_or(0);
                    return Some(path[from..].iter().map(|(it, _)| *it).collect());
                }
                State::Done => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_wherever_it_begins() {
        assert_eq!(circle(&[vec![1], vec![2], vec![]]), None);
        assert_eq!(circle(&[vec![1], vec![2], vec![1]]), Some(vec![1, 2]));
        assert_eq!(circle(&[vec![0]]), Some(vec![0]));
    }

    #[test]
    fn outputs_are_found_from_inside_and_outside() {
        let directories = ["out/a", "out/a/b", "out/ab", ".", "../out", "/srv/out"];
        let check = |path: &str, expected: &[&str]| {
            let common = Common::of(directories.iter().chain([&path]).map(Path::new));
            let all = directories.iter().enumerate();
            let outputs = all.map(|(at, it)| (common.path(Path::new(it)), vec![at]));
            let found: BTreeSet<usize> = BTreeSet::from_iter(
                Outputs(outputs.collect()).overlapping(&common.path(Path::new(path))),
            );
            let found: Vec<&str> = found.into_iter().map(|at| directories[at]).collect();
            assert_eq!(found, expected, "{path}");
        };
        check("out", &["out/a", "out/a/b", "out/ab", "."]);
        check("out/a/b/c.yml", &["out/a", "out/a/b", "."]);
        check("out/abc", &["."]);
        check("./.", &["out/a", "out/a/b", "out/ab", "."]);
        check("..", &["out/a", "out/a/b", "out/ab", ".", "../out"]);
        check("../out/x", &["../out"]);
        check("../../out", &[]);
        check("../..", &["out/a", "out/a/b", "out/ab", ".", "../out"]);
        check("/srv", &["/srv/out"]);
        check("/", &["/srv/out"]);
        check("x", &["."]);
    }
}
