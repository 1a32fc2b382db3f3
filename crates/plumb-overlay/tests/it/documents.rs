//! Overlays on documents of one file and of several.

use crate::expression::Names;
use crate::outcome::{merge, merge_plain, overlay, overlay_files};

fn check(base: &str, right: &str, expected: &str) {
    let outcome = overlay(base, right, &[]);
    let text = outcome.text.strip_prefix("Overlaying (in following order: o.yml): ");
    assert_eq!(text.unwrap_or(&outcome.text), expected, "{right}");
}

fn check_files(files: &[(&str, &str)], expected: &str) {
    assert_eq!(overlay_files(files, &Names::new()).text, expected);
}

#[test]
fn documents_are_chosen_by_a_matcher() {
    let base = "kind: A\nv: 1\n---\nkind: B\nv: 1";
    let right = "#@overlay/match by=overlay.subset({\"kind\": \"B\"})\n---\nv: 2";
    check(base, right, "{kind: A, v: 1} --- {kind: B, v: 2}");
}

#[test]
fn too_many_matches_are_reported_with_their_lines() {
    let base = (0..12).map(|at| format!("---\na: {at}\n")).collect::<Vec<_>>().concat();
    check(
        &base,
        "#@overlay/match by=overlay.all\n---\na: 1",
        "Document on line o.yml:2: Expected number of matched nodes to be 1, but was 12 \
         (lines: base.yml:1, base.yml:11, base.yml:13, base.yml:15, base.yml:17, base.yml:19, \
         base.yml:21, base.yml:23, base.yml:3, base.yml:5, base.yml:7, base.yml:9)",
    );
}

#[test]
fn a_document_that_matches_nothing_is_not_added() {
    let right = "#@overlay/match by=overlay.subset({\"z\": 1}), missing_ok=True\n---\na: 2";
    check("a: 1", right, "{a: 1}");
}

#[test]
fn documents_are_removed_replaced_and_inserted() {
    let base = "a: 1\n---\nb: 2";
    let index = |operation: &str| {
        format!("#@overlay/match by=overlay.index(0)\n#@overlay/{operation}\n---\nz: 1")
    };
    check(base, &index("remove"), "{b: 2}");
    check(base, &index("replace"), "{z: 1} --- {b: 2}");
    check(base, &index("insert before=True"), "{z: 1} --- {a: 1} --- {b: 2}");
    check(base, &index("insert after=True"), "{a: 1} --- {z: 1} --- {b: 2}");
    check(base, &index("append"), "{a: 1} --- {b: 2} --- {z: 1}");
}

#[test]
fn files_keep_their_order() {
    let files = [
        ("b.yml", "b: 1\n---\nb: 2"),
        ("a.yml", "a: 1"),
        ("o.yml", "#@overlay/match by=overlay.index(2)\n---\na: 9"),
        (
            "p.yml",
            "#@overlay/match by=overlay.all\n#@overlay/append\n---\nlast: 1\n\
             #@overlay/match by=overlay.subset(0), missing_ok=True\n\
             #@overlay/replace or_add=True\n---\nfirst: 1\n\
             #@overlay/match by=overlay.index(2)\n#@overlay/insert after=True\n---\nsecond: 1\n\
             #@overlay/match by=overlay.index(4)\n---\na: 10\n\
             #@overlay/match by=overlay.subset(0), missing_ok=True\n\
             #@overlay/replace or_add=True\n---\nthird: 1",
        ),
    ];
    let expected = "{b: 1} --- {b: 2} --- {first: 1} --- {second: 1} --- {third: 1} | \
                    {a: 10} --- {last: 1}";
    check_files(&files, expected);
}

#[test]
fn a_file_may_hold_overlays_and_documents() {
    let files = [
        ("a.yml", "#@overlay/match by=overlay.subset({\"b\": 1})\n---\nb: 2\n---\na: 1\n---\n{}"),
        ("b.yml", "b: 1\n---"),
    ];
    check_files(&files, "{a: 1} | {b: 2}");
}

#[test]
fn only_a_match_makes_an_overlay() {
    check("a: 1", "#@overlay/append\n---\na: 2", "{a: 1} | {a: 2}");
}

#[test]
fn the_files_of_overlays_are_listed_in_order() {
    let files = [
        ("a.yml", "a: 1"),
        ("o.yml", "#@overlay/match by=overlay.all\n---\na: 2"),
        ("p.yml", "#@overlay/match by=overlay.all\n---\nz: 2"),
    ];
    check_files(
        &files,
        "Overlaying (in following order: o.yml, p.yml): Document on line p.yml:2: \
         Map item (key 'z') on line p.yml:3: Expected number of matched nodes to be 1, but was 0",
    );
}

#[test]
fn later_overlays_see_what_earlier_ones_did() {
    let base = (0..12).map(|at| format!("---\nn: {at}\n")).collect::<Vec<_>>().concat();
    let right = "#@overlay/match by=overlay.subset({\"n\": 3})\n---\nn: 30\n\
                 #@overlay/match by=overlay.subset({\"n\": 3}), expects=0\n---\nn: 1\n\
                 #@overlay/match by=overlay.subset({\"n\": 30})\n#@overlay/remove\n---\n\
                 #@overlay/match by=overlay.subset({\"n\": 30}), expects=0\n---\nn: 1\n\
                 #@overlay/match by=overlay.subset({\"n\": 5})\n#@overlay/replace\n---\nn: 7\n\
                 #@overlay/match by=overlay.subset({\"n\": 7}), expects=2\n---\nn: 8\n\
                 #@overlay/match by=overlay.subset({\"n\": 8}), expects=3\n#@overlay/remove\n---";
    let expected = [0, 1, 2, 4, 6, 9, 10, 11].map(|at| format!("{{n: {at}}}")).join(" --- ");
    check(&base, right, &expected);
}

