//! The language and its functions: expressions that are true, and the errors of those that cannot
//! be used.

mod evaluated;
mod functions;
mod language;
mod limits;
mod mistakes;

use plumb_cel::Program;
use plumb_source::{SourceKind, Sources};
use plumb_value::Node;
use plumb_yaml::ReadOptions;

pub(crate) fn node(yaml: &str) -> Node {
    let file = Sources::new().add("value.yml", SourceKind::File, yaml.as_bytes().into());
    let documents = plumb_yaml::parse(file, yaml.as_bytes(), &ReadOptions::default());
    documents.expect("YAML").swap_remove(0).node
}

/// Expects each of the expressions to be true.
pub(crate) fn hold(value: &str, expressions: &[&str]) {
    let value = node(value);
    for expression in expressions {
        let program = Program::compile(expression);
        let program = program.unwrap_or_else(|it| panic!("{expression}: {it:?}"));
        assert_eq!(program.holds(&value), Ok(true), "{expression}");
    }
}

/// The error of an expression that does not compile: the wrong part, the message, and the help.
pub(crate) fn refused(expression: &str) -> String {
    let error = Program::compile(expression).map(drop).expect_err(expression);
    error_message(expression, &error.message, error.at, error.help)
}

/// The same for an expression that cannot be evaluated.
pub(crate) fn failed(value: &str, expression: &str) -> String {
    let program = Program::compile(expression).expect(expression);
    let error = program.holds(&node(value)).expect_err(expression);
    let help = error.help.map(|it| it.shown().to_owned());
    error_message(expression, error.message.shown(), error.at, help)
}

fn error_message(
    expression: &str,
    message: &str,
    at: std::ops::Range<usize>,
    help: Option<String>,
) -> String {
    let help = help.map(|it| format!(" ({it})")).unwrap_or_default();
    format!("{}: {message}{help}", &expression[at])
}
