//! Values of the language in other crates: arguments of annotations, and functions that overlays,
//! schemas and validations call.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Facts, Failure, Frame};
use plumb_source::message::{WrongCall, plain, term};
use plumb_source::{Message, Origin, Span, Text};
use plumb_starlark::{Args, Error, ErrorKind, HostValue, Result, Tally, Thread, Value};
use plumb_value::{CallError, CallFinding, Callable, Datum, Node, Opaque, Step, TypeName};

use crate::convert::{self, Data};
use crate::error;
use crate::object::{field_name, unhashable};
use crate::runtime::Runtime;
use crate::{Fragment, FragmentContent, Object};

/// The type of functions that are not written in the language.
const BUILTIN: &str = "builtin_function_or_method";

/// Converts a value that becomes part of a document; `origin` is the expression that computed it.
/// Fails only if a limit is exceeded.
pub fn from_value(value: &Value, runtime: &Arc<Runtime>, origin: Origin) -> Result<Datum> {
    convert_with(value, runtime, origin, &mut Tally::kept(runtime.budget()))
}

/// Converts a value that native code reads but does not keep. Fails only if a limit is exceeded.
pub fn from_argument(value: &Value, runtime: &Arc<Runtime>) -> Result<Datum> {
    convert_with(value, runtime, Origin::Unknown, &mut Tally::borrowed(runtime.budget()))
}

/// Like [`from_argument`], for one of several arguments that are read at the same time, and of
/// which copies may be made.
pub fn from_copied_argument(
    value: &Value,
    runtime: &Arc<Runtime>,
    tally: &mut Tally<'_>,
) -> Result<Datum> {
    let datum = convert_with(value, runtime, Origin::Unknown, tally)?;
    if value.downcast::<Fragment>().is_some() {
        match &datum {
            Datum::Node(node) => convert::count_copy(node, tally)?,
            Datum::Documents(documents) => {
                documents.iter().try_for_each(|it| convert::count_copy(&it.node, tally))?;
            }
            Datum::Tuple(_) | Datum::Function(_) | Datum::Opaque(_) => {}
        }
    }
    Ok(datum)
}

/// Returns the name of a value's type in the language, for a message.
pub fn type_words(value: &Value) -> Message {
    let name = match value {
        Value::Host(_) if value.downcast::<Fragment>().is_some() => TypeName::Fragment,
        _ if value.type_name() == BUILTIN => TypeName::Builtin,
        _ => TypeName::Named(value.type_name()),
    };
    term(value.type_name(), name).into()
}

/// Counts a result of native code, which stays in use until the run ends.
pub fn count_result(datum: &Datum, runtime: &Runtime) -> Result<()> {
    let mut tally = Tally::kept(runtime.budget());
    match datum {
        Datum::Node(node) => convert::count_new(node, &mut tally)?,
        Datum::Documents(documents) => {
            documents.iter().try_for_each(|it| convert::count_new(&it.node, &mut tally))?;
        }
        Datum::Tuple(_) | Datum::Function(_) | Datum::Opaque(_) => {}
    }
    tally.settle()
}

fn convert_with(
    value: &Value,
    runtime: &Arc<Runtime>,
    origin: Origin,
    tally: &mut Tally<'_>,
) -> Result<Datum> {
    convert_within(value, runtime, origin, tally, convert::MAX_DEPTH)
}

/// Converts a value with at most this nesting depth of tuples.
fn convert_within(
    value: &Value,
    runtime: &Arc<Runtime>,
    origin: Origin,
    tally: &mut Tally<'_>,
    depth: u32,
) -> Result<Datum> {
    if let Some(native) = value.downcast::<NativeFunction>() {
        return Ok(Datum::Function(Arc::clone(&native.0)));
    }
    if let Some(native) = value.downcast::<NativeObject>() {
        return Ok(Datum::Opaque(Arc::clone(&native.0)));
    }
    if value.is_callable() {
        let function = Function { value: value.clone(), runtime: Arc::clone(runtime) };
        return Ok(Datum::Function(Arc::new(function)));
    }
    if let Value::Tuple(tuple) = value {
        tally.element(tuple.len() * size_of::<Datum>())?;
        let Some(depth) = depth.checked_sub(1) else { return Err(convert::too_deep()) };
        // `collect` would reserve more memory than was counted.
        let mut items = Vec::with_capacity(tuple.len());
        for item in tuple.iter() {
            items.push(convert_within(item, runtime, origin, tally, depth)?);
        }
        return Ok(Datum::Tuple(items));
    }
    Ok(match convert::to_data(value, origin, tally) {
        Ok(Data::Node(node)) => Datum::Node(node),
        Ok(Data::Documents(documents)) => Datum::Documents(documents.to_vec()),
        Err(error) if error.reached().is_some() => return Err(error),
        Err(_) => {
            Datum::Opaque(Arc::new(Foreign { value: value.clone(), runtime: Arc::clone(runtime) }))
        }
    })
}

