//! The built-in rules.

use super::messages;

/// The failure that the rule reports for a value, or nothing.
fn failure(rule: &str, value: &str) -> String {
    let messages = messages(&format!("#@assert/validate {rule}\nk: {value}\n"));
    let message = messages.into_iter().next().unwrap_or_default();
    let failure = message.rsplit_once("; ").map_or("", |(_, failure)| failure);
    failure.trim_end_matches('.').to_owned()
}

#[track_caller]
fn check(rule: &str, valid: &[&str], invalid: &[(&str, &str)]) {
    for value in valid {
        assert_eq!(failure(rule, value), "", "{rule} on {value}");
    }
    for (value, expected) in invalid {
        assert_eq!(failure(rule, value), *expected, "{rule} on {value}");
    }
}

#[test]
fn lengths_are_in_characters_items_and_keys() {
    let long = "found a longer value";
    check(
        "min_len=2",
        &["\"ab\"", "\"éé\"", "[1, 2]", "{a: 1, b: 2}"],
        &[("\"é\"", "found a shorter value")],
    );
    check(
        "max_len=2",
        &["\"\"", "\"éé\"", "[]"],
        &[("\"abc\"", long), ("[1, 2, 3]", "found more items")],
    );
    check(
        "len=3",
        &["\"日本語\""],
        &[("\"ab\"", "found a value of another length"), ("{}", "found an empty value")],
    );
    check("max_len=2.9", &["\"ab\""], &[("\"abc\"", long)]);
    check("min_len=1", &[], &[("5", "found an integer, which has no length")]);
    check("min_len=-1", &["\"\""], &[]);
}

#[test]
fn bounds_compare_numbers_texts_and_lists() {
    check(
        "min=5",
        &["5", "5.0", "18446744073709551615"],
        &[("4.99", "found a smaller value"), ("-1", "found a smaller value")],
    );
    check("max=5.5", &["5", "5.5"], &[("6", "found a larger value")]);
    check(
        "min=\"b\"",
        &["\"b\"", "c"],
        &[("\"a\"", "found a smaller value"), ("B", "found a smaller value")],
    );
    check("min=[1, 2]", &["[1, 2]", "[2]"], &[("[1]", "found a smaller value")]);
    check("max=4", &[], &[("{a: 1}", "found a map, which cannot be compared with it")]);
}

#[test]
fn choices_are_values() {
    check(
        "one_of=[\"a\", 1, None, [2]]",
        &["a", "1", "1.0", "[2]"],
        &[("b", "found another value"), ("true", "found another value")],
    );
    check("one_of=(\"a\", \"b\")", &["a", "b"], &[("c", "found another value")]);
    check("one_of=(\"letters\", [\"a\"])", &["a"], &[("letters", "found another value")]);
    check("one_of=(\"letters\", (\"a\", \"b\"))", &["b"], &[("letters", "found another value")]);
    check("one_of={\"a\": 1}", &["a"], &[("1", "found another value")]);
}

#[test]
fn one_of_several_keys_has_a_value() {
    check(
        "one_not_null=[\"a\", \"b\"]",
        &["{a: 1, b: null}", "{b: 1, c: 1}"],
        &[
            ("{a: 1, b: 2}", "found several: a, b"),
            ("{c: 1}", "found none"),
            ("{}", "found an empty map"),
            ("[]", "found an array"),
        ],
    );
    check("one_not_null=True", &["{a: null, b: 1}"], &[("{a: 1, b: 1}", "found several: a, b")]);
    check("one_not_null=(\"just one\", True)", &["{a: 1}"], &[("{a: null}", "found none of a")]);
    check("one_not_null=(\"just one\", [\"a\"])", &["{a: 1}"], &[("{just one: 1}", "found none")]);
}

#[test]
fn texts_are_looked_into() {
    check(
        "starts_with=\"ab\"",
        &["abc"],
        &[("cab", "found a value that does not"), ("1", "found an integer")],
    );
    check("ends_with=\".git\"", &["a.git"], &[("agit", "found a value that does not")]);
    check(
        "contains=\"@sha\"",
        &["\"a@sha256\"", "[x, \"@sha\"]", "{\"@sha\": 1}"],
        &[
            ("a", "found a value that does not"),
            ("[\"x@sha\"]", "found a value that does not"),
            ("5", "found a value that does not"),
        ],
    );
    check(
        "contains=2",
        &["[1, 2.0]"],
        &[("[1]", "found a value that does not"), ("\"2\"", "found a value that does not")],
    );
    check(
        "matches=\"^v[0-9]+\"",
        &["v1.2"],
        &[("1", "found an integer"), ("xv1", "found a value that does not")],
    );
    check("format=\"ipv4\"", &["10.0.0.1"], &[("10", "it is not a string")]);
    check(
        "format=\"hostname\"",
        &["a.b"],
        &[("\"-\"", "one of its labels begins or ends with a hyphen")],
    );
}

#[test]
fn numbers_are_counted_with() {
    check(
        "even=True",
        &["2", "0", "-4", "4.0"],
        &[
            ("3", "found a number that is not"),
            ("2.5", "found a number that is not"),
            ("x", "found a string that is not a quantity"),
        ],
    );
    check(
        "odd=True",
        &["3", "-1", "3.0"],
        &[("2", "found a number that is not"), ("2.5", "found a number that is not")],
    );
    check("multiple_of=1024", &["2048", "0"], &[("1000", "found a number that is not")]);
    check("multiple_of=0.1", &["0.3", "2"], &[("0.25", "found a number that is not")]);
    check("even=False, odd=False", &["3", "2"], &[]);
}
