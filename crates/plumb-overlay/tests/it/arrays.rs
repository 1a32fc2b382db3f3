//! Overlays on arrays.

use std::sync::{Arc, Mutex};

use plumb_value::Datum;

use crate::expression::function;
use crate::outcome::{check, check_with, overlay};

const LIST: &str = "l: [{\"name\": \"x\", \"v\": 1}, {\"name\": \"y\", \"v\": 2}]";

#[test]
fn an_item_without_a_match_is_appended() {
    check("l: [1]", "l:\n- 2\n- 3", "{l: [1, 2, 3]}");
    check("l: [1]", "l:\n#@overlay/append\n- 2", "{l: [1, 2]}");
    let right = "#@overlay/match-child-defaults expects=1\nl:\n- 2";
    check("l: [1]", right, "{l: [1, 2]}");
}

#[test]
fn items_are_merged_by_the_value_of_a_key() {
    let right = "l:\n#@overlay/match by=\"name\"\n- name: y\n  v: 5";
    check(LIST, right, "{l: [{name: x, v: 1}, {name: y, v: 5}]}");
}

#[test]
fn many_items_are_merged_by_key_as_few_are() {
    let names: Vec<String> = (0..40).map(|at| format!("n{at}")).collect();
    let list = |value: usize| {
        let item = |name: &String| format!("{{name: {name}, v: {value}}}");
        names.iter().map(item).collect::<Vec<_>>().join(", ")
    };
    let left =
        names.iter().map(|name| format!("- name: {name}\n  v: 1\n")).collect::<Vec<_>>().concat();
    let item = |name: &String| format!("#@overlay/match by=\"name\"\n- name: {name}\n  v: 2\n");
    let right = names.iter().rev().map(item).collect::<Vec<_>>().concat();
    check(&format!("l:\n{left}"), &format!("l:\n{right}"), &format!("{{l: [{}]}}", list(2)));
}

#[test]
fn a_name_that_is_not_there_is_an_error_unless_it_may_be_missing() {
    let right = "l:\n#@overlay/match by=\"name\"\n- name: z";
    check(
        LIST,
        right,
        "Map item (key 'l') on line o.yml:3: Array item on line o.yml:5: \
         Expected number of matched nodes to be 1, but was 0",
    );
    let right = "l:\n#@overlay/match by=\"name\", missing_ok=True\n- name: z";
    check(LIST, right, "{l: [{name: x, v: 1}, {name: y, v: 2}, {name: z}]}");
}

#[test]
fn a_missing_key_is_an_error_on_either_side() {
    let item = "Map item (key 'l') on line o.yml:3: Array item on line o.yml:5: \
                overlay.map_key_matcher: ";
    let by_name = |item: &str| format!("l:\n#@overlay/match by=\"name\"\n- {item}");
    let missing = format!("{item}Expected to find map item with key 'name', but did not");
    let no_map = format!("{item}Expected value to be map, but was integer");
    check(LIST, &by_name("1"), &no_map);
    check(LIST, &by_name("{v: 5}"), &missing);
    check("l:\n- name: x\n- 5", &by_name("name: x"), &no_map);
    check("l:\n- name: x\n- {}", &by_name("name: x"), &missing);
    // The left side is checked first.
    check("l:\n- 5\n- name: x", &by_name("{v: 5}"), &no_map);
    // There is nothing to compare with.
    let right = "l:\n#@overlay/match by=\"name\", expects=0\n- {v: 5}";
    check("l: []", right, "{l: [{v: 5}]}");
}

#[test]
fn the_same_errors_come_of_long_lists() {
    let long = (0..20).map(|at| format!("- name: n{at}\n")).collect::<Vec<_>>().concat();
    let right = "l:\n#@overlay/match by=\"name\"\n- name: n3\n#@overlay/match by=\"name\"\n- v: 5";
    check(
        &format!("l:\n{long}"),
        right,
        "Map item (key 'l') on line o.yml:3: Array item on line o.yml:7: \
         overlay.map_key_matcher: Expected to find map item with key 'name', but did not",
    );
    check(
        &format!("l:\n{long}- 5\n"),
        right,
        "Map item (key 'l') on line o.yml:3: Array item on line o.yml:5: \
         overlay.map_key_matcher: Expected value to be map, but was integer",
    );
}

#[test]
fn lists_stay_searchable_while_they_change() {
    let long = (0..12).map(|at| format!("- name: n{at}\n  v: 0\n")).collect::<Vec<_>>().concat();
    let right = "l:\n\
                 #@overlay/match by=\"name\"\n#@overlay/remove\n- name: n1\n\
                 #@overlay/match by=\"name\", missing_ok=True\n- name: n1\n  v: 1\n\
                 #@overlay/match by=\"name\"\n#@overlay/insert before=True\n- name: n5\n  v: 5\n\
                 #@overlay/match by=\"name\", expects=2\n- name: n5\n  v: 9\n\
                 #@overlay/match by=\"name\"\n#@overlay/replace\n- name: n1\n\
                 #@overlay/match by=\"name\"\n#@overlay/remove\n- name: n0\n";
    let rest = [2, 3, 4].map(|at| format!("{{name: n{at}, v: 0}}, ")).concat();
    let more = [6, 7, 8, 9, 10, 11].map(|at| format!("{{name: n{at}, v: 0}}, ")).concat();
    let expected =
        format!("{{l: [{rest}{{name: n5, v: 9}}, {{name: n5, v: 9}}, {more}{{name: n1}}]}}");
    check(&format!("l:\n{long}"), right, &expected);
}

