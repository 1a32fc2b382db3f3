//! Arguments of annotations, and the messages for wrong ones.

use plumb_overlay::{BAD_ARGUMENT, MATCH_COUNT, NO_MATCH};
use plumb_value::{CallError, Datum, Node};

use crate::expression::{constant, function};
use crate::outcome::{check, check_with, overlay};

fn count(expected: &str) -> String {
    format!("Expected number of matched nodes to be {expected}, but was 1 (lines: base.yml:1)")
}

fn check_match(arguments: &str, expected: &str) {
    let expected = match expected {
        "ok" => "{a: 2}".to_owned(),
        _ => format!("Map item (key 'a') on line o.yml:4: {expected}"),
    };
    check("a: 1", &format!("#@overlay/match {arguments}\na: 2"), &expected);
}

#[test]
fn the_number_of_matches_is_compared() {
    check_match("expects=1", "ok");
    check_match("expects=2", &count("2"));
    check_match("expects=-1", &count("-1"));
    check_match("expects=18446744073709551615", &count("18446744073709551615"));
    check_match("expects=\"1+\"", "ok");
    check_match("expects=\"-2+\"", "ok");
    check_match("expects=\"+2+\"", &count(">= 2"));
    check_match("missing_ok=True", "ok");
    check_match("missing_ok=False", "ok");
}

#[test]
fn a_list_holds_alternatives() {
    check_match("expects=[0, 1]", "ok");
    check_match("expects=[]", "ok");
    check_match("expects=[2, 3, \"4+\"]", &count(">= 4"));
    check_match("expects=[[2], [3]]", &count("3"));
}

#[test]
fn a_number_of_matches_must_be_written_so() {
    for text in ["x", "x+", "0x2+", "99999999999999999999+", "1_0+", "+", ""] {
        let expected = format!("Expected '{text}' to be in format 'i+' where i is an integer");
        check_match(&format!("expects=\"{text}\""), &expected);
    }
    for (value, found) in [
        ("1.0", "starlark.Float"),
        ("None", "starlark.NoneType"),
        ("True", "starlark.Bool"),
        ("{}", "*starlark.Dict"),
        ("(2, 3)", "starlark.Tuple"),
        ("[1.5]", "starlark.Float"),
    ] {
        for argument in ["expects", "when"] {
            let expected = format!(
                "Expected 'overlay/match' annotation keyword argument '{argument}' \
                 to be either int, string or function, but was {found}"
            );
            check_match(&format!("{argument}={value}"), &expected);
        }
    }
    check_match("missing_ok=1", "Expected keyword argument 'missing_ok' to be a boolean");
}

#[test]
fn only_one_of_three_may_be_said() {
    let only_one =
        |these: &str| format!("Expected only one of keyword arguments ({these}) specified");
    check_match("missing_ok=True, expects=1", &only_one("'missing_ok', 'expects'"));
    check_match("missing_ok=True, when=1", &only_one("'missing_ok', 'when'"));
    check_match("expects=1, when=1", &only_one("'when', 'expects'"));
    check_match("expects=1, when=1, missing_ok=True", &only_one("'missing_ok', 'expects'"));
}

#[test]
fn a_function_may_check_the_number() {
    let many = function("many", |args| {
        let is_many = matches!(args[0], Datum::Node(Node::Int(number)) if number > 3);
        Ok(Datum::Node(Node::Bool(is_many)))
    });
    let fails = function("fails", |_| Err(CallError::deliberate("fail: q")));
    let one = constant("one", Datum::Node(Node::Int(1)));
    let functions = [many, fails, one];
    let check_function = |arguments: &str, expected: &str| {
        check_with("a: 1", &format!("#@overlay/match {arguments}\na: 2"), &functions, expected);
    };
    let item = "Map item (key 'a') on line o.yml:4: ";
    let refused = format!("{item}Expectation of number of matched nodes failed");
    check_function("expects=many", &refused);
    check_function("expects=[many, many]", &refused);
    check_function("expects=[many, 1]", "{a: 2}");
    check_function("when=many", "{a: 1}");
    check_function("expects=fails", &format!("{item}fail: q"));
    check_function("when=fails", &format!("{item}fail: q"));
    let no_bool = "Expected keyword argument 'expects' to have a function that returns a boolean";
    check_function("expects=one", &format!("{item}{no_bool}"));
}

#[test]
fn when_passes_over_by_its_last_alternative() {
    check("a: 1", "#@overlay/match when=[1.5, 2]\na: 2", "{a: 1}");
    check_match(
        "when=[2, 1.5]",
        "Expected 'overlay/match' annotation keyword argument 'when' \
         to be either int, string or function, but was starlark.Float",
    );
}

#[test]
fn unknown_arguments_are_reported() {
    for (annotation, name) in [
        ("overlay/match foo=1", "overlay/match"),
        ("overlay/match-child-defaults foo=1", "overlay/match-child-defaults"),
        ("overlay/replace foo=1", "overlay/replace"),
        ("overlay/assert foo=1", "overlay/assert"),
    ] {
        let expected = format!(
            "Map item (key 'a') on line o.yml:4: Unknown '{name}' annotation keyword argument 'foo'"
        );
        check("a: 1", &format!("#@{annotation}\na: 2"), &expected);
    }
}