/// Converts a datum to a value of the language. Maps and arrays become YAML fragments.
pub fn to_value(datum: &Datum) -> Value {
    match datum {
        Datum::Node(node @ (Node::Map(_) | Node::Array(_))) => Fragment::from(node).into(),
        Datum::Node(scalar) => convert::to_plain_value(scalar),
        Datum::Tuple(items) => Value::tuple(items.iter().map(to_value)),
        Datum::Documents(documents) => {
            Fragment::from(FragmentContent::Documents(Arc::new(documents.clone()))).into()
        }
        Datum::Function(callable) => match callable.as_any().downcast_ref::<Function>() {
            Some(function) => function.value.clone(),
            None => NativeFunction(Arc::clone(callable)).into(),
        },
        Datum::Opaque(opaque) => match opaque.as_any().downcast_ref::<Foreign>() {
            Some(foreign) => foreign.value.clone(),
            None => Value::host(NativeObject(Arc::clone(opaque))),
        },
    }
}

/// A function of the language that can be called from outside of it.
struct Function {
    value: Value,
    runtime: Arc<Runtime>,
}

impl Callable for Function {
    fn name(&self) -> &str {
        match &self.value {
            Value::Function(function) => function.name().as_str().unwrap_or("lambda"),
            Value::Builtin(builtin) => builtin.name().as_str().unwrap_or("builtin"),
            Value::Method(method) => method.name(),
            other => other.type_name(),
        }
    }

    fn arity(&self) -> Option<usize> {
        match &self.value {
            Value::Function(function) if function.has_varargs() => None,
            Value::Function(function) => Some(function.positional_parameters()),
            _ => None,
        }
    }

    fn required_arity(&self) -> Option<usize> {
        match &self.value {
            Value::Function(function) => Some(function.required_parameters()),
            _ => None,
        }
    }

    fn span(&self) -> Option<Span> {
        match &self.value {
            Value::Function(function) => function.span(),
            _ => None,
        }
    }

    fn is_native(&self) -> bool {
        matches!(self.value, Value::Builtin(_) | Value::Method(_))
    }

    fn call(&self, args: Vec<Datum>) -> std::result::Result<Datum, CallError> {
        let args: Vec<Value> = args.iter().map(to_value).collect();
        let returned = self.runtime.call(&self.value, &args);
        let origin = self.span().map_or(Origin::Unknown, Origin::Computed);
        returned
            .and_then(|value| from_value(&value, &self.runtime, origin))
            .map_err(|error| call_error(&error, &self.runtime))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> String {
        shown(&self.value)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name())
    }
}

fn call_error(error: &Error, runtime: &Runtime) -> CallError {
    let frames: Vec<Frame> = error.frames().iter().map(|it| error::frame(it, runtime)).collect();
    let message = error::message(error, runtime);
    let own = error::own_message(error, &message);
    let cause = error.detail::<Failure>().and_then(|it| it.findings().first());
    let place = cause.and_then(|it| it.labels.first()).map(|it| it.span);
    CallError {
        finding: (own.shown() != message.shown())
            .then(|| Box::new(CallFinding { message: own, place })),
        message,
        facts: error.detail::<Failure>().and_then(facts),
        frames,
        is_deliberate: error.kind() == ErrorKind::Fail,
        limit: error.reached(),
        at: error.detail::<Blame>().map(|blame| blame.0.as_slice().into()).unwrap_or_default(),
        help: error::help(error, runtime).map(Box::new),
    }
}

/// What is known about the only finding that caused an error.
fn facts(cause: &Failure) -> Option<Facts> {
    let [finding] = cause.findings() else { return None };
    finding.facts.clone()
}

/// The child of its argument that a function blames, attached to the error that `assert.fail`
/// raises.
#[derive(Clone, Debug)]
pub struct Blame(pub Vec<Step>);

/// Formats a value as the language does. Only the type of a value that contains itself is shown.
fn shown(value: &Value) -> String {
    value.repr().map_or_else(|_| value.type_name().to_owned(), |text| text.to_string())
}

/// A native function as a value of the language, such as an overlay's matcher.
pub struct NativeFunction(pub Arc<dyn Callable>);

impl HostValue for NativeFunction {
    fn type_name(&self) -> &'static str {
        match self.0.built_in_code() {
            Some(_) => "function",
            None => BUILTIN,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        match self.0.built_in_code() {
            Some(_) => "<function lambda>".into(),
            None => format!("<built-in function {}>", self.0.name()).into(),
        }
    }

