//! Generated expressions, compared with the results of another evaluator.

use std::collections::HashMap;

use plumb_cel::Program;
use proptest::prelude::*;

use crate::node;

const VALUE: &str = "{num: 5, text: abé, list: [3, 1, 2], flag: true, map: {a: 1, b: 2}}";

fn leaf(texts: &'static [&'static str]) -> BoxedStrategy<String> {
    prop::sample::select(texts).prop_map(str::to_owned).boxed()
}

/// Texts of expressions of one type: `{}` is replaced by an expression of another type.
fn number(depth: u32) -> BoxedStrategy<String> {
    let leaves =
        leaf(&["0", "1", "2", "-3", "self.num", "self.map.a", "self.list[0]", "self.missing"]);
    if depth == 0 {
        return leaves;
    }
    let below = || number(depth - 1);
    prop_oneof![
        2 => leaves,
        2 => (below(), prop::sample::select(&["+", "-", "*", "/", "%"][..]), below())
            .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
        1 => text(depth - 1).prop_map(|it| format!("size({it})")),
        1 => list(depth - 1).prop_map(|it| format!("{it}.size()")),
        1 => (truth(depth - 1), below(), below())
            .prop_map(|(test, then, other)| format!("({test} ? {then} : {other})")),
        1 => (list(depth - 1), below()).prop_map(|(list, at)| format!("{list}[{at}]")),
    ]
    .boxed()
}

fn text(depth: u32) -> BoxedStrategy<String> {
    let leaves = leaf(&["''", "'a'", "'bé'", "self.text", "self.nothing"]);
    if depth == 0 {
        return leaves;
    }
    let below = || text(depth - 1);
    prop_oneof![
        2 => leaves,
        1 => (below(), below()).prop_map(|(left, right)| format!("({left} + {right})")),
        1 => number(depth - 1).prop_map(|it| format!("string({it})")),
    ]
    .boxed()
}

fn list(depth: u32) -> BoxedStrategy<String> {
    let leaves = leaf(&["[]", "[1]", "self.list", "[2, 3, 5]"]);
    if depth == 0 {
        return leaves;
    }
    let below = || list(depth - 1);
    prop_oneof![
        2 => leaves,
        1 => (below(), below()).prop_map(|(left, right)| format!("({left} + {right})")),
        1 => (below(), number(depth - 1)).prop_map(|(list, it)| format!("{list}.map(x, x + {it})")),
        1 => (below(), number(depth - 1))
            .prop_map(|(list, it)| format!("{list}.filter(x, x > {it})")),
    ]
    .boxed()
}

fn truth(depth: u32) -> BoxedStrategy<String> {
    let leaves = leaf(&["true", "false", "self.flag", "has(self.num)", "has(self.missing)"]);
    if depth == 0 {
        return leaves;
    }
    let below = || truth(depth - 1);
    let order = || prop::sample::select(&["<", "<=", ">", ">=", "==", "!="][..]);
    let test = || prop::sample::select(&["contains", "startsWith", "endsWith"][..]);
    let quantifier = || prop::sample::select(&["all", "exists", "exists_one"][..]);
    let compared = |(left, operator, right)| format!("{left} {operator} {right}");
    prop_oneof![
        1 => leaves,
        3 => (number(depth - 1), order(), number(depth - 1)).prop_map(compared),
        1 => (text(depth - 1), order(), text(depth - 1)).prop_map(compared),
        1 => (text(depth - 1), test(), text(depth - 1))
            .prop_map(|(text, test, part)| format!("{text}.{test}({part})")),
        1 => below().prop_map(|it| format!("!({it})")),
        2 => (below(), prop::sample::select(&["&&", "||"][..]), below())
            .prop_map(|(left, operator, right)| format!("({left}) {operator} ({right})")),
        1 => (number(depth - 1), list(depth - 1)).prop_map(|(it, list)| format!("{it} in {list}")),
        1 => (list(depth - 1), quantifier(), number(depth - 1))
            .prop_map(|(list, all, it)| format!("{list}.{all}(x, x != {it})")),
        1 => (list(depth - 1), list(depth - 1)).prop_map(|(left, right)| format!("{left} == {right}")),
    ]
    .boxed()
}

fn evaluated(expression: &str) -> Option<bool> {
    let mut value: HashMap<&str, cel::Value> = HashMap::new();
    value.insert("num", 5_i64.into());
    value.insert("text", "abé".into());
    value.insert("list", vec![3_i64, 1, 2].into());
    value.insert("flag", true.into());
    value.insert("map", HashMap::from([("a", 1_i64), ("b", 2)]).into());
    let mut context = cel::Context::default();
    context.add_variable_from_value("self", value);
    let program = cel::Program::compile(expression).expect(expression);
    match program.execute(&context) {
        Ok(cel::Value::Bool(holds)) => Some(holds),
        _ => None,
    }
}

/// The variables of a macro go out of scope even if its body cannot be evaluated.
#[test]
fn variables_end_with_their_macro() {
    let failing = "self.list.exists_one(x, x != [][0])";
    for (rest, expected) in
        [("&& [1].all(x, x != 1)", Some(false)), ("|| [1].all(x, x == 1)", Some(true))]
    {
        let expression = format!("{failing} {rest}");
        let program = Program::compile(&expression).expect("an expression");
        assert_eq!(program.holds(&node(VALUE)).ok(), expected, "{expression}");
        assert_eq!(evaluated(&expression), expected, "{expression}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn expressions_mean_what_they_mean_to_others(expression in truth(3)) {
        let program = Program::compile(&expression).expect("an expression");
        prop_assert_eq!(program.holds(&node(VALUE)).ok(), evaluated(&expression), "{}", expression);
    }
}
