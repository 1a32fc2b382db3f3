//! Reads the arguments of built-in functions. Mistakes are reported in ytt's words.

use plumb_source::message::wording;
use plumb_source::{Message, Text, message};
use plumb_starlark::{Args, Builtin, Error, Result, Thread, Value};
use plumb_template::datum::NativeObject;

/// Creates a built-in function of a module. Its errors begin with its name.
pub(crate) fn function(
    name: &'static str,
    native: impl Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync + 'static,
) -> Value {
    let named = move |thread: &mut Thread<'_>, args: &Args<'_>| {
        native(thread, args)
            .map_err(|error| error.map_message(|message| message!("{name}: {message}")))
    };
    Value::Builtin(Builtin::new(name, named).into())
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
    value
        .as_text()
        .ok_or_else(|| Error::new(message!("expected a string, but was {}", value.type_name())))
}

/// Returns the argument of a function that takes exactly one string.
pub(crate) fn one_text<'a>(args: &Args<'a>) -> Result<&'a Text> {
    text(one(args)?)
}

pub(crate) fn float(value: &Value) -> Result<f64> {
    match value {
        Value::Float(it) => Ok(*it),
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is what is wanted")]
        Value::Int(it) => Ok(*it as f64),
        Value::BigInt(it) => Ok(num_traits::ToPrimitive::to_f64(&**it).unwrap_or(f64::INFINITY)),
        other => Err(not_a_number(other)),
    }
}

/// The error for an argument that must be a number.
pub(crate) fn not_a_number(found: &Value) -> Error {
    let expected = wording("a number", "float value");
    Error::new(message!("expected {expected}, but was {}", type_words(found)))
}

/// Returns a named argument that must be a boolean, or `default` if it is not given.
pub(crate) fn flag(args: &Args<'_>, name: &str, default: bool) -> Result<bool> {
    match named(args, name) {
        None => Ok(default),
        Some(Value::Bool(it)) => Ok(*it),
        Some(other) => {
            let expected = wording("a boolean", "starlark.Bool");
            Err(Error::new(message!("expected {expected}, but was {}", type_words(other))))
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
    Error::new(match found {
        Value::BigInt(_) => wording("expected an integer of 64 bits", "expected int64 value"),
        _ => wording("expected an integer", "expected starlark.Int"),
    })
}

/// Rejects named arguments other than these.
pub(crate) fn allow_named(args: &Args<'_>, allowed: &[&str]) -> Result<()> {
    match args.named().find(|(name, _)| !allowed.iter().any(|it| *name == it)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::new(message!("invalid argument name: {name}"))),
    }
}

pub(crate) fn named<'a>(args: &Args<'a>, wanted: &str) -> Option<&'a Value> {
    args.named().find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// Returns the name of a value's type for a message. ytt shows that of its Go type.
pub(crate) fn type_words(value: &Value) -> Message {
    wording(value.type_name(), go_type(value)).into()
}

/// Returns ytt's name for the type of a value: the name of its Go type.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::None => "starlark.NoneType",
        Value::Bool(_) => "starlark.Bool",
        Value::Int(_) | Value::BigInt(_) => "starlark.Int",
        Value::Float(_) => "starlark.Float",
        Value::String(_) => "starlark.String",
        Value::List(_) => "*starlark.List",
        Value::Tuple(_) => "starlark.Tuple",
        Value::Dict(_) => "*starlark.Dict",
        Value::Set(_) => "*starlark.Set",
        Value::Range(_) => "starlark.rangeValue",
        Value::StringIterable(_) => "starlark.stringIterable",
        Value::Function(_) => "*starlark.Function",
        Value::Builtin(_) | Value::Method(_) => "*starlark.Builtin",
        Value::Struct(_) => "*core.StarlarkStruct",
        Value::Module(_) => "*starlarkstruct.Module",
        Value::Host(host) if host.type_name() == "yamlfragment" => "*yamltemplate.StarlarkFragment",
        Value::Host(host) => host.type_name(),
    }
}