#[test]
fn types_of_arguments_have_the_names_of_ytt() {
    for (annotation, expected) in [
        ("overlay/replace or_add=1", "expected starlark.Bool, but was starlark.Int"),
        (
            "overlay/replace via=\"f\"",
            "Expected 'overlay/replace' annotation keyword argument 'via' to be function, \
             but was starlark.String",
        ),
        (
            "overlay/assert via=1",
            "Expected 'overlay/assert' annotation keyword argument 'via' to be function, \
             but was starlark.Int",
        ),
        (
            "overlay/match by=1",
            "Expected 'overlay/match' annotation keyword argument 'by' \
             to be either string (for map key) or function, but was starlark.Int",
        ),
    ] {
        let expected = format!("Map item (key 'a') on line o.yml:4: {expected}");
        check("a: 1", &format!("#@{annotation}\na: 2"), &expected);
    }
}

#[test]
fn an_insertion_says_where() {
    for (arguments, expected) in [
        (
            "",
            "Expected 'overlay/insert' annotation to have at least one keyword argument \
             (before=..., after=...)",
        ),
        (" before=1", "expected starlark.Bool, but was starlark.Int"),
        (" after=None", "expected starlark.Bool, but was starlark.NoneType"),
        (
            " via=3",
            "Expected 'overlay/insert' annotation keyword argument 'via' to be function, \
             but was starlark.Int",
        ),
        (" foo=3", "Unknown 'overlay/insert' annotation keyword argument 'foo'"),
    ] {
        let expected =
            format!("Map item (key 'l') on line o.yml:3: Array item on line o.yml:5: {expected}");
        check("l: [1]", &format!("l:\n#@overlay/insert{arguments}\n- 1"), &expected);
    }
    check("l: [1]", "l:\n#@overlay/insert before=False\n- 1", "{l: [1]}");
}

#[test]
fn an_array_item_that_is_to_match_says_by_what() {
    for (arguments, expected) in [
        ("", " to have at least one keyword argument (by=..., expects=...)"),
        (" expects=1", " keyword argument 'by' to be specified"),
    ] {
        let expected = format!(
            "Map item (key 'l') on line o.yml:3: Array item on line o.yml:5: \
             Expected 'overlay/match' annotation{expected}"
        );
        check("l: [1]", &format!("l:\n#@overlay/match{arguments}\n- 1"), &expected);
    }
}

#[test]
fn one_operation_is_enough() {
    check(
        "a: 1",
        "#@overlay/merge\n#@overlay/remove\na: 2",
        "Map item (key 'a') on line o.yml:5: Expected to find only one overlay operation",
    );
}

#[test]
fn the_type_of_a_functions_result_is_reported() {
    let bad = "Map item (key 'a') on line o.yml:4: expected starlark.Bool, but was";
    for (result, found) in [
        (Datum::Node(Node::Int(1)), "starlark.Int"),
        (Datum::Node(Node::Null), "starlark.NoneType"),
        (Datum::Tuple(Vec::new()), "starlark.Tuple"),
        (Datum::Documents(Vec::new()), "*yamltemplate.StarlarkFragment"),
        (plumb_overlay::Matcher::all().into_datum(), "*starlark.Builtin"),
        (constant("f", Datum::Node(Node::Null)).1, "*starlark.Function"),
    ] {
        let by = constant("by_it", result);
        check_with("a: 1", "#@overlay/match by=by_it\na: 2", &[by], &format!("{bad} {found}"));
    }
    let module = constant("code", plumb_overlay::Matcher::all().into_datum());
    let expected = "Map item (key 'a') on line o.yml:4: \
                    Expected via invocation to return plain data, but was *starlark.Builtin";
    check_with("a: 1", "#@overlay/replace via=code\na: 2", &[module], expected);
}

#[test]
fn errors_point_to_the_overlay_and_to_what_it_met() {
    let right = "#@overlay/match by=overlay.all\n---\n#@overlay/match by=overlay.all\na: 2";
    let failure = overlay("a: 1\nb: 2", right, &[]).failure.expect("two matches");
    let [finding] = failure.findings() else { panic!("one finding") };
    assert_eq!(finding.code, MATCH_COUNT);
    let starts: Vec<u32> = finding.labels.iter().map(|it| it.span.start).collect();
    let item = u32::try_from(right.find("a: 2").expect("the item")).expect("a short text");
    let by = u32::try_from(right.rfind("#@").expect("its annotation")).expect("a short text");
    assert_eq!(starts, [item, by, 0, 5]);

    let right = "#@overlay/match by=overlay.all\n---\nz: 2";
    let failure = overlay("a: 1", right, &[]).failure.expect("no match");
    assert_eq!(failure.findings()[0].code, NO_MATCH);

    let right = "#@overlay/match by=overlay.all\n---\n#@overlay/match by=1\na: 2";
    let failure = overlay("a: 1", right, &[]).failure.expect("a bad argument");
    assert_eq!(failure.findings()[0].code, BAD_ARGUMENT);
}
