//! Inheritance of targets: from the defaults, and from the targets that they extend.

use std::collections::HashMap;

use plumb_diagnostic::{Code, Diagnostic, nearest};
use plumb_source::message;
use plumb_source::message::plain;

use crate::read::{Entry, Setting, TargetText, Text};

/// No target has this name.
///
/// `extends` and the arguments of `plumb build`, `plumb check` and `plumb test` name targets of the
/// project file. The help offers the nearest name.
pub(crate) const UNKNOWN_TARGET: Code = Code::new("project/unknown-target");

/// Targets depend on each other in a cycle.
///
/// A target cannot extend itself, directly or through others. A target that reads the output of
/// another one runs after it, so two targets cannot read each other's output.
pub(crate) const CYCLE: Code = Code::new("project/cycle");

/// The origin of a setting of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Defaults,
    /// The target itself, or one that it extends.
    Target,
}

/// All settings of each target, in the order of the targets: the defaults, those of the targets
/// that it extends, and its own. A key that is given again replaces the earlier value in its place.
/// Targets that extend an unknown target, or each other, get only the known settings.
pub(crate) fn inherit(text: &Text, findings: &mut Vec<Diagnostic>) -> Vec<Vec<(From, Entry)>> {
    let by_name: HashMap<&str, usize> =
        text.targets.iter().enumerate().map(|(at, it)| (it.name.text.as_str(), at)).collect();
    let parents: Vec<Option<usize>> =
        text.targets.iter().map(|it| parent(it, &by_name, text, findings)).collect();
    let in_circle = circles(&parents);
    report_circles(text, &parents, &in_circle, findings);
    let defaults: Vec<(From, Entry)> =
        text.defaults.iter().map(|it| (From::Defaults, it.clone())).collect();
    let mut merged: Vec<Option<Vec<(From, Entry)>>> = vec![None; text.targets.len()];
    for start in 0..text.targets.len() {
        for at in line(start, &parents, |at| in_circle[at] || merged[at].is_some()) {
            let parent = parents[at].filter(|it| !in_circle[*it]);
            let parent = parent.and_then(|it| merged[it].as_ref());
            let mut settings = parent.unwrap_or(&defaults).clone();
            add(&mut settings, &text.targets[at].entries);
            merged[at] = Some(settings);
        }
    }
    merged.into_iter().map(|it| it.expect("each target is the start of a chain")).collect()
}

fn parent(
    target: &TargetText,
    by_name: &HashMap<&str, usize>,
    text: &Text,
    findings: &mut Vec<Diagnostic>,
) -> Option<usize> {
    let parent = target.entries.iter().find_map(|it| match &it.setting {
        Setting::Extends(parent) => Some(parent),
        _ => None,
    })?;
    let found = by_name.get(parent.text.as_str()).copied();
    if found.is_none() {
        let names = text.targets.iter().map(|it| it.name.text.as_str());
        findings.push(unknown_target(&parent.text, names).at(parent.place, ""));
    }
    found
}

/// A finding about a name that no target has.
pub(crate) fn unknown_target<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let finding =
        Diagnostic::error(UNKNOWN_TARGET, message!("there is no target `{}`", plain(name)));
    match nearest(name, names.clone()) {
        Some(near) => finding.help(message!("did you mean `{}`?", plain(near))),
        None => {
            let names: Vec<&str> = names.take(10).collect();
            finding.help(message!("targets are {}", plain(names.join(", "))))
        }
    }
}

/// Whether each target extends itself, directly or through others.
fn circles(parents: &[Option<usize>]) -> Vec<bool> {
    // Targets are visited from each start until one is reached again. It is in a cycle if it was
    // first reached from the same start.
    let mut met_from: Vec<Option<usize>> = vec![None; parents.len()];
    let mut in_circle = vec![false; parents.len()];
    for start in 0..parents.len() {
        let mut here = Some(start);
        while let Some(at) = here {
            match met_from[at] {
                None => met_from[at] = Some(start),
                Some(from) if from == start && !in_circle[at] => in_circle[at] = true,
                Some(_) => break,
            }
            here = parents[at];
        }
    }
    in_circle
}

/// Reports each cycle once, at the first of its targets.
fn report_circles(
    text: &Text,
    parents: &[Option<usize>],
    in_circle: &[bool],
    findings: &mut Vec<Diagnostic>,
) {
    let mut reported = vec![false; parents.len()];
    for start in 0..parents.len() {
        if !in_circle[start] || reported[start] {
            continue;
        }
        let mut names = Vec::new();
        let mut here = start;
        while !reported[here] {
            reported[here] = true;
            names.push(text.targets[here].name.text.as_str());
            here = parents[here].expect("a target in a cycle has a parent");
        }
        names.push(text.targets[start].name.text.as_str());
        let message =
            message!("targets extend each other in a cycle: {}", plain(names.join(" → ")));
        let place = text.targets[start].name.place;
        findings.push(Diagnostic::error(CYCLE, message).at(place, ""));
    }
}

/// A target and those that it extends, the outermost first, up to one that is left out.
fn line(
    start: usize,
    parents: &[Option<usize>],
    is_left_out: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let parent = |&at: &usize| parents[at].filter(|it| !is_left_out(*it));
    let mut line: Vec<usize> = std::iter::successors(Some(start), parent).collect();
    line.reverse();
    line
}

/// Adds the settings of a target to those that it inherits.
fn add(settings: &mut Vec<(From, Entry)>, entries: &[Entry]) {
    for entry in entries.iter().filter(|it| !matches!(it.setting, Setting::Extends(_))) {
        let key = entry.setting.key();
        let entry = (From::Target, entry.clone());
        match settings.iter_mut().find(|(_, it)| it.setting.key() == key) {
            Some(earlier) => *earlier = entry,
            None => settings.push(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_targets_of_a_circle_are_in_it() {
        // 0 → 1 → 2 → 1, 3 → 3, 4
        let parents = [Some(1), Some(2), Some(1), Some(3), None];
        assert_eq!(circles(&parents), [false, true, true, true, false]);
        let in_circle = circles(&parents);
        assert_eq!(line(0, &parents, |at| in_circle[at]), [0]);
    }
}
