//! The run of an overlay: levels on a stack of our own, so that documents may nest deeper than the
//! call stack, and what is wrong can be told with the items that lead to it.

use plumb_diagnostic::{Diagnostic, Failure, Label};
use plumb_source::{Origin, Sources};

use crate::item::Item;
use crate::left::Left;
use crate::level::{Level, Nested, Run};

/// Lays all items of the right side over the left side.
pub(crate) fn run<'r, L: Left>(
    mut root: Level<'r, L>,
    run: &mut Run<'r, '_>,
) -> Result<L, Failure> {
    let mut nested: Vec<Nested<'r>> = Vec::new();
    loop {
        let step = match nested.last_mut() {
            Some(top) => top.advance(run),
            None => root.advance(run),
        };
        match step {
            Ok(Some(level)) => nested.push(level),
            Ok(None) => match nested.pop() {
                Some(done) => match nested.last_mut() {
                    Some(parent) => parent.put_back(done.close()),
                    None => root.put_back(done.close()),
                },
                None => return Ok(root.left),
            },
            Err(problem) => return Err(reported(*problem, &root, &nested, run.sources)),
        }
    }
}

/// Says which items the overlay was at, outermost first, and points to the innermost.
fn reported<'r, L: Left>(
    mut problem: Diagnostic,
    root: &Level<'r, L>,
    nested: &[Nested<'r>],
    sources: &Sources,
) -> Failure {
    let outermost = root.under_way().map(|it| it.describe(sources));
    let inner = nested.iter().filter_map(|it| it.describe(sources));
    let path: Vec<String> = outermost.into_iter().chain(inner).collect();
    problem.context.splice(0..0, path);
    let origin = match nested.last() {
        Some(level) => level.origin(),
        None => root.under_way().map_or(Origin::Unknown, Item::origin),
    };
    if let Some(span) = origin.span() {
        problem.labels.insert(0, Label { span, message: String::new() });
    }
    Failure::from(problem)
}
