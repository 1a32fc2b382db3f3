//! Which targets must run before others, and which cannot exist side by side.

use std::path::{Component, Path};

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::lexical;
use plumb_source::message;
use plumb_source::message::plain;

use crate::Target;
use crate::inherit::CYCLE;
use crate::paths::{Base, overlap};
use crate::read::WRONG_VALUE;
use plumb::world::Occupant;

/// Two targets write to the same directory, or one writes inside the directory of the other.
///
/// Each would replace or delete files of the other one. Give each target a directory of its own,
/// such as `out/staging` and `out/prod`.
pub(crate) const SHARED_OUTPUT: Code = Code::new("project/shared-output");

/// For each target, the targets whose output it reads.
#[derive(Debug, Default)]
pub(crate) struct Order {
    pub(crate) after: Vec<Vec<usize>>,
}

/// Finds the order of targets. Mistakes are added to `findings`.
pub(crate) fn order(targets: &[Target], base: &Base, findings: &mut Vec<Diagnostic>) -> Order {
    check_outputs(targets, base, findings);
    let after: Vec<Vec<usize>> = targets.iter().map(|it| read_from(it, targets)).collect();
    if let Some(circle) = circle(&after) {
        let mut names: Vec<&str> = circle.iter().map(|&at| targets[at].name.as_str()).collect();
        names.push(names[0]);
        let message =
            message!("targets read each other's output in a circle: {}", plain(names.join(" → ")));
        let finding = Diagnostic::error(CYCLE, message).at(targets[circle[0]].place, "");
        findings.push(
            finding.help("a target reads what another one writes if one path is inside the other"),
        );
    }
    Order { after }
}

fn check_outputs(targets: &[Target], base: &Base, findings: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(&Target, &Path)> = Vec::new();
    // Sorted by path, a directory is followed by what is inside it.
    let mut outputs: Vec<(&Target, &crate::Output)> =
        targets.iter().filter_map(|it| Some((it, it.output()?))).collect();
    outputs.sort_by(|left, right| left.1.directory.cmp(&right.1.directory));
    for (target, output) in outputs {
        let directory = output.directory.as_path();
        while seen.last().is_some_and(|(_, outer)| !overlap(outer, directory)) {
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
            findings.push(finding.help("give each target a directory of its own"));
        }
        if output.occupant == Occupant::Removed && contains(directory, base) {
            let message = "a directory that is emptied must not contain the project file";
            let finding = Diagnostic::error(WRONG_VALUE, message).at(output.place, "");
            findings.push(finding.help("name a directory that contains only output"));
        }
        seen.push((target, directory));
    }
}

/// Whether a directory contains the project file, directly or in a subdirectory. Both paths must be
/// relative to the working directory, or absolute.
fn contains(directory: &Path, base: &Base) -> bool {
    let project = lexical::clean(base.directory());
    let n_up = |it: &Path| it.components().filter(|it| *it == Component::ParentDir).count();
    let is_up = |it: &Path| {
        it.components().all(|it| matches!(it, Component::ParentDir | Component::CurDir))
    };
    // Going up from the working directory leads to what contains everything on the way.
    project.strip_prefix(directory).is_ok_and(|rest| n_up(rest) == 0)
        || is_up(directory) && project.is_relative() && n_up(directory) >= n_up(&project)
}

/// The targets whose output a target reads.
fn read_from(target: &Target, targets: &[Target]) -> Vec<usize> {
    let is_read = |other: &Target| {
        let output = other.output().filter(|_| other.name != target.name);
        output.is_some_and(|it| target.reads.iter().any(|read| overlap(&read.path, &it.directory)))
    };
    (0..targets.len()).filter(|&at| is_read(&targets[at])).collect()
}

/// Targets that wait for each other: each one reads what the next one writes. Returns `None` if
/// there is no such circle.
fn circle(after: &[Vec<usize>]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        UnderWay,
        Done,
    }
    let mut states = vec![State::New; after.len()];
    for start in 0..after.len() {
        // The path from the start to the target that is looked at, with the next one to follow.
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
    fn a_directory_that_contains_the_project_is_known() {
        let contains = |directory: &str, file: &str| {
            contains(&lexical::clean(Path::new(directory)), &Base::of_file(Path::new(file)))
        };
        assert!(contains(".", "plumb.yml"));
        assert!(contains("..", "plumb.yml"));
        assert!(contains("..", "../plumb.yml"));
        assert!(contains("../..", "../plumb.yml"));
        assert!(!contains("out", "plumb.yml"));
        assert!(!contains("../out", "../plumb.yml"));
        assert!(!contains("..", "../../plumb.yml"));
    }
}
