//! `@ytt:assert`: what must hold, in templates and as rules of validations.

use std::sync::Arc;

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Error, ErrorKind, Result, Thread, Value};
use plumb_template::{Runtime, datum};
use plumb_validation::{AssertionObject, Choices, Constraint};
use plumb_value::{Datum, Node};

use crate::arguments::{function, peer_type, text};
use crate::yaml;

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("equals".into(), function("assert.equals", |_, args| equals(args))),
        ("fail".into(), function("assert.fail", |_, args| fail(args))),
        ("try_to".into(), function("assert.try_to", try_to)),
        ("min".into(), assertion("assert.min", |value| Ok(Constraint::Min(value.clone())))),
        ("max".into(), assertion("assert.max", |value| Ok(Constraint::Max(value.clone())))),
        (
            "min_len".into(),
            assertion("assert.min_len", |value| length(value).map(Constraint::MinLen)),
        ),
        (
            "max_len".into(),
            assertion("assert.max_len", |value| length(value).map(Constraint::MaxLen)),
        ),
        ("not_null".into(), function("assert.not_null", not_null)),
        ("one_not_null".into(), function("assert.one_not_null", one_not_null)),
        ("one_of".into(), function("assert.one_of", one_of)),
    ]
}

fn count(args: &Args<'_>, wanted: usize) -> Result<()> {
    let got = args.len();
    if got == wanted {
        return Ok(());
    }
    Err(Error::new(format!("got {got} arguments, want {wanted}")))
}

/// Two values are equal if their YAML is.
fn equals(args: &Args<'_>) -> Result<Value> {
    count(args, 2)?;
    let [expected, actual] = [0, 1].map(|at| args.get(at).cloned().unwrap_or_default());
    for value in [&expected, &actual] {
        if value.is_callable() {
            let found = peer_type(value);
            return Err(Error::new(format!(
                "expected argument not to be a function, but was {found}"
            )));
        }
    }
    let [expected_yaml, actual_yaml] = [yaml::text(&expected)?, yaml::text(&actual)?];
    if expected_yaml == actual_yaml {
        return Ok(Value::None);
    }
    Err(Error::new(format!(
        "Not equal:\n(expected type: {})\n{expected_yaml}\n\n(was type: {})\n{actual_yaml}",
        expected.type_name(),
        actual.type_name()
    )))
}

fn fail(args: &Args<'_>) -> Result<Value> {
    count(args, 1)?;
    let message = text(args.get(0).unwrap_or(&Value::None))?;
    Err(Error::of_kind(ErrorKind::Fail, format!("fail: {message}")))
}

fn try_to(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    count(args, 1)?;
    let callee = args.get(0).cloned().unwrap_or_default();
    if !callee.is_callable() {
        let found = peer_type(&callee);
        return Err(Error::new(format!("expected argument to be a function, but was {found}")));
    }
    match thread.call(&callee, &[], &[]) {
        Ok(value) => Ok(Value::tuple([value, Value::None])),
        // A limit is there for the whole run.
        Err(error) if error.kind() == ErrorKind::Limit => Err(error),
        Err(error) => Ok(Value::tuple([Value::None, error.message().into()])),
    }
}

/// A function that makes an assertion of its one argument.
fn assertion(name: &'static str, make: fn(&Node) -> Result<Constraint>) -> Value {
    function(name, move |thread, args| {
        count(args, 1)?;
        let node = node(thread, args.get(0).unwrap_or(&Value::None))?;
        Ok(object(make(&node)?))
    })
}

fn length(value: &Node) -> Result<i128> {
    match value {
        Node::Int(it) => Ok(i128::from(*it)),
        Node::UInt(it) => Ok(i128::from(*it)),
        #[expect(clippy::cast_possible_truncation, reason = "lengths are cut to whole numbers")]
        Node::Float(it) => Ok(*it as i128),
        other => {
            let found = Datum::Node(other.clone());
            let found = found.type_name();
            Err(Error::new(format!("expected value to be an number, but was {found}")))
        }
    }
}

/// With a value, checks it at once.
fn not_null(_thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    match (args.len(), args.get(0)) {
        (0, _) => Ok(object(Constraint::NotNull)),
        (1, Some(Value::None)) => Err(Error::of_kind(ErrorKind::Fail, "fail: value is null")),
        (1, Some(_)) => Ok(Value::Bool(true)),
        (got, _) => Err(Error::new(format!("got {got} arguments, want at most 1"))),
    }
}

fn one_not_null(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let keys = match (args.len(), args.get(0)) {
        (0, _) | (1, Some(Value::Bool(true))) => None,
        (1, Some(Value::Bool(false))) => {
            return Err(Error::new("one_not_null() cannot be False"));
        }
        (1, Some(keys)) => Some(choices(thread, keys, "a sequence of keys")?),
        (got, _) => return Err(Error::new(format!("got {got} arguments, want 1"))),
    };
    Ok(object(Constraint::OneNotNull(keys)))
}

fn one_of(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let several = match (args.len(), args.get(0)) {
        (0, _) => return Err(Error::new("got 0 arguments, want at least 1")),
        (1, Some(sequence)) => sequence.clone(),
        _ => Value::tuple(args.positional().cloned()),
    };
    Ok(object(Constraint::OneOf(choices(thread, &several, "a sequence")?)))
}

fn choices(thread: &Thread<'_>, sequence: &Value, wanted: &str) -> Result<Choices> {
    if sequence.length().is_none() || sequence.as_text().is_some() {
        let found = sequence.type_name();
        return Err(Error::new(format!("expected {wanted}, but was a '{found}'")));
    }
    let elements = sequence.iterate().into_iter().flatten();
    let values = elements.map(|it| node(thread, &it)).collect::<Result<_>>()?;
    Ok(Choices { values, shown: sequence.repr()?.to_string() })
}

fn node(thread: &Thread<'_>, value: &Value) -> Result<Node> {
    match datum::from_value(value, &Runtime::of(thread)?, Origin::Unknown) {
        Datum::Node(node) => Ok(node),
        Datum::Tuple(_) | Datum::Documents(_) | Datum::Function(_) | Datum::Opaque(_) => {
            plumb_template::convert::to_node(value, Origin::Unknown)
        }
    }
}

fn object(constraint: Constraint) -> Value {
    datum::to_value(&Datum::Opaque(Arc::new(AssertionObject(constraint))))
}
