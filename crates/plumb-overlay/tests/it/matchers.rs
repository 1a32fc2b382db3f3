//! The matchers of the `overlay` module, alone and called as functions.

use plumb_overlay::Matcher;
use plumb_value::{CallError, Callable, Datum, Node};

use crate::expression::{constant, function};
use crate::outcome::{check, check_with};

fn removed_by(matcher: &str, expected: &str) {
    let right = format!("#@overlay/match by={matcher}, expects=\"0+\"\n#@overlay/remove\n_:");
    check("a: 1\nb: {c: 1, d: [1, 2]}\nf: 1.0\nn: ~", &right, expected);
}

#[test]
fn a_subset_is_what_is_contained() {
    removed_by("overlay.subset(1)", "{b: {c: 1, d: [1, 2]}, f: 1.0, n: null}");
    removed_by("overlay.subset(1.0)", "{a: 1, b: {c: 1, d: [1, 2]}, n: null}");
    removed_by("overlay.subset(None)", "{a: 1, b: {c: 1, d: [1, 2]}, f: 1.0}");
    removed_by("overlay.subset({\"c\": 1})", "{a: 1, f: 1.0, n: null}");
    removed_by("overlay.subset({\"d\": [1]})", "{a: 1, f: 1.0, n: null}");
    removed_by("overlay.subset({\"d\": [2]})", "{a: 1, b: {c: 1, d: [1, 2]}, f: 1.0, n: null}");
    removed_by("overlay.subset({})", "{a: 1, f: 1.0, n: null}");
}

#[test]
fn matchers_are_combined() {
    removed_by("overlay.not_op(overlay.subset(1))", "{a: 1}");
    removed_by(
        "overlay.and_op(overlay.subset({\"c\": 1}), overlay.not_op(overlay.subset({\"c\": 1})))",
        "{a: 1, b: {c: 1, d: [1, 2]}, f: 1.0, n: null}",
    );
    removed_by(
        "overlay.or_op(overlay.subset(1), overlay.subset(None))",
        "{b: {c: 1, d: [1, 2]}, f: 1.0}",
    );
}

#[test]
fn functions_are_combined_with_matchers() {
    let is_b = function("is_b", |args| Ok(Datum::Node(Node::Bool(args[0].as_str() == Some("b")))));
    let right = "#@overlay/match by=overlay.not_op(overlay.or_op(overlay.subset(1), is_b))\n\
                 #@overlay/remove\n_:";
    check_with("a: 1\nb: 2\nc: 3", right, &[is_b], "{a: 1, b: 2}");
}

#[test]
fn errors_name_the_matchers_they_went_through() {
    let item = "Map item (key 'a') on line o.yml:4: ";
    let wrong = "overlay.map_key_matcher: Expected value to be map, but was integer";
    for (matcher, expected) in [
        ("overlay.and_op(overlay.map_key(\"q\"))", format!("overlay.and_op: {wrong}")),
        ("overlay.or_op(overlay.map_key(\"q\"))", format!("overlay.or_op: {wrong}")),
        (
            "overlay.not_op(overlay.and_op(overlay.map_key(\"q\")))",
            format!("overlay.or_op: overlay.and_op: {wrong}"),
        ),
        ("overlay.index(0)", "overlay.index_matcher: expected starlark.Int".to_owned()),
        ("overlay.and_op(1)", "overlay.and_op: invalid call of non-function (int)".to_owned()),
    ] {
        let right = format!("#@overlay/match by={matcher}\na: 5");
        check("a: 1", &right, &format!("{item}{expected}"));
    }
    let one = constant("one", Datum::Node(Node::Int(1)));
    let fails = function("fails", |_| Err(CallError::deliberate("fail: x")));
    let functions = [one, fails];
    for (name, expected) in
        [("one", "expected starlark.Bool, but was starlark.Int"), ("fails", "fail: x")]
    {
        let right = format!("#@overlay/match by=overlay.and_op({name})\na: 5");
        check_with("a: 1", &right, &functions, &format!("{item}overlay.and_op: {expected}"));
    }
}

#[test]
fn templates_can_call_matchers() {
    let call = |matcher: &Matcher, args: &[i64]| {
        let args = args.iter().map(|it| Datum::Node(Node::Int(*it))).collect();
        matcher.call(args).map(|it| matches!(it, Datum::Node(Node::Bool(true))))
    };
    assert!(call(&Matcher::all(), &[0, 1, 2]).expect("an answer"));
    assert!(call(&Matcher::index(3), &[3, 1, 2]).expect("an answer"));
    assert!(!call(&Matcher::index(3), &[2, 1, 2]).expect("an answer"));
    let subset = Matcher::subset(&Datum::Node(Node::Int(1))).expect("plain data");
    assert!(call(&subset, &[0, 1, 2]).expect("an answer"));
    for (matcher, name) in [
        (Matcher::all(), "overlay.all"),
        (Matcher::index(0), "overlay.index"),
        (Matcher::map_key("x".into()), "overlay.map_key"),
        (subset.clone(), "overlay.subset"),
        (Matcher::not(Matcher::all().into_datum()).expect("a matcher"), "overlay.not_op"),
    ] {
        let error = call(&matcher, &[0]).expect_err("one argument");
        assert_eq!(error.message.shown(), format!("{name}: expected exactly 3 arguments"));
    }
}

#[test]
fn a_subset_is_plain_data() {
    let error = Matcher::subset(&Matcher::all().into_datum()).expect_err("a function");
    assert_eq!(error.message.shown(), "expected plain data, found builtin_function_or_method");
}

#[test]
fn matchers_do_not_hold_each_other_without_end() {
    let mut matcher = Matcher::all();
    let error = loop {
        match Matcher::not(matcher.into_datum()) {
            Ok(next) => matcher = next,
            Err(error) => break error,
        }
    };
    assert_eq!(error.message.shown(), "matchers contain each other more than 200 levels deep");
}
