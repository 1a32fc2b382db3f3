//! The rules of `@ytt:assert`: each function creates an assertion object, whose `check` validates a
//! value. Annotations have the same rules as keywords.

use std::sync::Arc;

use plumb_source::message::{WantedCount, argument_count};
use plumb_source::{Origin, message};
use plumb_starlark::{Args, Doc, Error, ErrorKind, Result, Tally, Thread, Value};
use plumb_template::{Runtime, datum};
use plumb_validation::{AssertionObject, Choices, Constraint};
use plumb_value::{Datum, Expected, Node, Opaque};

use crate::arguments::{count, function};

/// Approximately how many bytes of a compiled rule are created in the time of one step.
const BYTES_PER_STEP: usize = 8;

/// Creates the function of a rule that ytt does not have. It reads its arguments as the keyword of
/// annotations does.
pub(crate) fn from_keyword(doc: &Doc) -> Value {
    let name = doc.name();
    function(doc.full_name(), move |thread, args| {
        let runtime = Runtime::of(thread)?;
        let args = args.positional().map(|it| datum::from_argument(it, &runtime));
        let args = args.collect::<Result<Vec<_>>>()?;
        let made = AssertionObject::new(name, &args).map_err(Error::new)?;
        thread.count_steps(made.size() / BYTES_PER_STEP)?;
        Ok(datum::to_value(&Datum::Opaque(Arc::new(made))))
    })
}

/// Creates the function of a rule about a limit.
pub(crate) fn limit(doc: &Doc, rule: fn(Node) -> Constraint) -> Value {
    function(doc.full_name(), move |thread, args| {
        count(args, 1)?;
        let limit = node(thread, args.get(0).unwrap_or(&Value::None))?;
        Ok(object(rule(limit)))
    })
}

/// Creates the function of a rule about a length.
pub(crate) fn length(doc: &Doc, rule: fn(i128) -> Constraint) -> Value {
    function(doc.full_name(), move |_, args| {
        count(args, 1)?;
        let length = match args.get(0).unwrap_or(&Value::None) {
            Value::Int(it) => i128::from(*it),
            Value::BigInt(it) => i128::try_from(&**it).unwrap_or(i128::MAX),
            #[expect(clippy::cast_possible_truncation, reason = "truncated to an integer")]
            Value::Float(it) if it.is_finite() => *it as i128,
            other => {
                let found = message::found(other.type_name());
                let expected = Expected::Length.words();
                let message = message!("expected value to be {expected}, {found}");
                return Err(Error::new(message));
            }
        };
        Ok(object(rule(length)))
    })
}

/// If a value is given, checks it immediately.
pub(crate) fn not_null(args: &Args<'_>) -> Result<Value> {
    match (args.len(), args.get(0)) {
        (0, _) => Ok(object(Constraint::NotNull)),
        (1, Some(Value::None)) => Err(Error::of_kind(ErrorKind::Fail, "fail: value is null")),
        (1, Some(_)) => Ok(Value::Bool(true)),
        (got, _) => Err(Error::new(argument_count(WantedCount::AtMost(1), got))),
    }
}

pub(crate) fn one_not_null(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let keys = match (args.len(), args.get(0)) {
        (0, _) | (1, Some(Value::Bool(true))) => None,
        (1, Some(Value::Bool(false))) => {
            return Err(Error::new("one_not_null() cannot be False"));
        }
        (1, Some(keys)) => Some(choices(thread, keys, "a sequence of keys")?),
        (got, _) => return Err(Error::new(argument_count(WantedCount::Of(1), got))),
    };
    Ok(object(Constraint::OneNotNull(keys)))
}

pub(crate) fn one_of(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let several = match (args.len(), args.get(0)) {
        (0, _) => return Err(Error::new(argument_count(WantedCount::AtLeast(1), 0))),
        (1, Some(sequence)) => sequence.clone(),
        _ => Value::tuple(args.positional().cloned()),
    };
    Ok(object(Constraint::OneOf(choices(thread, &several, "a sequence")?)))
}

fn choices(thread: &mut Thread<'_>, sequence: &Value, wanted: &'static str) -> Result<Choices> {
    let length = sequence.length().filter(|_| sequence.as_text().is_none());
    let Some(length) = length else {
        let found = message::found_type(sequence.type_name());
        return Err(Error::new(message!("expected {wanted}, {found}")));
    };
    // The elements of a range do not take memory yet.
    let bytes = length.saturating_mul(size_of::<Node>());
    thread.check_memory(bytes)?;
    thread.count_steps(length)?;
    thread.count_built(bytes)?;
    let mut values = Vec::with_capacity(length);
    for element in sequence.iterate().into_iter().flatten() {
        values.push(node(thread, &element)?);
    }
    Ok(Choices { values, shown: thread.repr(sequence)?.to_string() })
}

pub(crate) fn node(thread: &Thread<'_>, value: &Value) -> Result<Node> {
    match datum::from_argument(value, &Runtime::of(thread)?)? {
        Datum::Node(node) => Ok(node),
        Datum::Tuple(_) | Datum::Documents(_) | Datum::Function(_) | Datum::Opaque(_) => {
            let mut tally = Tally::borrowed(thread.budget());
            plumb_template::convert::to_node(value, Origin::Unknown, &mut tally)
        }
    }
}

fn object(constraint: Constraint) -> Value {
    datum::to_value(&Datum::Opaque(Arc::new(AssertionObject::from(constraint))))
}
