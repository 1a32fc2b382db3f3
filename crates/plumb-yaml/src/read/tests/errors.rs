//! Errors: their words, their lines and their places.

use super::{check, read};
use crate::{ANCHOR, ENCODING, SYNTAX};

#[test]
fn a_problem_with_a_token_has_its_line() {
    check("a: 1\nb: c: d", "yaml: line 2: mapping values are not allowed in this context");
    check("a: 1\nb\nc: 2", "yaml: line 3: could not find expected ':'");
    check("a: 1\nb", "yaml: line 3: could not find expected ':'");
    check("\na: @b", "yaml: line 2: found character that cannot start any token");
    check("\na: - b", "yaml: line 2: block sequence entries are not allowed in this context");
    check("\na: ? b", "yaml: line 2: mapping keys are not allowed in this context");
    check("a: 'b\n", "yaml: line 2: found unexpected end of stream");
    check("a: 'b\n---\n'", "yaml: line 2: found unexpected document indicator");
    check("a: b\n\tc", "yaml: line 2: found a tab character that violates indentation");
    check("a: *\n", "yaml: line 1: did not find expected alphabetic or numeric character");
    check("%FOO x", "yaml: line 1: found unknown directive name");
}

#[test]
fn a_problem_with_the_structure_has_the_line_before() {
    check("a:\n  b: 1\n c: 2", "yaml: line 2: did not find expected key");
    check("\n- a\nb: c", "yaml: line 2: did not find expected '-' indicator");
    check("a: [b\nc: d", "yaml: line 1: did not find expected ',' or ']'");
    check("a: {b\n}}", "yaml: line 1: did not find expected key");
    check("%YAML 1.2\n---\n", "yaml: line 1: found incompatible YAML document");
}

#[test]
fn after_a_marker_the_first_line_is_not_counted() {
    check("--- ]", "yaml: did not find expected node content");
    check("---\n]", "yaml: line 1: did not find expected node content");
    check("--- @", "yaml: found character that cannot start any token");
}

#[test]
fn encodings_other_than_utf8_have_no_line() {
    check("a: \u{7}", "yaml: control characters are not allowed");
    let error = super::super::parse(
        plumb_source::Sources::new().add("a", plumb_source::SourceKind::File, [][..].into()),
        b"\xFF\xFEa\0",
        &super::ReadOptions::default(),
    );
    let error = error.expect_err("UTF-16 is not read");
    assert_eq!(error.message().shown().to_owned(), "yaml: invalid leading UTF-8 octet");
    assert_eq!(error.code(), ENCODING);
}

#[test]
fn a_finding_has_the_words_and_the_true_place() {
    let error = read("a:\n  b: 1\n c: 2").expect_err("the indentation is wrong");
    let finding = error.diagnostic();
    assert_eq!(finding.code, SYNTAX);
    assert_eq!(finding.message.shown(), "did not find expected key");
    assert_eq!(finding.labels[0].span.start, 11);
    assert_eq!(
        finding.help[0].shown(),
        "check the indentation: the keys of a map must begin in the same column"
    );
    let error = read("a: *b").expect_err("there is no such anchor");
    assert_eq!((error.code(), error.span().start, error.span().end), (ANCHOR, 3, 5));
}
