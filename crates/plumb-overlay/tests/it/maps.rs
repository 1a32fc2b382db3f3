//! Overlays on maps.

use plumb_source::{Origin, Sources};
use plumb_value::{Datum, Node};

use crate::expression::{Names, constant, function};
use crate::notation::documents;
use crate::outcome::{check, check_with};

#[test]
fn items_are_merged_by_key() {
    check("a: 1\nb: {c: 2, d: 3}", "b:\n  c: 5", "{a: 1, b: {c: 5, d: 3}}");
}

#[test]
fn a_key_that_is_not_there_is_an_error() {
    check(
        "a: 1",
        "b: 1",
        "Map item (key 'b') on line o.yml:3: Expected number of matched nodes to be 1, but was 0",
    );
}

#[test]
fn a_key_that_may_be_missing_is_added_at_the_end() {
    check("a: 1\nb: 2", "#@overlay/match missing_ok=True\nz: {x: 1}", "{a: 1, b: 2, z: {x: 1}}");
}

#[test]
fn a_scalar_replaces_whatever_is_there() {
    check("a: {b: 1}\nl: [1]", "a: 1\nl: ~", "{a: 1, l: null}");
}

#[test]
fn null_is_replaced_by_whatever_comes() {
    check("a: ~", "a: {b: 1}", "{a: {b: 1}}");
}

#[test]
fn a_map_over_something_else_is_an_error() {
    let expected = "Map item (key 'a') on line o.yml:3: Expected map, but was";
    for (left, kind) in
        [("1", "integer"), ("x", "string"), ("1.5", "float"), ("true", "boolean"), ("[1]", "array")]
    {
        check(&format!("a: {left}"), "a: {}", &format!("{expected} {kind}"));
    }
    check("a: 1", "a: [1]", "Map item (key 'a') on line o.yml:3: Expected array, but was integer");
}

#[test]
fn items_are_removed() {
    check("a: 1\nb: 2\nc: 3", "#@overlay/remove\na:\n#@overlay/remove\nc:", "{b: 2}");
}

#[test]
fn a_removed_key_can_be_added_again() {
    let right = "#@overlay/remove\na:\n#@overlay/match missing_ok=True\na: 5";
    check("a: 1\nb: 2", right, "{b: 2, a: 5}");
}

#[test]
fn an_item_is_replaced_whole() {
    check("a: {b: 1}\nz: 1", "#@overlay/replace\na: {c: 2}", "{a: {c: 2}, z: 1}");
}

#[test]
fn a_replacement_is_added_only_if_asked() {
    check("a: 1", "#@overlay/match missing_ok=True\n#@overlay/replace\nz: 2", "{a: 1}");
    let right = "#@overlay/match missing_ok=True\n#@overlay/replace or_add=True\nz: 2";
    check("a: 1", right, "{a: 1, z: 2}");
    check(
        "a: 1",
        "#@overlay/replace or_add=True\nz: 2",
        "Map item (key 'z') on line o.yml:4: Expected number of matched nodes to be 1, but was 0",
    );
}

#[test]
fn a_replacement_can_be_computed_from_both_sides() {
    let both = function("both", |args| Ok(Datum::Tuple(args.to_vec())));
    let right = "#@overlay/replace via=both\na: 2";
    check_with("a: 1", right, std::slice::from_ref(&both), "{a: [1, 2]}");
    let right = "#@overlay/match missing_ok=True\n#@overlay/replace via=both, or_add=True\nz: 2";
    check_with("a: 1", right, &[both], "{a: 1, z: [null, 2]}");
}

#[test]
fn a_replacement_through_a_function_takes_the_new_key() {
    let is_format = function("is_format", |args| {
        Ok(Datum::Node(Node::Bool(args[0].as_str() == Some("format"))))
    });
    let left = function("left", |args| Ok(args[0].clone()));
    let right = "#@overlay/match by=is_format\n#@overlay/replace via=left\nebook: ~\nid: 2";
    check_with("id: 1\nformat: mobi", right, &[is_format, left], "{id: 2, ebook: mobi}");
}

#[test]
fn many_items_can_be_matched_at_once() {
    let right = "#@overlay/match by=overlay.all, expects=2\nx:\n  v: 5";
    check("a: {v: 1}\nb: {v: 2}", right, "{a: {v: 5}, b: {v: 5}}");
    let right = "#@overlay/match by=overlay.subset({\"v\": 2})\nx:\n  v: 5";
    check("a: {v: 1}\nb: {v: 2}", right, "{a: {v: 1}, b: {v: 5}}");
}

