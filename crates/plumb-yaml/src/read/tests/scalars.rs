//! Scalars of every style.

use super::{ReadOptions, check, outcome, read_with};

#[test]
fn plain_scalars_go_over_lines_and_fold() {
    check("a: b c", r#"{"a": "b c"}"#);
    check("a: b\n  c\n\n  d\n", r#"{"a": "b c\nd"}"#);
    check("a b\nc", r#""a b c""#);
    check("a: b #c", r#"{"a": "b"}"#);
    check("a: b#c", r#"{"a": "b#c"}"#);
    check("a: b:c", r#"{"a": "b:c"}"#);
    check("- -1\n- --x\n- -x: z", r#"[-1, "--x", {"-x": "z"}]"#);
    check("- ¿…: 1\n- a…: ¿", r#"[{"¿…": 1}, {"a…": "¿"}]"#);
    check("a: é\u{2028}  b", r#"{"a": "é\u{2028}b"}"#);
    check("a: b\u{85}  c", r#"{"a": "b c"}"#);
    check("a: \u{a0}…", r#"{"a": "\u{a0}…"}"#);
}

#[test]
fn a_plain_scalar_ends_at_indicators_of_flow() {
    check("[a?b, c]", "line 1: FlowSequenceEnd");
    check("{a:b, c: d:e}", r#"{"a:b": null, "c": "d:e"}"#);
    check("[a\n b, c]", r#"["a b", "c"]"#);
}

#[test]
fn single_quotes_escape_only_themselves() {
    check(r"'a''b\n'", r#""a'b\\n""#);
    check("'a\n\n  b '", r#""a\nb ""#);
    check("'a\"b'", r#""a\"b""#);
}

#[test]
fn double_quotes_know_escapes() {
    check(
        r#""\0\a\b\t\n\v\f\r\e\ \"\'\\\N\_\L\P""#,
        r#""\0\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b} \"'\\\u{85}\u{a0}\u{2028}\u{2029}""#,
    );
    check(r#""\x41\u00e9\U0001F600""#, r#""Aé😀""#);
    check("\"a\\\n   b\\\n\n c\"", r#""ab\nc""#);
    check("\"a \n b\t\n\n  c\"", r#""a b\nc""#);
    check(r#""\x4""#, "line 1: EscapeDigits");
    check(r#""\ud800""#, "line 1: EscapeValue");
    check(r#""\q""#, "line 1: UnknownEscape");
}

#[test]
fn surrogate_pairs_are_read_as_in_json_on_request() {
    let options = ReadOptions { surrogates: true, ..ReadOptions::default() };
    let read = |text: &str| read_with(text, &options).map(|it| it[0].node.repr());
    assert_eq!(read(r#""a\ud83d\ude00b""#).expect("a pair"), r#""a😀b""#);
    for broken in [r#""\ud83d""#, r#""\ude00\ud83d""#, r#""\ud83d\u00e9""#, r#""\ud83d\u+e00""#] {
        let error = read(broken).expect_err("not a pair");
        let expected = "line 1: EscapeValue";
        assert_eq!(outcome(&error), expected, "{broken}");
    }
}

#[test]
fn literal_scalars_keep_their_lines() {
    check("a: |\n  b\n   c\n\n  d\n", r#"{"a": "b\n c\n\nd\n"}"#);
    check("a: |-\n  b\n\n", r#"{"a": "b"}"#);
    check("a: |+\n  b\n\n", r#"{"a": "b\n\n"}"#);
    check("a: |2\n    b\n", r#"{"a": "  b\n"}"#);
    check("a: |1-\n  b\n", r#"{"a": " b"}"#);
    check("a: | # c\n  b\n", r#"{"a": "b\n"}"#);
    check("a: |\n\n\n  b", r#"{"a": "\n\nb"}"#);
    check("a: |\nb: c", r#"{"a": "", "b": "c"}"#);
    check("|\n a\r\n b", r#""a\nb""#);
    check("a: |\n\tb", "line 2: TabInBlock");
    check("a: |0\n b", "line 1: ZeroIndentation");
    check("a: |x\n b", "line 1: BlockHeaderEnd");
}

#[test]
fn folded_scalars_join_lines_of_the_same_indentation() {
    check("a: >\n  b\n  c\n\n  d\n   e\n  f\n", r#"{"a": "b c\nd\n e\nf\n"}"#);
    check("a: >-\n  b\n  c\n", r#"{"a": "b c"}"#);
}

#[test]
fn tags_decide_what_a_scalar_is() {
    check("!!str 1", r#""1""#);
    check("! 1", r#""1""#);
    check("!mine 1", r#""1""#);
    check("!!int '1'", "1");
    check("!!float 1", "1.0");
    check("!!binary aGk=", r#""hi""#);
    check("!<tag:yaml.org,2002:str> true", r#""true""#);
    check("a: !!str\nb: !!null\n", r#"{"a": "", "b": null}"#);
    check("!!map {a: 1}", r#"{"a": 1}"#);
    check(
        "!!int a",
        "Tag(Mismatch(TagMismatch { found: \"!!str\", wanted: \"!!int\", text: \"a\" }))",
    );
    check("!!binary '*'", "Tag(InvalidBase64)");
    check("!e!x 1", "line 1: UndefinedHandle");
    check("%TAG !e! tag:yaml.org,2002:\n--- !e!int '1'", "null --- 1");
}

#[test]
fn a_wrong_value_is_reported_only_if_the_document_is_well_formed() {
    check("a: !!int x\nb: ]\n", "line 1: NodeContent");
    check(
        "a: !!int x\n---\nb: ]\n",
        "Tag(Mismatch(TagMismatch { found: \"!!str\", wanted: \"!!int\", text: \"x\" }))",
    );
}
