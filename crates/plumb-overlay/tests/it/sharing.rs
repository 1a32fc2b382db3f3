//! Unchanged parts are not copied.

use std::sync::Arc;

use plumb_overlay::apply_to_documents;
use plumb_source::Sources;
use plumb_value::{Document, Node};

use crate::expression::Names;
use crate::notation::documents;

fn read(sources: &Sources, text: &str) -> Vec<Document> {
    documents(sources, "t.yml", text, &Names::new())
}

fn is_shared(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Map(left), Node::Map(right)) => Arc::ptr_eq(left, right),
        (Node::Array(left), Node::Array(right)) => Arc::ptr_eq(left, right),
        _ => panic!("two collections of a kind"),
    }
}

fn get<'a>(node: &'a Node, path: &[&str]) -> &'a Node {
    path.iter().fold(node, |node, key| {
        node.as_map().and_then(|map| map.get_str(key)).expect("there is such a key")
    })
}

#[test]
fn documents_and_subtrees_that_are_not_touched_are_shared() {
    let sources = Sources::new();
    let left = read(&sources, "a: {b: {x: 1}, c: {y: 1}}\n---\nd: {e: 1}");
    let right = read(&sources, "#@overlay/match by=overlay.index(0)\n---\na:\n  b:\n    x: 2");
    let sets = apply_to_documents(vec![left.clone()], &right, &sources, &mut Vec::new())
        .expect("an overlay");
    let result: Vec<Document> = sets.into_iter().flatten().collect();
    assert!(!is_shared(&result[0].node, &left[0].node));
    assert!(!is_shared(get(&result[0].node, &["a", "b"]), get(&left[0].node, &["a", "b"])));
    assert!(is_shared(get(&result[0].node, &["a", "c"]), get(&left[0].node, &["a", "c"])));
    assert!(is_shared(&result[1].node, &left[1].node));
}

#[test]
fn an_empty_overlay_leaves_even_the_root_shared() {
    let sources = Sources::new();
    let mut left = read(&sources, "a: {b: 1}");
    let right = read(&sources, "---\na: {}");
    let left = left.remove(0);
    let empty = read(&sources, "{}");
    let same = crate::outcome::merged(left.clone(), &empty[0], &sources, &mut Vec::new());
    assert!(is_shared(&same.expect("a merge").node, &left.node));
    let result = crate::outcome::merged(left.clone(), &right[0], &sources, &mut Vec::new());
    let result = result.expect("a merge");
    assert!(is_shared(get(&result.node, &["a"]), get(&left.node, &["a"])));
}

#[test]
fn what_is_added_is_shared_with_the_overlay() {
    let sources = Sources::new();
    let left = read(&sources, "a: 1\n---\na: 2");
    let right = read(
        &sources,
        "#@overlay/match by=overlay.all, expects=2\n---\n#@overlay/match missing_ok=True\n\
         plain: {x: 1}\n#@overlay/match missing_ok=True\nannotated:\n  #@overlay/remove\n  x: 1",
    );
    let sets =
        apply_to_documents(vec![left], &right, &sources, &mut Vec::new()).expect("an overlay");
    let [first, second] = &sets[0][..] else { panic!("two documents") };
    assert!(is_shared(get(&first.node, &["plain"]), get(&right[0].node, &["plain"])));
    // It was copied once to remove the annotation, not once for each document.
    assert!(is_shared(get(&first.node, &["annotated"]), get(&second.node, &["annotated"])));
    assert!(!is_shared(get(&first.node, &["annotated"]), get(&right[0].node, &["annotated"])));
}
