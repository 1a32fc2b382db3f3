//! Rules that authors write themselves, and their conditions.

use plumb_validation::{CONDITION_FAILED, RULE_BROKEN, RULE_FAILED};

use super::{checked, messages, violations};

/// The only message for `key: 3` with this annotation; empty if the value is valid.
fn message(args: &str) -> String {
    let messages = messages(&format!("#@assert/validate {args}\nkey: 3\n"));
    assert!(messages.len() <= 1, "{messages:?}");
    messages.into_iter().next().unwrap_or_default()
}

#[test]
fn none_and_true_pass() {
    assert_eq!(message("(\"d\", returns_none)"), "");
    assert_eq!(message("(\"d\", passes)"), "");
    assert_eq!(message("passes"), "");
}

#[test]
fn a_refusal_names_the_function_or_its_place() {
    assert_eq!(
        message("(\"an even number\", is_even)"),
        "\"key\" requires a valid value: an even number; \"is_even()\" returned False."
    );
    assert_eq!(message("is_even"), "\"key\" requires a valid value: \"is_even()\" returned False.");
    assert_eq!(
        message("passes, (\"d\", lambda_false)"),
        "\"key\" requires a valid value: d; the 2nd rule returned False."
    );
}

#[test]
fn a_refusal_can_say_why() {
    let expected = "\"key\" requires a valid value: d; ";
    assert_eq!(message("(\"d\", why)"), format!("{expected}too big."));
    assert_eq!(message("(\"d\", fails)"), format!("{expected}too small."));
    assert_eq!(message("(\"d\", assert_fails)"), format!("{expected}bad."));
}

#[test]
fn a_message_is_the_authors_own() {
    assert_eq!(
        message("(\"d\", why, \"{key} (={value}) must be {desc}: {failure}\")"),
        "key (=3) must be d: too big"
    );
    let values = "#@assert/validate (\"d\", why, \"{value}\")\nkey: {\"a\": [1, null, \"x\"]}\n";
    assert_eq!(messages(values), ["{\"a\": [1, None, \"x\"]}"]);
}

#[test]
fn keys_are_names_or_indexes() {
    let values = "#@assert/validate why\n---\n#@assert/validate why\na:\n#@assert/validate why\n- 1\n#@assert/validate why\n- 2\n";
    let expected: Vec<String> = ["0", "1", "a", "0"]
        .map(|key| format!("\"{key}\" requires a valid value: too big."))
        .into();
    assert_eq!(messages(values), expected);
}

#[test]
fn a_rule_that_goes_wrong_is_to_blame_itself_and_others_still_run() {
    let found = violations(
        "#@assert/validate (\"d\", errs), (\"e\", returns_text), (\"f\", odd_tuple), min=5\nkey: 3\n",
    );
    let codes: Vec<_> = found.violations.iter().map(|it| it.code).collect();
    assert_eq!(codes, [RULE_FAILED, RULE_FAILED, RULE_FAILED, RULE_BROKEN]);
    assert_eq!(
        found.violations[0].message.shown(),
        "\"key\" could not be validated: \"errs()\" failed: unknown binary op: int + string"
    );
    assert_eq!(
        found.violations[1].message.shown(),
        "\"key\" could not be validated: \"returns_text()\" returned a string; a rule returns None, True, False, (True, \"why\") or (False, \"why\")"
    );
    assert!(found.violations[0].rule.span().is_some());
    assert!(found.violations[0].origin.span().is_some());
}

#[test]
fn a_parents_rule_can_blame_a_child() {
    let values = "#@assert/validate (\"d\", blames)\nroot:\n  registry:\n    replicas: 2\n";
    let found = violations(values);
    let [violation] = found.violations.as_slice() else {
        panic!("one violation");
    };
    assert_eq!(violation.path.to_string(), "root.registry.replicas");
    let span = violation.origin.span().expect("a place");
    assert_eq!(found.sources.place(span), "values.yml:4");
    // The path is followed as far as the child exists.
    let values = "#@assert/validate (\"d\", blames)\nroot:\n  registry: 1\n";
    assert_eq!(violations(values).violations[0].path.to_string(), "root.registry");
}

#[test]
fn a_condition_that_does_not_hold_leaves_the_rules_out() {
    for condition in ["never", "fails", "assert_fails"] {
        assert_eq!(message(&format!("why, when={condition}")), "");
    }
    assert_eq!(message("why, when=passes"), "\"key\" requires a valid value: too big.");
}

#[test]
fn a_condition_sees_what_is_around_the_value() {
    for (enabled, count) in [("true", 1), ("false", 0)] {
        let values = format!(
            "service:\n  enabled: {enabled}\n  #@assert/validate one_of=[\"NodePort\"], when=if_parent_enabled\n  type: X\n"
        );
        assert_eq!(messages(&values).len(), count);
    }
}

#[test]
fn a_condition_that_goes_wrong_is_an_error() {
    let cases = [
        ("errs", "Validating a.key: Failure evaluating when=: unknown binary op: int + string"),
        ("returns_text", "Validating a.key: want when= to be bool, got string"),
        (
            "three_args",
            "Validating a.key: Failed to evaluate when=: function must accept 1 or 2 arguments (3 given)",
        ),
    ];
    for (condition, expected) in cases {
        let found =
            violations(&format!("a:\n  #@assert/validate why, when={condition}\n  key: 3\n"));
        assert_eq!(found.violations[0].code, CONDITION_FAILED);
        assert_eq!(found.peer_text(), expected);
    }
}

#[test]
fn what_makes_no_rule_is_refused_before_any_rule_runs() {
    let cases = [
        (
            "(\"d\", why, 3)",
            "expected third item in the tuple to be a string with the message, but was int (at values.yml:1)",
        ),
        (
            "(\"d\", why, \"{keys}\")",
            "unknown field {keys} in message (there are {key}, {value}, {desc} and {failure}) (at values.yml:1)",
        ),
        (
            "(\"d\", why, \"\", 1)",
            "expected 2-tuple, but found tuple with length 4 (by values.yml:1)",
        ),
        ("3", "expected annotation to have 2-tuple as argument(s), but found: 3 (by values.yml:1)"),
        (
            "format=\"url\"",
            "unknown format \"url\", there are cidr, date-time, duration, email, hostname, image-reference, ipv4, ipv6, quantity, uri, uri-reference, uriref, uuid (at values.yml:1)",
        ),
        ("multiple_of=0", "keyword argument \"multiple_of\" must not be zero (at values.yml:1)"),
        (
            "starts_with=1",
            "expected keyword argument \"starts_with\" to be a string, but was int (at values.yml:1)",
        ),
        (
            "min=why",
            "expected keyword argument \"min\" to be a value, but was function (at values.yml:1)",
        ),
    ];
    for (args, error) in cases {
        let values = format!("#@assert/validate {args}\nkey: 3\n#@assert/validate why\nother: 1\n");
        let report = checked(&values).map(|_| ()).expect_err("a malformed rule");
        assert_eq!(report, format!("Validating:\nInvalid @assert/validate annotation - {error}"));
    }
}