#[test]
fn items_can_be_matched_by_the_value_of_a_key() {
    let right = "#@overlay/match by=\"name\"\n_: {name: y, v: 5}";
    check(
        "a: {name: x, v: 1}\nb: {name: y, v: 2}",
        right,
        "{a: {name: x, v: 1}, b: {name: y, v: 5}}",
    );
    let item = "Map item (key '_') on line o.yml:4: overlay.map_key_matcher: ";
    check("a: 1", right, &format!("{item}Expected value to be map, but was integer"));
    let missing = format!("{item}Expected to find map item with key 'name', but did not");
    check("a: {}", right, &missing);
}

#[test]
fn what_is_added_is_not_executed() {
    let right = "#@overlay/match missing_ok=True\nz:\n  #@overlay/remove\n  a: 1";
    check("a: 1", right, "{a: 1, z: {a: 1}}");
}

#[test]
fn nothing_can_be_inserted_or_appended() {
    for (annotation, name) in
        [("@overlay/insert before=True", "@overlay/insert"), ("@overlay/append", "@overlay/append")]
    {
        let expected = format!(
            "Map item (key 'a') on line o.yml:4: Found {name} on map item (o.yml:4); \
             only array items can be annotated with {name}"
        );
        check("a: 1", &format!("#{annotation}\na: 2"), &expected);
    }
}

#[test]
fn defaults_hold_for_children_and_theirs() {
    let right = "#@overlay/match-child-defaults missing_ok=True\nb:\n  x:\n    y: 1";
    check("b: {x: {}}", right, "{b: {x: {y: 1}}}");
    let right = "#@overlay/match-child-defaults missing_ok=True\nz: 1";
    check(
        "b: 1",
        right,
        "Map item (key 'z') on line o.yml:4: Expected number of matched nodes to be 1, but was 0",
    );
}

#[test]
fn defaults_are_overridden_by_the_same_argument_only() {
    let right = "#@overlay/match-child-defaults missing_ok=True\nb:\n  \
                 #@overlay/match missing_ok=False\n  z: 1";
    check(
        "b: {}",
        right,
        "Map item (key 'b') on line o.yml:4: Map item (key 'z') on line o.yml:6: \
         Expected number of matched nodes to be 1, but was 0",
    );
    let right = "#@overlay/match-child-defaults missing_ok=True\nb:\n  \
                 #@overlay/match expects=1\n  z: 1";
    check(
        "b: {}",
        right,
        "Map item (key 'b') on line o.yml:4: Map item (key 'z') on line o.yml:6: \
         Expected only one of keyword arguments ('missing_ok', 'expects') specified",
    );
}

#[test]
fn an_assertion_without_a_function_compares() {
    let wrong = |right: &str, mismatch: &str| {
        let (key, _) = right.split_once(':').expect("a key");
        let expected = format!(
            "Map item (key '{key}') on line o.yml:4: \
             Expected objects to equal, but did not: {mismatch}"
        );
        check("a: 1\nb: {c: 2}\nl: [1, 2]", &format!("#@overlay/assert\n{right}"), &expected);
    };
    wrong("a: 2", "Expected leaf values to match integer integer");
    wrong("a: 1.0", "Expected leaf values to match integer float");
    wrong("a: ~", "Expected leaf values to match integer null");
    wrong("b: x", "Expected leaf values to match map string");
    wrong("b: []", "Expected array, but was map");
    wrong("b: {z: 1}", "Expected at least one map item to match by key");
    wrong("l: {}", "Expected map, but was array");
    wrong("l: [1, 2, 3]", "Expected to have matching number of array items");
    check(
        "a: 1\nl: [1, 2]",
        "#@overlay/assert\nl:\n#@overlay/match by=overlay.index(0)\n- 1",
        "{a: 1, l: [1, 2]}",
    );
}

#[test]
fn an_assertion_merges_the_children_but_not_a_scalar() {
    let yes = constant("yes", Datum::Node(Node::Null));
    let right = "#@overlay/assert via=yes\nb: {c: 7}";
    check_with("a: 1\nb: {c: 2}", right, std::slice::from_ref(&yes), "{a: 1, b: {c: 7}}");
    check_with("a: 1", "#@overlay/assert via=yes\na: 7", &[yes], "{a: 1}");
}

#[test]
fn an_assertion_s_function_says_why() {
    let failed = "Map item (key 'a') on line o.yml:4: \
                  Expected via invocation to return true, but was false";
    let message = Datum::Tuple(vec![Datum::Node(Node::Bool(false)), Datum::Node("why".into())]);
    let neither = "Map item (key 'a') on line o.yml:4: Expected via invocation to return \
                   NoneType, Bool or Tuple(Bool,String), but returned neither of those";
    let one = Datum::Node(Node::Int(1));
    for (result, expected) in [
        (Datum::Node(Node::Bool(false)), failed.to_owned()),
        (message, format!("{failed} with message: why")),
        (Datum::Tuple(vec![one.clone(), one.clone()]), neither.to_owned()),
        (one, neither.to_owned()),
        (Datum::Node(Node::Bool(true)), "{a: 1}".to_owned()),
    ] {
        let says = constant("says", result);
        check_with("a: 1", "#@overlay/assert via=says\na: 2", &[says], &expected);
    }
}

