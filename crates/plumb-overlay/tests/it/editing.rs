//! Editing annotations: the examples of the specification, and cases that it does not cover.

use plumb_diagnostic::Severity;
use plumb_overlay::WITHOUT_EFFECT;
use plumb_value::{Datum, Node};

use crate::expression::{constant, function};
use crate::outcome::merge;

fn check(left: &str, right: &str, expected: &str) {
    let functions = [
        constant("is_even", Datum::Node(Node::Null)),
        constant("is_small", Datum::Node(Node::Null)),
        function("is_schema", |args| {
            let is_schema = args[0].as_str().is_some_and(|it| it.starts_with("schema/"));
            Ok(Datum::Node(Node::Bool(is_schema)))
        }),
    ];
    let outcome = merge(&format!("---\n{left}"), &format!("---\n{right}"), &functions);
    assert_eq!(outcome.text, expected, "{right}");
}

/// The specification's first example.
#[test]
fn annotations_are_replaced() {
    check(
        "#@schema/validation is_even\nfoo: 42\nbar: 13",
        "#@schema/validation is_small\n#@overlay/replace-ann\nfoo: 13\n\
         #@schema/validation is_small\n#@overlay/replace-ann\nbar: 1001",
        "{@schema/validation(is_small) foo: 13, @schema/validation(is_small) bar: 1001}",
    );
}

/// The second example. The order of arguments is that of the specification: positional ones are
/// appended, the existing keyword is replaced in place, and the new one comes after it.
#[test]
fn annotations_are_merged() {
    check(
        "#@schema/validation is_even, not_null=True\nfoo: 42\nbar: 13",
        "#@schema/validation is_small, min=10, not_null=False\n#@overlay/noop\n\
         #@overlay/merge-anns\nfoo: ~\n\
         #@schema/validation is_small\n#@overlay/noop\n#@overlay/merge-anns\nbar: ~",
        "{@schema/validation(is_even, is_small, not_null=false, min=10) foo: 42, \
         @schema/validation(is_small) bar: 13}",
    );
}

/// The third example, with its mistakes corrected: the annotation is `@schema/validation`
/// everywhere, and `@schema/nullable` is not changed.
#[test]
fn annotations_are_removed() {
    check(
        "#@schema/validation is_even, not_null=True\nfoo: 42\n\
         #@schema/nullable\n#@schema/validation not_null=True\nbar: 13",
        "#@overlay/noop\n#@overlay/remove-anns \"schema/validate\"\nfoo: 13\n\
         #@overlay/noop\n#@overlay/remove-anns \"schema/validate\"\n\
         #@schema/validation min=1, max=1000\nbar: 0",
        "{foo: 42, @schema/nullable() @schema/validation(min=1, max=1000) bar: 13}",
    );
}

#[test]
fn annotations_of_other_names_stay() {
    check(
        "#@schema/nullable\n#@schema/title \"a\"\nfoo: 1",
        "#@overlay/replace-ann\n#@schema/title \"b\"\nfoo: 2",
        "{@schema/nullable() @schema/title(b) foo: 2}",
    );
}

#[test]
fn both_spellings_of_a_rule_are_one_name() {
    check(
        "#@schema/validate min=1\nfoo: 1",
        "#@overlay/replace-ann\n#@schema/validation max=2\nfoo: 2",
        "{@schema/validation(max=2) foo: 2}",
    );
    check(
        "#@schema/validation min=1\nfoo: 1",
        "#@overlay/merge-anns\n#@schema/validate max=2\nfoo: 2",
        "{@schema/validation(min=1, max=2) foo: 2}",
    );
    check(
        "#@schema/validation min=1\nfoo: 1",
        "#@overlay/remove-anns \"@schema/validate\"\nfoo: 2",
        "{foo: 2}",
    );
}

#[test]
fn a_predicate_chooses_what_to_remove() {
    check(
        "#@schema/nullable\n#@assert/validate min=1\n#@schema/title \"a\"\nfoo: 1",
        "#@overlay/noop\n#@overlay/remove-anns via=is_schema\nfoo: ~",
        "{@assert/validate(min=1) foo: 1}",
    );
    check(
        "#@schema/nullable\n#@assert/validate min=1\nfoo: 1",
        "#@overlay/noop\n#@overlay/remove-anns \"assert/validate\", via=is_schema\nfoo: ~",
        "{foo: 1}",
    );
}

#[test]
fn a_replaced_item_keeps_annotations_where_it_says_so() {
    let left = "#@schema/nullable\n#@schema/title \"a\"\nfoo: 1";
    check(left, "#@overlay/replace\n#@schema/title \"b\"\nfoo: 2", "{@schema/title(b) foo: 2}");
    check(
        left,
        "#@overlay/replace\n#@overlay/merge-anns\n#@schema/title \"b\"\nfoo: 2",
        "{@schema/nullable() @schema/title(a, b) foo: 2}",
    );
}

