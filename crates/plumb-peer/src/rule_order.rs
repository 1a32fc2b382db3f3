//! The order of violations in ytt's reports: a value comes before the values inside it, and the
//! rules of an annotation have a fixed order. Plumb checks rules from the leaves upward, and those
//! of an annotation in the order in which they are written.

use plumb_validation::{Cause, Constraint, Violation};
use plumb_value::DataPath;

/// Violations of a value and of the values inside it.
struct Subtree<'a> {
    document: usize,
    path: &'a DataPath,
    own: Vec<&'a Violation>,
    below: Vec<&'a Violation>,
}

/// Sorts violations as ytt does.
pub(crate) fn sorted(violations: &[Violation]) -> Vec<&Violation> {
    let mut subtrees: Vec<Subtree<'_>> = Vec::new();
    for violation in violations {
        let Violation { path, document, .. } = violation;
        let is_same = |it: &&mut Subtree<'_>| (it.document, it.path) == (*document, path);
        if let Some(last) = subtrees.last_mut().filter(is_same) {
            last.own.push(violation);
            continue;
        }
        let is_other = |it: &Subtree<'_>| it.document != *document || !is_below(it.path, path);
        let n_others = subtrees.iter().rposition(is_other).map_or(0, |it| it + 1);
        let below = subtrees.drain(n_others..).flat_map(Subtree::violations).collect();
        subtrees.push(Subtree { document: *document, path, own: vec![violation], below });
    }
    subtrees.into_iter().flat_map(Subtree::violations).collect()
}

impl<'a> Subtree<'a> {
    fn violations(mut self) -> impl Iterator<Item = &'a Violation> {
        for rules in self.own.chunk_by_mut(|one, other| one.rule == other.rule) {
            rules.sort_by_key(|it| rank(it));
        }
        self.own.into_iter().chain(self.below)
    }
}

fn is_below(path: &DataPath, above: &DataPath) -> bool {
    path.steps().len() > above.steps().len() && path.steps().starts_with(above.steps())
}

/// The position of a rule among those of its annotation. Rules that the author described come in
/// the order in which they are written, before named ones.
fn rank(violation: &Violation) -> Rank {
    match &violation.cause {
        Cause::Rule { constraint, is_described: false, .. } => match **constraint {
            Constraint::NotNull => Rank::NotNull,
            Constraint::MinLen(_) => Rank::Named(0),
            Constraint::MaxLen(_) => Rank::Named(1),
            Constraint::Min(_) => Rank::Named(2),
            Constraint::Max(_) => Rank::Named(3),
            Constraint::OneNotNull(_) => Rank::Named(4),
            Constraint::OneOf(_) => Rank::Named(5),
            _ => Rank::Unknown,
        },
        _ => Rank::Written,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    NotNull,
    Written,
    Named(u8),
    /// A rule that ytt does not have.
    Unknown,
}
