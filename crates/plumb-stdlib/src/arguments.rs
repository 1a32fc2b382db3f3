//! Reads the arguments of built-in functions.

use plumb_source::message::{WantedCount, argument_count};
use plumb_source::{Text, message};
use plumb_starlark::{Args, Builtin, Bytes, Error, Result, Thread, UnknownKeyword, Value};
use plumb_template::datum::{NativeObject, type_words};
use plumb_value::Expected;

/// Creates a built-in function of a module. Its errors begin with its name.
pub(crate) fn function(
    name: &'static str,
    native: impl Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync + 'static,
) -> Value {
    let named = move |thread: &mut Thread<'_>, args: &Args<'_>| {
        check_texts(thread, args)
            .and_then(|()| native(thread, args))
            .map_err(|error| error.map_message(|message| message!("{name}: {message}")))
    };
    Value::Builtin(Builtin::new(name, named).into())
}

/// Fails if there may not be enough memory for the result of a function on texts. Most results are
/// at most three times as long as the text; functions with longer results check more.
fn check_texts(thread: &Thread<'_>, args: &Args<'_>) -> Result<()> {
    const SMALL: usize = 64 << 10;
    const COPIES: usize = 3;
    let values = args.positional().chain(args.named().map(|(_, value)| value));
    let lengths = values.map(|it| if let Value::String(text) = it { text.len() } else { 0 });
    let length: usize = lengths.sum();
    if length <= SMALL { Ok(()) } else { thread.check_memory(length.saturating_mul(COPIES)) }
}

/// Checks the number of arguments.
pub(crate) fn count(args: &Args<'_>, wanted: usize) -> Result<()> {
    let got = args.len();
    if got == wanted {
        return Ok(());
    }
    Err(Error::new(argument_count(WantedCount::Of(wanted), got)))
}

/// Returns the argument of a function that takes exactly one.
pub(crate) fn one<'a>(args: &Args<'a>) -> Result<&'a Value> {
    match (args.len(), args.get(0)) {
        (1, Some(value)) => Ok(value),
        _ => Err(Error::new("expected exactly one argument")),
    }
}

/// Returns the arguments of a function that takes exactly two.
pub(crate) fn two<'a>(args: &Args<'a>) -> Result<(&'a Value, &'a Value)> {
    match (args.len(), args.get(0), args.get(1)) {
        (2, Some(first), Some(second)) => Ok((first, second)),
        _ => Err(Error::new("expected exactly two arguments")),
    }
}

/// Checks that a method got no arguments.
pub(crate) fn none(args: &Args<'_>) -> Result<()> {
    match args.len() {
        0 => Ok(()),
        _ => Err(Error::new("expected no argument")),
    }
}

/// Returns whether a value is a function. The result of `assert.min(3)` can be called too, but is
/// an object.
pub(crate) fn is_function(value: &Value) -> bool {
    value.is_callable() && value.downcast::<NativeObject>().is_none()
}

pub(crate) fn text(value: &Value) -> Result<&Text> {
    value.as_text().ok_or_else(|| {
        Error::new(message!("expected a string, {}", message::found(value.type_name())))
    })
}

/// Returns the argument of a function that takes exactly one string, or bytes.
pub(crate) fn one_text_or_bytes<'a>(args: &Args<'a>) -> Result<&'a [u8]> {
    let value = one(args)?;
    match value.downcast::<Bytes>() {
        Some(bytes) => Ok(bytes.as_slice()),
        None => text(value).map(Text::as_bytes),
    }
}

/// Returns the argument of a function that takes exactly one string.
pub(crate) fn one_text<'a>(args: &Args<'a>) -> Result<&'a Text> {
    text(one(args)?)
}

pub(crate) fn float(value: &Value) -> Result<f64> {
    match value {
        Value::Float(it) => Ok(*it),
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
        Value::Int(it) => Ok(*it as f64),
        Value::BigInt(it) => Ok(num_traits::ToPrimitive::to_f64(&**it).unwrap_or(f64::INFINITY)),
        other => Err(not_a_number(other)),
    }
}

/// The error for an argument that must be a number.
pub(crate) fn not_a_number(found: &Value) -> Error {
    let expected = Expected::Number.words();
    Error::new(message!("expected {expected}, {}", message::found(type_words(found))))
}

/// Returns a named argument that must be a boolean, or `default` if it is not given.
pub(crate) fn flag(args: &Args<'_>, name: &str, default: bool) -> Result<bool> {
    match named(args, name) {
        None => Ok(default),
        Some(Value::Bool(it)) => Ok(*it),
        Some(other) => {
            let expected = Expected::Boolean.words();
            Err(Error::new(message!("expected {expected}, {}", message::found(type_words(other)))))
        }
    }
}

/// Returns a named argument that must be an integer; zero if it is not given.
pub(crate) fn integer(args: &Args<'_>, name: &str) -> Result<i64> {
    match named(args, name) {
        None => Ok(0),
        Some(Value::Int(it)) => Ok(*it),
        Some(other) => Err(not_an_integer(other)),
    }
}

/// The error for an argument that must be an integer of at most 64 bits.
pub(crate) fn not_an_integer(found: &Value) -> Error {
    let expected = match found {
        Value::BigInt(_) => Expected::Integer64,
        _ => Expected::Integer,
    };
    Error::new(message!("expected {}", expected.words()))
}

/// Rejects named arguments other than these.
pub(crate) fn allow_named(args: &Args<'_>, allowed: &[&str]) -> Result<()> {
    match args.named().find(|(name, _)| !allowed.iter().any(|it| *name == it)) {
        None => Ok(()),
        Some((name, _)) => {
            let parameters = allowed.iter().map(|it| Text::from(*it)).collect();
            let detail = UnknownKeyword { name: name.clone(), parameters };
            Err(Error::new(message!("invalid argument name: {name}")).with_detail(detail))
        }
    }
}

pub(crate) fn named<'a>(args: &Args<'a>, wanted: &str) -> Option<&'a Value> {
    args.named().find(|(name, _)| *name == wanted).map(|(_, value)| value)
}
