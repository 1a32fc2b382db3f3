//! The assignment of comments to nodes.

use super::{check_outline, read_with};
use crate::ReadOptions;

#[test]
fn a_comment_on_a_line_of_its_own_belongs_to_the_next_node() {
    check_outline("#1\na: 1\n#2\n#3\nb: 2", "doc@1 a@2^1 b@5^2^3");
    check_outline("a:\n  #1\n- b: 1", "doc@1 a@1 -@3^1 b@3");
    check_outline("#1\n- - a", "doc@1 -@2^1 -@2");
}

#[test]
fn a_comment_beside_a_node_belongs_to_the_last_of_its_line() {
    check_outline("a: #1\n  b: 1 #2", "doc@1 a@1<1 b@2<2");
    check_outline("- a: 1 #1", "doc@1 -@1 a@1<1");
    check_outline("a: {b: [1, 2]} #1", "doc@1 a@1 b@1 -@1 -@1<1");
    check_outline("a: [ #1\n  1, #2\n  2 #3\n]", "doc@1 a@1 -@1<1 -@2<2 end@?^3");
}

#[test]
fn a_comment_after_text_of_several_lines_is_not_beside_a_node() {
    check_outline("a: 'b\n  c' #1\nd: 1", "doc@1 a@1 d@3^1");
}

#[test]
fn the_first_document_has_comments_only_after_its_marker() {
    check_outline("--- #1\n#2\na: 1", "doc@1<1 a@3^2");
    check_outline("#1\n---\na: 1", "doc@1 doc@2^1 a@3");
}

#[test]
fn comments_after_the_last_node_go_to_the_next_document() {
    check_outline("a: 1\n#1\n---\n#2\nb: 1\n#3", "doc@1 a@1 doc@3^1 b@5^2 end@?^3");
    check_outline("#1", "doc@1 end@?^1");
}

#[test]
fn a_merge_key_is_no_node() {
    check_outline("a: &x {b: 1}\nc:\n  #1\n  <<: *x #2\n  d: 1", "doc@1 a@1 b@1 c@2 b@1 d@5^1^2");
}

#[test]
fn a_comment_after_an_anchored_item_goes_to_its_last_alias() {
    check_outline(
        "a: &x\n  b: #1\n  #2\n  c: 1\nd: *x\ne: *x",
        "doc@1 a@1 b@2 c@4^2 d@5 b@2 c@4 e@6 b@2<1 c@4",
    );
    check_outline("a: &x {b: [&y {c: 1}]} #1\nd: *y", "doc@1 a@1 b@1 -@1 c@1 d@2 c@1<1");
}

#[test]
fn header_lines_of_block_scalars_have_no_comments() {
    check_outline("a: | #1\n  #2\nb: 1", "doc@1 a@1 b@3");
}

#[test]
fn comments_can_be_left_out() {
    let options = ReadOptions { comments: false, ..ReadOptions::default() };
    let documents = read_with("#1\na: 1 #2\n#3", &options).expect("this is well-formed");
    assert_eq!(documents.len(), 1);
    let map = documents[0].node.as_map().expect("a map");
    assert!(map.items()[0].meta.is_empty());
}
