//! Runs an overlay. Levels are on an explicit stack, so that documents may be nested deeper than
//! the call stack allows, and a finding can be reported with its parent items.
//!
//! An item with a mistake is left out, and the run continues with the next one: all mistakes are
//! reported together.

use plumb_diagnostic::{Diagnostic, Facts, Failures, Label, Literals};
use plumb_source::{Message, Origin, Sources, Span};
use plumb_value::Meta;

use crate::finding::FUNCTION_FAILED;
use crate::item::Item;
use crate::left::Left;
use crate::level::{Level, Nested, Run};

/// Applies all items of the right side to the left side. Returns the result without the items that
/// have a mistake.
pub(crate) fn run<'r, L: Left>(
    mut root: Level<'r, L>,
    run: &mut Run<'r, '_>,
    failures: &mut Failures,
) -> L {
    let mut nested: Vec<Nested<'r>> = Vec::new();
    loop {
        let step = match nested.last_mut() {
            Some(top) => top.advance(run),
            None => root.advance(run),
        };
        let finding = match step {
            Ok(Some(level)) => {
                nested.push(level);
                continue;
            }
            Ok(None) => match nested.pop() {
                Some(done) => {
                    put_back(&mut root, &mut nested, done);
                    continue;
                }
                None => return root.left,
            },
            Err(finding) => finding,
        };
        // A function that fails for one item may fail for all, each time after many steps.
        let is_last = finding.code == FUNCTION_FAILED;
        // An item may be applied to many nodes: a mistake in it is reported once.
        let item = nested.last().map_or_else(|| address(root.under_way()), Nested::address);
        if run.reported.insert((item, finding.code)) {
            let activities =
                if failures.is_empty() { under_way(&root, &nested) } else { Vec::new() };
            let mut finding = reported(*finding, activities, origin(&root, &nested));
            finding.reveal_literals(run.sources);
            let annotations = annotations(&root, &nested);
            finding.reveal_literals_near(annotations.iter().copied(), run.sources);
            reveal_counts(&mut finding.message, &annotations, run.sources);
            failures.add(finding.into());
        }
        if is_last {
            while let Some(done) = nested.pop() {
                put_back(&mut root, &mut nested, done);
            }
            return root.left;
        }
    }
}

fn put_back<'r, L: Left>(root: &mut Level<'r, L>, nested: &mut [Nested<'r>], done: Nested<'r>) {
    match nested.last_mut() {
        Some(parent) => parent.put_back(done.close()),
        None => root.put_back(done.close()),
    }
}

/// The items that the overlay is merging, outermost first.
fn under_way<'r, L: Left>(root: &Level<'r, L>, nested: &[Nested<'r>]) -> Vec<Facts> {
    let outermost = root.under_way().map(Item::merging);
    let inner = nested.iter().filter_map(Nested::merging);
    outermost.into_iter().chain(inner).map(Facts::new).collect()
}

/// Returns the origin of the innermost of these items.
fn origin<'r, L: Left>(root: &Level<'r, L>, nested: &[Nested<'r>]) -> Origin {
    match nested.last() {
        Some(level) => level.origin(),
        None => root.under_way().map_or(Origin::Unknown, Item::origin),
    }
}

/// Returns the places of the annotations of all these items: an item inherits some annotations of
/// its parents.
fn annotations<'r, L: Left>(root: &Level<'r, L>, nested: &[Nested<'r>]) -> Vec<Span> {
    let outermost = root.under_way().map(Item::meta);
    let metas = outermost.into_iter().chain(nested.iter().filter_map(Nested::meta));
    metas.flat_map(Meta::annotations).filter_map(|it| it.span).collect()
}

/// Reveals numbers that were written in the form `"3+"`.
fn reveal_counts(message: &mut Message, annotations: &[Span], sources: &Sources) {
    for &span in annotations {
        if !message.has_values() {
            return;
        }
        let literals = Literals::near(span, sources);
        message.reveal(|number| literals.has(&format!("{number}+")));
    }
}

fn reported(mut finding: Diagnostic, activities: Vec<Facts>, origin: Origin) -> Diagnostic {
    finding.activities.splice(0..0, activities);
    if let Some(span) = origin.span() {
        finding.labels.insert(0, Label { span, message: Message::new() });
    }
    finding
}

/// Returns an address that identifies an item of the right side.
pub(crate) fn address<I>(item: Option<&I>) -> *const () {
    item.map_or(std::ptr::null(), |it| std::ptr::from_ref(it).cast())
}
