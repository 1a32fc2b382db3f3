//! Inputs that would cost too much.

use std::fmt::Write as _;

use super::{outcome, read_with, values};
use crate::{Limits, ReadOptions};

#[track_caller]
fn check_limits(text: &str, limits: Limits, expected: &str) {
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = read_with(text, &options).expect_err("this is too much");
    assert_eq!(outcome(&error), expected);
}

#[test]
fn nesting_is_limited_in_every_form() {
    let limits = Limits { depth: 3, ..Limits::default() };
    let expected = "line 1: TooDeep(3)";
    for text in ["[[[[]]]]", "{a: {b: {c: {}}}}", "- - - - x", "? ? ? ? x", "[a: {b: [c: d]}]"] {
        check_limits(text, limits, expected);
    }
    check_limits("a:\n b:\n  c:\n   d: 1", limits, "line 4: TooDeep(3)");
}

#[test]
fn aliases_nest_what_they_stand_for() {
    let limits = Limits { depth: 3, ..Limits::default() };
    check_limits("- &a [[]]\n- [*a]", limits, "line 2: TooDeep(3)");
}

#[test]
fn aliases_that_multiply_are_an_error_before_they_cost_anything() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        let _ = writeln!(bomb, "a{level}: &a{level} [{aliases}]");
    }
    assert_eq!(values(&bomb), "line 7: TooManyAliased(10000000)");
}

#[test]
fn merges_that_multiply_are_an_error_before_they_cost_much() {
    let mut bomb = "a0: &a0 {x: 1, y: 2}\n".to_owned();
    for level in 1..60 {
        let before = level - 1;
        let _ = writeln!(bomb, "a{level}: &a{level} {{<<: *a{before}, <<: *a{before}}}");
    }
    let limits = Limits { aliased_values: 1000, ..Limits::default() };
    check_limits(&bomb, limits, "line 7: TooManyAliased(1000)");
}

#[test]
fn deep_documents_within_the_limit_are_read_and_dropped() {
    let run = || {
        let depth = 9_999;
        let flow = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let blocks = "- ".repeat(depth);
        let maps: Vec<String> = (0..500).map(|level| " ".repeat(level) + "a:\n").collect();
        for text in [flow, blocks, maps.concat()] {
            assert!(read_with(&text, &ReadOptions::default()).is_ok());
        }
    };
    // Dropping a tree is recursive, so it needs the stack that the command line has.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run);
    thread.expect("a thread can be started").join().expect("no stack is exhausted");
}