#[test]
fn annotations_of_array_items_and_documents_are_edited() {
    check(
        "l:\n#@schema/nullable\n- 1",
        "l:\n#@overlay/match by=overlay.index(0)\n#@overlay/noop\n\
         #@overlay/remove-anns \"schema/nullable\"\n- 1",
        "{l: [1]}",
    );
    let outcome = merge(
        "#@schema/title \"a\"\n---\na: 1",
        "#@overlay/replace-ann\n#@schema/title \"b\"\n---\na: 2",
        &[],
    );
    assert_eq!(outcome.text, "@schema/title(b) {a: 2}");
}

#[test]
fn nothing_is_done_to_the_value_or_its_children() {
    check("foo: {a: 1}", "#@overlay/noop\nfoo:\n  b: 1", "{foo: {a: 1}}");
    check("foo: 1", "#@overlay/match missing_ok=True\n#@overlay/noop\nbar: 1", "{foo: 1}");
    let missing = "Document on line v2.yml:1: Map item (key 'bar') on line v2.yml:3: \
                   Expected number of matched nodes to be 1, but was 0";
    check("foo: 1", "#@overlay/noop\nbar: 1", missing);
}

#[test]
fn wrong_arguments_are_reported() {
    let item = "Document on line v2.yml:1: Map item (key 'foo') on line v2.yml:";
    for (annotations, line, expected) in [
        (
            "#@overlay/replace-ann x=1",
            3,
            "Unknown 'overlay/replace-ann' annotation keyword argument 'x'",
        ),
        (
            "#@overlay/remove-anns \"a\", x=1",
            3,
            "Unknown 'overlay/remove-anns' annotation keyword argument 'x'",
        ),
        (
            "#@overlay/remove-anns",
            3,
            "expected @overlay/remove-anns to have the names of annotations, or the argument `via`",
        ),
        (
            "#@overlay/remove-anns 1",
            3,
            "expected the arguments of @overlay/remove-anns to be strings, found starlark.Int",
        ),
        (
            "#@overlay/remove-anns via=1",
            3,
            "Expected 'overlay/remove-anns' annotation keyword argument 'via' to be function, \
             but was starlark.Int",
        ),
        (
            "#@overlay/replace-ann\n#@overlay/merge-anns",
            4,
            "expected only one of @overlay/replace-ann and @overlay/merge-anns, found both",
        ),
        ("#@overlay/noop\n#@overlay/merge", 4, "Expected to find only one overlay operation"),
    ] {
        check("foo: 1", &format!("{annotations}\nfoo: 2"), &format!("{item}{line}: {expected}"));
    }
}

#[test]
fn an_annotation_without_effect_is_warned_about_once() {
    let warned = |right: &str| {
        let left = "---\na:\n  x: 1\nb:\n  x: 1";
        let outcome = merge(left, &format!("---\n{right}"), &[]);
        assert!(outcome.failure.is_none(), "{}", outcome.text);
        assert!(outcome.warnings.iter().all(|it| it.code == WITHOUT_EFFECT));
        assert!(outcome.warnings.iter().all(|it| it.severity == Severity::Warning));
        outcome.warnings.len()
    };
    assert_eq!(warned("#@schema/validation min=1\na: {x: 2}"), 1);
    assert_eq!(warned("#@assert/validate min=1\n#@schema/nullable\na: {x: 2}"), 2);
    let both = "#@overlay/match by=overlay.all, expects=2\n_:\n  #@schema/nullable\n  x: 2";
    assert_eq!(warned(both), 1);
    assert_eq!(warned("#@overlay/noop\n#@schema/nullable\na:"), 1);
    assert_eq!(warned("#@my/own\n#@overlay/merge\na: {x: 2}"), 0);
    assert_eq!(warned("#@overlay/match missing_ok=True\n#@schema/nullable\nz: 2"), 0);
    assert_eq!(warned("#@overlay/replace\n#@schema/nullable\na: 2"), 0);
    assert_eq!(warned("#@overlay/merge-anns\n#@schema/nullable\na: {x: 2}"), 0);
}

#[test]
fn what_is_not_removed_is_not_replaced_either() {
    let left = "---\n#@schema/title \"a\"\n#@schema/nullable\nfoo: 1";
    let right = "---\n#@overlay/remove-anns \"schema/nullable\"\n#@schema/title \"b\"\n\
                 #@schema/desc \"c\"\nfoo: 2";
    let outcome = merge(left, right, &[]);
    assert_eq!(outcome.text, "{@schema/title(a) @schema/desc(c) foo: 2}");
    assert_eq!(outcome.warnings.len(), 1);
}