#[test]
fn nothing_can_be_added_where_there_is_no_document() {
    let expected = "Document on line o.yml:3: \
                    Expected to find at least one document to add to, but there is none";
    check("", "#@overlay/match by=overlay.all\n#@overlay/append\n---\na: 1", expected);
    let right = "#@overlay/match by=overlay.all, missing_ok=True\n\
                 #@overlay/replace or_add=True\n---\na: 1";
    check("", right, expected);
    let right = "#@overlay/match by=overlay.all\n---\na: 1";
    check(
        "",
        right,
        "Document on line o.yml:2: Expected number of matched nodes to be 1, but was 0",
    );
}

#[test]
fn a_file_whose_documents_were_all_removed_can_be_added_to() {
    let right = "#@overlay/match by=overlay.all\n#@overlay/remove\n---\n\
                 #@overlay/match by=overlay.all\n#@overlay/append\n---\nq: 1\n\
                 #@overlay/match by=overlay.subset(0), missing_ok=True\n\
                 #@overlay/replace or_add=True\n---\nz: 1";
    check("a: 1", right, "{q: 1} --- {z: 1}");
}

#[test]
fn a_match_of_documents_needs_a_function() {
    let expected = "Document on line o.yml:2: Expected 'overlay/match' annotation";
    for (arguments, rest) in [
        ("", " to have at least one keyword argument (by=..., expects=...)"),
        (" overlay.all", " to have at least one keyword argument (by=..., expects=...)"),
        (" expects=1", " keyword argument 'by'  to be specified"),
        (" by=\"x\"", " keyword argument 'by' to be function, but was starlark.String"),
        (" by=1", " keyword argument 'by' to be function, but was starlark.Int"),
    ] {
        let right = format!("#@overlay/match{arguments}\n---\na: 1");
        check("a: 1", &right, &format!("{expected}{rest}"));
    }
}

#[test]
fn values_are_merged_whatever_the_match_says() {
    let check = |right: &str, expected: &str| {
        assert_eq!(merge("---\na: 1", right, &[]).text, expected, "{right}");
    };
    check("---\na: 2", "{a: 2}");
    check("#@overlay/match by=1\n---\na: 2", "{a: 2}");
    check("#@overlay/match\n---\na: 2", "{a: 2}");
    check("#@overlay/match when=2\n---\na: 2", "{a: 1}");
    check(
        "#@overlay/match expects=2\n---\na: 2",
        "Document on line v2.yml:2: Expected number of matched nodes to be 2, but was 1 \
         (lines: v1.yml:1)",
    );
    check(
        "#@overlay/match z=2\n---\na: 2",
        "Document on line v2.yml:2: Unknown 'overlay/match' annotation keyword argument 'z'",
    );
    check("#@overlay/replace\n---\nb: 2", "{b: 2}");
    check("---\n~", "null");
    check("---\n- 1", "Document on line v2.yml:1: Expected array, but was map");
    check("#@overlay/insert before=True\n---\nb: 2", "{b: 2}");
}

#[test]
fn values_that_are_added_beside_others_are_warned_about() {
    let outcome = merge("---\na: 1", "#@overlay/append\n---\nb: 2", &[]);
    assert_eq!(outcome.text, "{a: 1}");
    let codes: Vec<_> = outcome.warnings.iter().map(|it| it.code).collect();
    assert_eq!(codes, [plumb_overlay::WITHOUT_EFFECT]);
}

#[test]
fn values_cannot_be_removed() {
    let outcome = merge("---\na: 1", "#@overlay/remove\n---\na: 2", &[]);
    let expected =
        "Document on line v2.yml:2: expected a document of values to remain, but this removes it";
    assert_eq!(outcome.text, expected);
}

#[test]
fn plain_values_are_merged_without_a_word() {
    let check = |left: &str, right: &str, expected: &str| {
        assert_eq!(merge_plain(left, right).text, expected, "{right}");
    };
    let left = "---\na: {b: 1, c: [1, 2]}\nd: ~";
    check(left, "---\na: {c: [3]}", "{a: {b: 1, c: [3]}, d: null}");
    check(
        left,
        "---\na: {new: {x: 1}}\nd: {y: 1}",
        "{a: {b: 1, c: [1, 2], new: {x: 1}}, d: {y: 1}}",
    );
    check(left, "---\na: 1", "{a: 1, d: null}");
    check(left, "---\n~", "null");
    check(left, "---\n{}", "{a: {b: 1, c: [1, 2]}, d: null}");
    check(
        left,
        "---\na:\n  b: {}",
        "Document on line v2.yml:1: Map item (key 'a') on line v2.yml:2: \
         Map item (key 'b') on line v2.yml:3: Expected map, but was integer",
    );
}
