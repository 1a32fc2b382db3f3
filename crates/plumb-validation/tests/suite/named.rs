//! The rules that Plumb brings.

use super::messages;

/// What the rule says about a value: the failure alone, or nothing.
fn failure(rule: &str, value: &str) -> String {
    let messages = messages(&format!("#@assert/validate {rule}\nk: {value}\n"));
    let message = messages.into_iter().next().unwrap_or_default();
    let failure = message.rsplit_once("; ").map_or("", |(_, failure)| failure);
    failure.trim_end_matches('.').to_owned()
}

#[track_caller]
fn judge(rule: &str, valid: &[&str], invalid: &[(&str, &str)]) {
    for value in valid {
        assert_eq!(failure(rule, value), "", "{rule} on {value}");
    }
    for (value, expected) in invalid {
        assert_eq!(failure(rule, value), *expected, "{rule} on {value}");
    }
}

#[test]
fn lengths_are_in_characters_items_and_keys() {
    let long = "it is a length of 3";
    judge(
        "min_len=2",
        &["\"ab\"", "\"éé\"", "[1, 2]", "{a: 1, b: 2}"],
        &[("\"é\"", "it is a length of 1")],
    );
    judge("max_len=2", &["\"\"", "\"éé\"", "[]"], &[("\"abc\"", long), ("[1, 2, 3]", long)]);
    judge(
        "len=3",
        &["\"日本語\""],
        &[("\"ab\"", "it is a length of 2"), ("{}", "it is a length of 0")],
    );
    judge("max_len=2.9", &["\"ab\""], &[("\"abc\"", long)]);
    judge("min_len=1", &[], &[("5", "it has no length")]);
    judge("min_len=-1", &["\"\""], &[]);
}

#[test]
fn bounds_compare_numbers_texts_and_lists() {
    judge(
        "min=5",
        &["5", "5.0", "18446744073709551615"],
        &[("4.99", "it is less"), ("-1", "it is less")],
    );
    judge("max=5.5", &["5", "5.5"], &[("6", "it is more")]);
    judge("min=\"b\"", &["\"b\"", "c"], &[("\"a\"", "it is less"), ("B", "it is less")]);
    judge("min=[1, 2]", &["[1, 2]", "[2]"], &[("[1]", "it is less")]);
    judge("max=4", &[], &[("{a: 1}", "it is a map, and not to be compared with that")]);
}

#[test]
fn choices_are_values() {
    judge(
        "one_of=[\"a\", 1, None, [2]]",
        &["a", "1", "1.0", "[2]"],
        &[("b", "it is none of them"), ("true", "it is none of them")],
    );
    judge("one_of=(\"a\", \"b\")", &["a", "b"], &[("c", "it is none of them")]);
    judge("one_of=(\"letters\", [\"a\"])", &["a"], &[("letters", "it is none of them")]);
    judge("one_of=(\"letters\", (\"a\", \"b\"))", &["b"], &[("letters", "it is none of them")]);
    judge("one_of={\"a\": 1}", &["a"], &[("1", "it is none of them")]);
}

#[test]
fn one_of_several_keys_has_a_value() {
    judge(
        "one_not_null=[\"a\", \"b\"]",
        &["{a: 1, b: null}", "{b: 1, c: 1}"],
        &[
            ("{a: 1, b: 2}", "several are: a, b"),
            ("{c: 1}", "none is"),
            ("{}", "none is"),
            ("[]", "it is not a map"),
        ],
    );
    judge("one_not_null=True", &["{a: null, b: 1}"], &[("{a: 1, b: 1}", "several are: a, b")]);
    judge("one_not_null=(\"just one\", True)", &["{a: 1}"], &[("{a: null}", "none is")]);
    judge("one_not_null=(\"just one\", [\"a\"])", &["{a: 1}"], &[("{just one: 1}", "none is")]);
}

#[test]
fn texts_are_looked_into() {
    judge("starts_with=\"ab\"", &["abc"], &[("cab", "it does not"), ("1", "it is not a string")]);
    judge("ends_with=\".git\"", &["a.git"], &[("agit", "it does not")]);
    judge(
        "contains=\"@sha\"",
        &["\"a@sha256\"", "[x, \"@sha\"]", "{\"@sha\": 1}"],
        &[("a", "it does not"), ("[\"x@sha\"]", "it does not"), ("5", "it does not")],
    );
    judge("contains=2", &["[1, 2.0]"], &[("[1]", "it does not"), ("\"2\"", "it does not")]);
    judge(
        "matches=\"^v[0-9]+\"",
        &["v1.2"],
        &[("1", "it is not a string"), ("xv1", "it does not")],
    );
    judge("format=\"ipv4\"", &["10.0.0.1"], &[("10", "it is not a string")]);
    judge(
        "format=\"hostname\"",
        &["a.b"],
        &[("\"-\"", "one of its labels begins or ends with a hyphen")],
    );
}

#[test]
fn numbers_are_counted_with() {
    judge(
        "even=True",
        &["2", "0", "-4", "4.0"],
        &[("3", "it is not"), ("2.5", "it is not"), ("x", "it is not")],
    );
    judge("odd=True", &["3", "-1", "3.0"], &[("2", "it is not"), ("2.5", "it is not")]);
    judge("multiple_of=1024", &["2048", "0"], &[("1000", "it is not")]);
    judge("multiple_of=0.1", &["0.3", "2"], &[("0.25", "it is not")]);
    judge("even=False, odd=False", &["3", "2"], &[]);
}
