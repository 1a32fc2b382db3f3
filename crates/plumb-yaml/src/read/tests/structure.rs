//! Collections and documents.

use super::check;

#[test]
fn blocks_nest_by_indentation() {
    check(
        "a:\n  b: 1\n  c:\n    - d\n    -\n      e: f\ng: h",
        r#"{"a": {"b": 1, "c": ["d", {"e": "f"}]}, "g": "h"}"#,
    );
    check("- a: 1\n  b: 2\n- - c\n  - d\n-\n- e", r#"[{"a": 1, "b": 2}, ["c", "d"], null, "e"]"#);
    check("  a: 1\n  b: 2\n", r#"{"a": 1, "b": 2}"#);
}

#[test]
fn a_list_may_stand_at_the_column_of_its_key() {
    check("a:\n- b\n- c: d\n  e: f\ng: h", r#"{"a": ["b", {"c": "d", "e": "f"}], "g": "h"}"#);
    check("a:\n-\n-\nb:", r#"{"a": [null, null], "b": null}"#);
}

#[test]
fn missing_values_are_null() {
    check("a:\nb: # c\nc:", r#"{"a": null, "b": null, "c": null}"#);
    check("a:\n  b:\nc:", r#"{"a": {"b": null}, "c": null}"#);
    check("{a, b: , ? c}", r#"{"a": null, "b": null, "c": null}"#);
    check("? a\n? b\n: c", r#"{"a": null, "b": "c"}"#);
}

#[test]
fn a_block_scalar_may_stand_at_the_column_of_its_key() {
    check("a:\n|\n b\n", r#"{"a": "b\n"}"#);
}

#[test]
fn flow_collections_nest_and_may_go_over_lines() {
    check("[a, [b], {c: d}, ]", r#"["a", ["b"], {"c": "d"}]"#);
    check("{a: [1,\n2], 'b': {}}", r#"{"a": [1, 2], "b": {}}"#);
    check("[a: b, ? c : d, ? e]", r#"[{"a": "b"}, {"c": "d"}, {"e": null}]"#);
}

#[test]
fn keys_are_values_too() {
    check("on: 1\n~: 2\n1.0: 3\n", "{true: 1, null: 2, 1.0: 3}");
    check("? {a: b}\n: c", r#"{{"a": "b"}: "c"}"#);
    check("[a]: b", r#"{["a"]: "b"}"#);
    check("'a b': 1\n\"c\" : 2", r#"{"a b": 1, "c": 2}"#);
    check("a: 1\nb: 2\na: 3", r#"{"a": 1, "b": 2, "a": 3}"#);
}

#[test]
fn documents_begin_and_end_with_markers() {
    check("", "null");
    check("# c\n", "null --- null");
    check("a\n---\nb\n...\n---\nc", r#""a" --- "b" --- "c""#);
    check("--- a\n--- |\n b\n---\n", r#""a" --- "b\n" --- null"#);
    check("---", "null --- null");
    check("--- ", "null");
    check("%YAML 1.1\n---\na", r#"null --- "a""#);
    check("a\n...\nb", "line 2: DocumentStart");
}

#[test]
fn tabs_are_blanks_but_no_indentation() {
    check("a:\tb\t# c", r#"{"a": "b"}"#);
    check("[\ta,\n\tb]", r#"["a", "b"]"#);
    check("a:\n\tb: c", r"line 2: CannotStartToken('\t')");
    check("-\ta", r"line 1: CannotStartToken('\t')");
}

#[test]
fn every_line_break_of_yaml_ends_a_line() {
    check("a: 1\r\nb: 2\r\n", r#"{"a": 1, "b": 2}"#);
    check("a: 1\rb: 2\u{85}c: 3\u{2028}d: 4", r#"{"a": 1, "b": 2, "c": 3, "d": 4}"#);
}

#[test]
fn a_byte_order_mark_is_text() {
    check("\u{feff}a: 1", r#"{"\u{feff}a": 1}"#);
}
