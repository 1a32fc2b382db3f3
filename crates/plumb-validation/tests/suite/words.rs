//! The messages and the layout of reports.

use plumb_diagnostic::pretty;
use plumb_validation::report;

use super::{messages, violations};

#[test]
fn named_rules_describe_themselves() {
    let cases = [
        ("min_len=1", "\"\"", "a length of at least 1; found an empty value"),
        ("min_len=(\"a non-empty string\", 1)", "\"\"", "a non-empty string; found an empty value"),
        ("max_len=1", "abc", "a length of at most 1; found a longer value"),
        ("len=1", "abc", "a length of exactly 1; found a value of another length"),
        ("min=1.5", "1", "at least 1.5; found a smaller value"),
        ("max=\"b\"", "c", "at most \"b\"; found a larger value"),
        ("one_of=[\"a\", 1]", "c", "one of [\"a\", 1]; found another value"),
        (
            "one_not_null=[\"a\", \"b\"]",
            "{a: null}",
            "exactly one of [\"a\", \"b\"] to be not null; found none",
        ),
        ("one_not_null=True", "{}", "exactly one of its keys to be not null; found an empty map"),
        ("starts_with=\"a\"", "b", "a value that starts with \"a\"; found a value that does not"),
        ("ends_with=\"a\"", "b", "a value that ends with \"a\"; found a value that does not"),
        ("contains=\"a\"", "b", "a value that contains \"a\"; found a value that does not"),
        (
            "format=\"uuid\"",
            "b",
            "a value in the format uuid; it is not in groups of 8-4-4-4-12 digits",
        ),
        ("even=True", "1", "an even number; found a number that is not"),
        ("odd=True", "2", "an odd number; found a number that is not"),
        ("multiple_of=3", "2", "a multiple of 3; found a number that is not"),
        ("not_null=True", "null", "a value that is not null; found null"),
    ];
    for (rule, value, expected) in cases {
        let messages = messages(&format!("#@assert/validate {rule}\nk: {value}\n"));
        assert_eq!(messages, [format!("\"k\" requires a valid value: {expected}.")]);
    }
}

#[test]
fn ytt_has_its_own_words_and_blocks() {
    let values = "#@assert/validate min_len=4, (\"odd\", lambda_false)\nj:\n#@assert/validate min=5\n- 3\n#@assert/validate (\"bad\", assert_fails)\nf: 1\n#@assert/validate max={\"a\": True}, one_of=(\"x\", \"y\")\nm:\n  a: 1\n#@assert/validate one_not_null=True, not_null=True\no: {a: 1, b: 2}\n#@assert/validate min_len=1\ni: 1\n";
    let expected = r#"  j
    from: values.yml:2
    - must be: odd (by: values.yml:1)
    - must be: length >= 4 (by: values.yml:1)
      found: length = 1

  j[0]
    from: values.yml:4
    - must be: a value >= 5 (by: values.yml:3)
      found: value < 5

  f
    from: values.yml:6
    - must be: bad (by: values.yml:5)
      found: assert.fail: fail: bad

  m
    from: values.yml:8
    - must be: a value <= {"a": True} (by: values.yml:7)
      found: dict <= dict not implemented
    - must be: one of ("x", "y") (by: values.yml:7)
      found: not one of allowed values

  o
    from: values.yml:11
    - must be: exactly one of all children to be not null (by: values.yml:10)
      found: ["a", "b"] are not null

  i
    from: values.yml:13
    - must be: length >= 1 (by: values.yml:12)
      found: len: value of type int has no len

"#;
    assert_eq!(violations(values).peer_text(), expected);
}

#[test]
fn messages_name_a_whole_document_and_keep_the_authors_text() {
    let values = "#@assert/validate (\"d\", why, \"{key} is wrong: {failure}\")\n---\na: 1\n";
    let expected =
        "  (document)\n    from: values.yml:2\n    - 0 is wrong: too big (by: values.yml:1)\n\n";
    assert_eq!(violations(values).peer_text(), expected);
}

#[test]
fn a_finding_shows_the_value_and_the_rule() {
    let found = violations("#@assert/validate min=1024\nport: 80\n");
    let finding = report::finding(&found.violations[0]);
    let text = pretty::render(&finding, &found.sources, pretty::Colour::Never);
    assert!(text.starts_with("error[validation/rule-broken]: \"port\" requires a valid value: at least 1024; found a smaller value.\n"), "{text}");
    assert!(text.contains("expected at least 1024"), "{text}");
    assert!(text.contains("by this rule"), "{text}");
}

#[test]
fn a_rule_that_went_wrong_comes_before_the_value() {
    let found = violations("#@assert/validate (\"d\", errs)\nport: 80\n");
    let finding = report::finding(&found.violations[0]);
    let labels = finding.labels.iter().map(|it| (found.sources.place(it.span), it.message.shown()));
    assert_eq!(
        labels.collect::<Vec<_>>(),
        [
            ("values.yml:1".to_owned(), "\"errs()\" failed: unknown binary op: int + string"),
            ("values.yml:2".to_owned(), "on this value"),
        ]
    );
}
