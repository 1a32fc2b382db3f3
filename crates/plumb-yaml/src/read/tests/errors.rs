//! Errors: their kinds, the lines that libyaml counts, and their places.

use super::{check, outcome, read};
use crate::{ANCHOR, ENCODING, SYNTAX};

#[test]
fn a_problem_with_a_token_has_its_line() {
    check("a: 1\nb: c: d", "line 2: ValueNotAllowed");
    check("a: 1\nb\nc: 2", "line 3: MissingColon");
    check("a: 1\nb", "line 3: MissingColon");
    check("\na: @b", "line 2: CannotStartToken('@')");
    check("\na: - b", "line 2: BlockEntryNotAllowed");
    check("\na: ? b", "line 2: KeyNotAllowed");
    check("a: 'b\n", "line 2: EndInQuotes");
    check("a: 'b\n---\n'", "line 2: DocumentIndicatorInQuotes");
    check("a: b\n\tc", "line 2: TabInPlain");
    check("a: *\n", "line 1: AnchorName");
    check("%FOO x", "line 1: UnknownDirective");
}

#[test]
fn a_problem_with_the_structure_has_the_line_before() {
    check("a:\n  b: 1\n c: 2", "line 2: BlockKey");
    check("\n- a\nb: c", "line 2: BlockEntry");
    check("a: [b\nc: d", "line 1: FlowSequenceEnd");
    check("a: {b\n}}", "line 1: BlockKey");
    check("%YAML 1.2\n---\n", "line 1: IncompatibleVersion");
}

#[test]
fn after_a_marker_the_first_line_is_not_counted() {
    check("--- ]", "NodeContent");
    check("---\n]", "line 1: NodeContent");
    check("--- @", "CannotStartToken('@')");
}

#[test]
fn encodings_other_than_utf8_have_no_line() {
    check("a: \u{7}", "ControlCharacter");
    let error = super::super::parse(
        plumb_source::Sources::new().add("a", plumb_source::SourceKind::File, [][..].into()),
        b"\xFF\xFEa\0",
        &super::ReadOptions::default(),
    );
    let error = error.expect_err("UTF-16 is not read");
    assert_eq!(outcome(&error), "InvalidLeadingOctet");
    assert_eq!(error.code(), ENCODING);
}

#[test]
fn a_finding_has_the_words_and_the_true_place() {
    let error = read("a:\n  b: 1\n c: 2").expect_err("the indentation is wrong");
    let finding = error.diagnostic();
    assert_eq!(finding.code, SYNTAX);
    assert_eq!(
        finding.message.shown(),
        "expected the keys of the map in one column, found one in another column"
    );
    assert_eq!(finding.labels[0].span.start, 11);
    assert_eq!(
        finding.help[0].shown(),
        "check the indentation: the keys of a map must begin in the same column"
    );
    let error = read("a: *b").expect_err("there is no such anchor");
    assert_eq!((error.code(), error.span().start, error.span().end), (ANCHOR, 3, 5));
}