    fn hash(&self) -> Result<u64> {
        Ok(std::ptr::from_ref(&*self.0).addr() as u64)
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
        let runtime = Runtime::of(thread)?;
        let args = self.arguments(args).map_err(|error| self.framed(error))?;
        let args = args.into_iter().map(|it| from_argument(it, &runtime));
        let args = args.collect::<Result<_>>()?;
        let pay = |steps| thread.budget().pay(steps, 0);
        let failed = match self.0.call_counted(args, &pay) {
            Ok(datum) => return Ok(to_value(&datum)),
            Err(error) => error,
        };
        let kind = if failed.is_deliberate { ErrorKind::Fail } else { ErrorKind::Runtime };
        let error = if let Some(limit) = failed.limit {
            Error::limit(limit, failed.message)
        } else if let Some(facts) = failed.facts {
            let code = error::code(kind);
            let mut finding = Diagnostic::error(code, failed.message);
            finding.facts = Some(facts);
            let failure = Failure::from(finding);
            Error::of_kind(kind, runtime.text(&failure)).with_detail(failure)
        } else if failed.is_deliberate {
            Error::of_kind(kind, failed.message).with_detail(Blame(failed.at.into_vec()))
        } else {
            Error::of_kind(kind, failed.message)
        };
        Err(self.framed(error))
    }
}

impl From<NativeFunction> for Value {
    fn from(function: NativeFunction) -> Self {
        Self::host(function)
    }
}

impl NativeFunction {
    /// Adds the frame of a function that looks as if it was written in the language.
    fn framed(&self, error: Error) -> Error {
        match self.0.built_in_code() {
            Some(code) => error.within("lambda", code),
            None => error,
        }
    }

    /// Returns the arguments in the order of the parameters. Like ytt, a matcher ignores named ones.
    fn arguments<'a>(&self, args: &Args<'a>) -> Result<Vec<&'a Value>> {
        let mut values: Vec<_> = args.positional().collect();
        let Some(parameter) = self.0.parameter().filter(|_| values.len() < 2) else {
            return Ok(values);
        };
        for (name, value) in args.named() {
            let quoted = || plain(format!("{:?}", name.to_str_lossy())).into();
            let function = || "lambda".to_owned();
            if *name != parameter {
                let error = WrongCall::Unknown { function: function(), parameter: quoted() };
                return Err(Error::new(error));
            }
            if !values.is_empty() {
                let error = WrongCall::Twice { function: function(), parameter: quoted() };
                return Err(Error::new(error));
            }
            values.push(value);
        }
        Ok(values)
    }
}

/// A native object as a value of the language, such as an assertion.
pub struct NativeObject(pub Arc<dyn Opaque>);

impl HostValue for NativeObject {
    fn type_name(&self) -> &'static str {
        self.0.type_name()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        self.0.repr().into()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        let method = name.as_str().and_then(|name| self.0.method(name));
        Ok(method.map(|method| NativeFunction(method).into()))
    }

    fn attribute_names(&self) -> Vec<Text> {
        self.0.method_names().iter().map(|&name| name.into()).collect()
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        self.attribute(field_name(key)?)
    }

    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        Some(Ok(self.index(item).is_ok_and(|found| found.is_some())))
    }

    fn length(&self) -> Option<usize> {
        Some(self.0.method_names().len())
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        Some(Box::new(self.attribute_names().into_iter().map(Value::String)))
    }

    fn items(&self) -> Option<Vec<(Value, Value)>> {
        let methods = self.0.method_names().iter().filter_map(|&name| {
            let method = self.0.method(name)?;
            Some((Value::from(name), NativeFunction(method).into()))
        });
        Some(methods.collect())
    }

    fn hash(&self) -> Result<u64> {
        Err(unhashable())
    }

    fn is_callable(&self) -> bool {
        self.0.as_function().is_some()
    }

    fn call(&self, thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
        match self.0.as_function() {
            Some(function) => NativeFunction(function).call(thread, args),
            None => Err(Error::new(WrongCall::NotAFunction { found: self.type_name() })),
        }
    }
}

/// A value that has no counterpart in documents.
struct Foreign {
    value: Value,
    runtime: Arc<Runtime>,
}

impl Opaque for Foreign {
    fn type_name(&self) -> &'static str {
        self.value.type_name()
    }

    fn method(&self, name: &str) -> Option<Arc<dyn Callable>> {
        let member = match &self.value {
            Value::Struct(fields) => fields.get(&Text::from(name))?,
            value => value.downcast::<Object>()?.member(name)?,
        };
        match from_argument(member, &self.runtime).ok()? {
            Datum::Function(function) => Some(function),
            Datum::Node(_) | Datum::Tuple(_) | Datum::Documents(_) | Datum::Opaque(_) => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn elements(&self) -> Option<Vec<Datum>> {
        let Value::List(list) = &self.value else { return None };
        let list = list.elements();
        let mut tally = Tally::borrowed(self.runtime.budget());
        tally.element(list.len() * size_of::<Datum>()).ok()?;
        let mut elements = Vec::with_capacity(list.len());
        for element in list {
            elements.push(from_argument(&element, &self.runtime).ok()?);
        }
        Some(elements)
    }

    fn repr(&self) -> String {
        shown(&self.value)
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({})", self.type_name())
    }
}
