//! The places of items and collections.

use plumb_value::Node;

use super::{check_outline, read};

#[test]
fn items_are_on_the_line_of_their_key_or_dash() {
    check_outline("a:\n  b:\n  -\n    c", "doc@1 a@1 b@2 -@3");
    check_outline("? a\n: b", "doc@1 a@1");
    check_outline("?\n  a\n: b", "doc@1 a@2");
    check_outline("&x\na: 1", "doc@1 a@2");
    check_outline("k: &x\n  a: 1", "doc@1 k@1 a@2");
}

#[test]
fn items_of_flow_lists_are_on_the_line_of_the_token_before_them() {
    check_outline("a: [\n  1,\n  2\n]", "doc@1 a@1 -@1 -@2");
    check_outline("[a: 1,\n b: 2]", "doc@1 -@1 a@1 -@1 b@2");
}

#[test]
fn a_document_is_at_its_marker_or_its_first_directive() {
    check_outline("a\n---\nb\n...\n%YAML 1.1\n---\nc", "doc@1 doc@2 doc@5");
    check_outline("\n\n--- a", "doc@3");
}

#[test]
fn an_item_spans_its_scalar_on_the_same_line() {
    let text = "a: b\nc:\n- 1\n- d: 'e'\n";
    let documents = read(text).expect("this is well-formed");
    let mut spans = Vec::new();
    collect(&documents[0].node, &mut |span| spans.push(&text[span]));
    assert_eq!(spans, ["a: b", "c", "- 1", "-", "d: 'e'"]);
}

#[test]
fn a_collection_is_where_its_parent_is() {
    let documents = read("a:\n  b: 1").expect("this is well-formed");
    let map = documents[0].node.as_map().expect("a map");
    assert_eq!(map.origin, documents[0].origin);
    let item = &map.items()[0];
    assert_eq!(item.node.as_map().expect("a map").origin, item.origin);
}

fn collect(node: &Node, see: &mut impl FnMut(std::ops::Range<usize>)) {
    let mut item = |origin: plumb_source::Origin, node: &Node| {
        let span = origin.span().expect("what was read has a place");
        see(span.start as usize..span.end as usize);
        collect(node, see);
    };
    match node {
        Node::Map(map) => map.items().iter().for_each(|it| item(it.origin, &it.node)),
        Node::Array(array) => array.items.iter().for_each(|it| item(it.origin, &it.node)),
        _ => {}
    }
}