#[test]
fn an_item_is_matched_by_index_or_function() {
    check("l: [1, 2, 3]", "l:\n#@overlay/match by=overlay.index(1)\n- 5", "{l: [1, 5, 3]}");
    let is_two = function("is_two", |args| {
        let is_two = matches!(args[1], Datum::Node(plumb_value::Node::Int(2)));
        Ok(Datum::Node(plumb_value::Node::Bool(is_two)))
    });
    check_with("l: [1, 2, 3]", "l:\n#@overlay/match by=is_two\n- 5", &[is_two], "{l: [1, 5, 3]}");
}

#[test]
fn positions_are_those_of_the_list_as_it_is_by_then() {
    let right = "l:\n#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-\n\
                 #@overlay/match by=overlay.index(0)\n#@overlay/insert before=True\n- 9\n\
                 #@overlay/match by=overlay.index(1)\n- 5";
    check("l: [1, 2, 3]", right, "{l: [9, 5, 3]}");
}

#[test]
fn items_are_inserted_beside_each_match() {
    let right =
        "l:\n#@overlay/match by=overlay.subset(1), expects=2\n#@overlay/insert before=True\n- 0";
    check("l: [1, 2, 1]", right, "{l: [0, 1, 2, 0, 1]}");
    let right =
        "l:\n#@overlay/match by=overlay.index(1)\n#@overlay/insert before=True, after=True\n- 0";
    check("l: [1, 2, 1]", right, "{l: [1, 0, 2, 0, 1]}");
    let right = "l:\n#@overlay/match by=overlay.index(2)\n#@overlay/insert after=True\n- 0\n- 9";
    check("l: [1, 2, 1]", right, "{l: [1, 2, 1, 0, 9]}");
    let both = function("both", |args| Ok(Datum::Tuple(args.to_vec())));
    let right =
        "l:\n#@overlay/match by=overlay.index(0)\n#@overlay/insert after=True, via=both\n- 0";
    check_with("l: [1, 2]", right, &[both], "{l: [1, [1, 0], 2]}");
}

#[test]
fn nothing_happens_to_items_that_are_not_matched() {
    for operation in ["remove", "replace", "insert before=True", "assert", "noop"] {
        check("l: [1, 2]", &format!("l:\n#@overlay/{operation}\n- 1"), "{l: [1, 2]}");
    }
    check("l: [1, 2]", "l:\n#@overlay/replace or_add=True\n- 1", "{l: [1, 2, 1]}");
}

#[test]
fn all_matches_are_removed() {
    let right = "l:\n#@overlay/match by=overlay.subset(1), expects=\"1+\"\n#@overlay/remove\n-";
    check("l: [1, 2, 1]", right, "{l: [2]}");
}

#[test]
fn functions_are_called_in_the_order_of_the_list() {
    let long = (0..10).map(|at| format!("- {{name: x, v: {at}}}\n")).collect::<Vec<_>>().concat();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let left = Arc::clone(&seen);
    let note = function("note", move |args| {
        left.lock().expect("no panic").push(crate::expression::show(&args[0]));
        Ok(args[0].clone())
    });
    let insert = "#@overlay/match by=overlay.index(0)\n#@overlay/insert before=True\n- name: x\n";
    let replace = "#@overlay/match by=\"name\", expects=\"1+\"\n#@overlay/replace via=note\n\
                   - name: x\n";
    let right = format!("l:\n{insert}{replace}{insert}{replace}");
    let right = format!("#@overlay/match by=overlay.all\n---\n{right}");
    let outcome = overlay(&format!("l:\n{long}"), &right, &[note]);
    assert!(outcome.failure.is_none(), "{}", outcome.text);
    let old = (0..10).map(|at| format!("{{name: x, v: {at}}}"));
    let new = "{name: x}".to_owned();
    let first = std::iter::once(new.clone()).chain(old.clone());
    let second = [new.clone(), new].into_iter().chain(old);
    assert_eq!(*seen.lock().expect("no panic"), first.chain(second).collect::<Vec<_>>());
}

#[test]
fn an_item_that_gets_its_old_name_back_is_found_once() {
    let long = (0..10).map(|at| format!("- name: n{at}\n")).collect::<Vec<_>>().concat();
    let renamed = |from: usize, to: usize| {
        let by = format!("by=overlay.subset({{\"name\": \"n{from}\"}})");
        format!("#@overlay/match {by}\n- name: n{to}\n")
    };
    let right = format!("l:\n{}{}{}", renamed(3, 33), renamed(33, 3), renamed(3, 4));
    let expected = [0, 1, 2, 4, 4, 5, 6, 7, 8, 9].map(|at| format!("{{name: n{at}}}")).join(", ");
    check(&format!("l:\n{long}"), &right, &format!("{{l: [{expected}]}}"));
}