#[test]
fn an_item_is_passed_over_when_the_number_of_matches_is_another() {
    check("a: 1", "#@overlay/match when=2\na: 2", "{a: 1}");
    check("a: 1", "#@overlay/match when=1\na: 2", "{a: 2}");
    check("a: 1", "#@overlay/match when=1\nz: 2", "{a: 1}");
    check("a: 1", "#@overlay/match when=0\nz: 2", "{a: 1, z: 2}");
}

#[test]
fn keys_that_are_not_strings_are_reported_with_their_type() {
    check(
        "1: 2\ntrue: 3",
        "1: {a: 1}",
        "Map item (key '%!s(int=1)') on line o.yml:3: Expected map, but was integer",
    );
    check("1: 2\ntrue: 3", "true: 4", "{1: 2, true: 4}");
}

#[test]
fn a_key_is_not_put_into_a_map_twice() {
    let twice = "Expected key 'b' to be in a map once, but was twice";
    let right = "#@overlay/match by=overlay.subset(1)\n#@overlay/replace\nb: 5";
    let lines = "(lines: o.yml:5, base.yml:2)";
    check("a: 1\nb: 2", right, &format!("Map item (key 'b') on line base.yml:2: {twice} {lines}"));
    let right = "#@overlay/match by=overlay.subset(0), missing_ok=True\nb: 5";
    let lines = "(lines: base.yml:2, o.yml:4)";
    check("a: 1\nb: 2", right, &format!("Map item (key 'b') on line o.yml:4: {twice} {lines}"));
    let right = "m:\n  #@overlay/match by=overlay.all, expects=2\n  #@overlay/replace\n  b: 5";
    let lines = "(lines: o.yml:6, o.yml:6)";
    check(
        "m: {x: 1, y: 2}",
        right,
        &format!("Map item (key 'b') on line o.yml:6: {twice} {lines}"),
    );
}

#[test]
fn a_key_may_be_there_twice_for_a_while() {
    let right = "#@overlay/match by=overlay.subset(1)\n#@overlay/replace\nb: 5\n\
                 #@overlay/match by=overlay.subset(2)\n#@overlay/remove\n_:";
    check("a: 1\nb: 2", right, "{b: 5}");
    let right = "#@overlay/match by=overlay.subset(1)\n#@overlay/replace\nb: 5\n\
                 #@overlay/match by=overlay.all\n---\n\
                 #@overlay/match by=overlay.subset(2)\n#@overlay/remove\n_:";
    check("a: 1\nb: 2", right, "{b: 5}");
}

#[test]
fn a_value_is_from_where_it_was_taken_and_the_rest_from_where_it_was() {
    let sources = Sources::new();
    let read = |name: &str, text: &str| documents(&sources, name, text, &Names::new()).remove(0);
    let left = read("l.yml", "---\na: 1\nb: {x: 1}\nc: 1\nl: [1, 2]\nn: ~");
    let right = read(
        "r.yml",
        "---\na: 2\nb:\n  x: 2\n#@overlay/replace\nc: {y: 1}\nl:\n\
         #@overlay/match by=overlay.index(0)\n- 3\nn: {z: 1}",
    );
    let result = crate::outcome::merged(left, &right, &sources, &mut Vec::new()).expect("a merge");
    let mut places = vec![sources.place(result.origin.span().expect("a place"))];
    let mut nodes = vec![&result.node];
    while let Some(node) = nodes.pop() {
        for item in node.as_map().into_iter().flat_map(plumb_value::Map::items) {
            places.push(format!(
                "{}@{}",
                plumb_peer::message(&item.key.key_words()).shown(),
                place(&sources, item.origin)
            ));
            nodes.push(&item.node);
        }
        for item in node.as_array().into_iter().flat_map(|array| &array.items) {
            places.push(format!("-@{}", place(&sources, item.origin)));
        }
    }
    assert_eq!(
        places.join(" "),
        "l.yml:1 a@r.yml:2 b@l.yml:3 c@r.yml:6 l@l.yml:5 n@r.yml:10 z@r.yml:10 \
         -@r.yml:9 -@l.yml:5 y@r.yml:6 x@r.yml:4"
    );
}

fn place(sources: &Sources, origin: Origin) -> String {
    sources.place(origin.span().expect("a place"))
}
