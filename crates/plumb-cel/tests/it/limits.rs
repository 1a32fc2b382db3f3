//! Parsing and evaluating end for every expression and value, and need little stack.

use plumb_cel::{EvaluationErrorKind, Program};
use proptest::prelude::*;

use crate::{node, refused};

fn kind_of_fault(value: &str, expression: &str) -> Option<EvaluationErrorKind> {
    let program = Program::compile(expression).expect(expression);
    program.holds(&node(value)).err().map(|it| it.kind)
}

#[test]
fn evaluation_ends() {
    let list = format!("[{}]", vec!["aaaaaaaaaaaaaaaaaaaa"; 300].join(", "));
    let endless = [
        "self.all(a, self.all(b, self.all(c, self.all(d, true))))",
        "self.map(a, self.map(b, self.map(c, [a, b, c]))).size() > 0",
        "self.all(a, self.all(b, a.matches(b + '(a*)*(a*)*(a*)*')))",
        "self.map(a, self.join('-')).map(b, b.replace('a', b)).size() > 0",
    ];
    for expression in endless {
        assert_eq!(
            kind_of_fault(&list, expression),
            Some(EvaluationErrorKind::Limit),
            "{expression}"
        );
    }
    assert_eq!(kind_of_fault(&list, "self.all(a, self.exists(b, a == b))"), None);
}

/// Each part of a text that is split is paid for, not only the text.
#[test]
fn parts_of_texts_are_paid_for() {
    let list = format!("[{}]", vec!["a".repeat(60); 150].join(", "));
    let split = |arguments: &str| {
        let expression = format!("self.all(a, self.all(b, b.split({arguments}).size() > 0))");
        kind_of_fault(&list, &expression)
    };
    assert_eq!(split("''"), Some(EvaluationErrorKind::Limit));
    assert_eq!(split("'a'"), Some(EvaluationErrorKind::Limit));
    assert_eq!(split("'a', 2"), None);
}

#[test]
fn texts_do_not_grow_without_end() {
    let nested = (0..60).fold("x.size() > 0".to_owned(), |it, _| format!("[x + x].all(x, {it})"));
    let expression = format!("['aaaaaaaa'].all(x, {nested})");
    assert_eq!(kind_of_fault("null", &expression), Some(EvaluationErrorKind::Limit));
}

#[test]
fn deep_expressions_are_refused() {
    let deep = [
        format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)),
        format!("self{}", ".a".repeat(5_000)),
        format!("self{}", "[0]".repeat(5_000)),
        format!("self{}", ".trim()".repeat(5_000)),
        format!("1{}", " + 1".repeat(5_000)),
        format!("1{}", " < 1".repeat(5_000)),
        format!("{}true", "true ? true : ".repeat(5_000)),
        format!("{}true{}", "[1].all(x, ".repeat(5_000), ")".repeat(5_000)),
        format!("{}1{}", "{1: ".repeat(5_000), "}".repeat(5_000)),
        format!("{}1{}", "-(".repeat(5_000), ")".repeat(5_000)),
    ];
    for expression in deep {
        let error_message = refused(&expression);
        let is_deep = error_message.contains("the expression nests more than");
        assert!(
            is_deep,
            "{}: {}",
            &expression[..10],
            &error_message[error_message.len().saturating_sub(100)..]
        );
    }
}

#[test]
fn long_rows_are_fine() {
    let long = [
        format!("{}true", "true && ".repeat(5_000)),
        format!("{}true", "false || ".repeat(5_000)),
        format!("{}true", "!".repeat(5_000)),
        format!("{}1 == 1", "-".repeat(5_000)),
        format!("[{}].size() > 0", "1, ".repeat(5_000)),
    ];
    for expression in long {
        let program = Program::compile(&expression).expect("it is long, not deep");
        assert_eq!(program.holds(&node("null")), Ok(true), "{}", &expression[..10]);
    }
}

#[test]
fn the_deepest_expression_fits_on_a_small_stack() {
    let expression = format!("{}true{}", "[1].all(x, ".repeat(90), ")".repeat(90));
    assert_eq!(kind_of_fault("null", &expression), None);
    let expression = format!("{}true{}", "(".repeat(95), ")".repeat(95));
    assert_eq!(kind_of_fault("null", &expression), None);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[a-z0-9 ().,\\[\\]{}?:!&|<>=+*/%'\"\\\\.-]{0,40}|\\PC{0,30}") {
        if let Ok(program) = Program::compile(&text) {
            let _ = program.holds(&node("{a: 1, b: [x]}"));
        }
    }

    #[test]
    fn no_row_of_words_makes_it_panic(words in prop::collection::vec(prop::sample::select(&[
        "self", ".a", ".b", ".list", "[0]", "[?1]", ".?a", "(", ")", "[", "]", "{", "}", ",", ":", "?", "!", "-", "+",
        "*", "/", "%", "==", "<", "in", "&&", "||", "1", "2u", "1.5", "'x'", "b'y'", "null", "true", "size(", ".size()",
        ".all(x, ", ".map(x, ", ".filter(x, ", "x", ".substring(1)", ".indexOf('x')", ".charAt(0)", ".split('')",
        ".sort()", ".format([", "'%s'", "quantity('1Gi')", ".add(", "ip('::1')", "cidr('::/0')", ".masked()",
        "semver('1.2.3')", "duration('1h')", "timestamp(0)", ".getDate()", "has(", ".orValue(", "int(", "string(",
    ][..]), 0..14)) {
        let text = words.concat();
        if let Ok(program) = Program::compile(&text) {
            let _ = program.holds(&node("{a: 1, b: [x], list: [3, 1.5, x, null]}"));
        }
    }
}
