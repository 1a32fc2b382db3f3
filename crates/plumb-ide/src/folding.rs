//! The parts of a file that can be folded: blocks of code, and YAML with lines below it.

use plumb_value::Node;

use crate::file::File;

/// Lines that can be folded, counted from 0. The first line stays visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    pub first: u32,
    pub last: u32,
}

pub(crate) fn folds(file: &File) -> Vec<Fold> {
    let mut folds = Vec::new();
    for block in &file.outline.code.blocks {
        if block.file == file.id {
            add(&mut folds, file.line(block.start), file.line(block.end).saturating_sub(1));
        }
    }
    for document in &file.documents {
        add_below(file, &document.node, &mut folds);
    }
    folds.sort();
    folds.dedup();
    folds
}

fn add(folds: &mut Vec<Fold>, first: u32, last: u32) {
    if first < last {
        folds.push(Fold { first, last });
    }
}

/// Adds the collections of a node. Returns the last line of its contents.
fn add_below(file: &File, node: &Node, folds: &mut Vec<Fold>) -> Option<u32> {
    let items: Vec<_> = match node {
        Node::Map(map) => map.items().iter().map(|it| (it.origin, &it.node)).collect(),
        Node::Array(array) => array.items.iter().map(|it| (it.origin, &it.node)).collect(),
        _ => return None,
    };
    let mut last = None;
    for (origin, node) in items {
        let Some(span) = origin.span().filter(|it| it.file == file.id) else { continue };
        let first = file.line(span.start);
        let inner = add_below(file, node, folds);
        let end = inner.unwrap_or_else(|| file.line(span.end)).max(first);
        if inner.is_some() {
            add(folds, first, end);
        }
        last = last.max(Some(end));
    }
    last
}
