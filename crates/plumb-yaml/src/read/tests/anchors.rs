//! Anchors, aliases and merge keys.

use std::sync::Arc;

use plumb_value::Node;

use super::{check, read};

#[test]
fn an_alias_is_the_value_of_its_anchor() {
    check("a: &x 1\nb: *x\nc: [*x, *x]", r#"{"a": 1, "b": 1, "c": [1, 1]}"#);
    check("&k a: 1\nb: *k", r#"{"a": 1, "b": "a"}"#);
    check("- &x a\n- &x b\n- *x", r#"["a", "b", "b"]"#);
    check("a: &x\nb: *x", r#"{"a": null, "b": null}"#);
    check("a: &x [&x 1]\nb: *x", r#"{"a": [1], "b": 1}"#);
    check("a: *x\n", "UnknownAnchor(\"x\")");
    check("a: &x 1\n---\nb: *x", "UnknownAnchor(\"x\")");
    check("a: &x [*x]", "SelfReference(\"x\")");
}

#[test]
fn aliases_share_structure() {
    let documents = read("a: &x {b: 1}\nc: *x").expect("this is well-formed");
    let items = documents[0].node.as_map().expect("a map").items();
    match (&items[0].node, &items[1].node) {
        (Node::Map(original), Node::Map(alias)) => assert!(Arc::ptr_eq(original, alias)),
        _ => panic!("two maps"),
    }
}

#[test]
fn merged_items_stand_where_the_merge_key_stood() {
    check(
        "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  l: 3",
        r#"{"a": {"k": 1, "l": 2}, "b": {"k": 1, "l": 2, "l": 3}}"#,
    );
    check("a: &x {k: 1}\nb: {k: 2, <<: *x}", r#"{"a": {"k": 1}, "b": {"k": 2, "k": 1}}"#);
    check("{<<: {a: 1}, b: 2}", r#"{"a": 1, "b": 2}"#);
    check("'<<': {a: 1}", r#"{"<<": {"a": 1}}"#);
    check("<<: []", "{}");
}

#[test]
fn only_a_map_is_merged() {
    let message = "NotMergeable";
    check("<<: 1", message);
    check("<<: [{a: 1}]", message);
    check("a: &x [1]\nb: {<<: *x}", message);
    check("<<: !!int x", message);
}
