//! JSON: escapes, order, indentation, and values that it cannot express.

use plumb_source::{Origin, Text};
use plumb_value::Node::Int;
use plumb_value::{Document, Node, NodeKind};

use super::{array_of, keyed, map_of};
use crate::print::json::{self, JsonError, JsonStyle};

fn print(node: &Node, style: JsonStyle) -> String {
    let mut out = Vec::new();
    json::node(node, style, &mut out).expect("JSON can hold the node");
    String::from_utf8(out).expect("JSON is UTF-8")
}

fn compact(node: &Node) -> String {
    print(node, JsonStyle::default())
}

#[test]
fn keys_are_sorted_by_their_bytes() {
    let node = map_of([
        ("b", map_of([("z", Node::Null), ("y", Node::Bool(true))])),
        ("é", Int(1)),
        ("B", array_of([Int(1), Node::Float(1.5), map_of([])])),
        ("", array_of([])),
        ("b", map_of([("z", Node::UInt(u64::MAX)), ("y", Node::Bool(false))])),
    ]);
    let expected = r#"{"":[],"B":[1,1.5,{}],"b":{"y":false,"z":18446744073709551615},"é":1}"#;
    assert_eq!(compact(&node), expected);
}

#[test]
fn control_characters_separators_and_html_are_escaped() {
    let text = "\0\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}\"\\/<&>\u{85}\u{2027}\u{2028}\u{2029}é😀";
    let escaped = "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}\\\"\\\\/\\u003c\\u0026\\u003e\
                   \u{85}\u{2027}\\u2028\\u2029é😀\"";
    assert_eq!(compact(&text.into()), escaped);
    let style = JsonStyle { escapes_html: false, ..JsonStyle::default() };
    assert_eq!(print(&"<&>".into(), style), "\"<&>\"");
}

#[test]
fn every_byte_that_is_not_utf8_is_replaced() {
    let node = Node::String(Text::from_bytes(b"a\xe2\x82b\xff\xc3\xa9"));
    assert_eq!(compact(&node), "\"a\u{fffd}\u{fffd}b\u{fffd}é\"");
}

#[test]
fn indentation_leaves_empty_collections_alone() {
    let node = map_of([("b", array_of([Int(1), map_of([])])), ("a", array_of([]))]);
    let style = JsonStyle { indent: 3, ..JsonStyle::default() };
    let expected = "{\n   \"a\": [],\n   \"b\": [\n      1,\n      {}\n   ]\n}";
    assert_eq!(print(&node, style), expected);
}

#[test]
fn documents_follow_one_another() {
    let nodes = [map_of([("a", Int(1))]), Node::Null, "x".into()];
    let all = nodes.map(|node| Document::new(node, Origin::Unknown));
    let mut out = Vec::new();
    json::documents(&all, &mut out).expect("JSON can hold the documents");
    assert_eq!(out, br#"{"a":1}"x""#);
}

#[test]
fn what_json_cannot_hold_is_an_error_and_leaves_nothing() {
    let style = JsonStyle::default();
    let mut out = b"before".to_vec();
    let key = json::node(&map_of([("a", keyed([(Int(1), Int(2))]))]), style, &mut out);
    let kind = NodeKind::Integer;
    assert_eq!(key, Err(JsonError::Key { kind, origin: Origin::Unknown }));
    let number = json::node(&array_of([Int(1), Node::Float(f64::INFINITY)]), style, &mut out);
    let error = number.expect_err("JSON has no infinity");
    assert_eq!(error.to_string(), "expected a finite number, found +Inf");
    assert_eq!(out, b"before");
}

#[test]
fn no_nesting_is_too_deep() {
    let deep = (0..10_000).fold(Node::Int(1), |node, _| array_of([map_of([("k", node)])]));
    assert_eq!(compact(&deep).len(), 10_000 * "[{\"k\":}]".len() + 1);
    // Freeing a deep tree is not part of this test.
    std::mem::forget(deep);
}
