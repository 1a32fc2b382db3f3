//! Evaluates an expression, step by step and within a budget.

use std::ops::Range;

use plumb_diagnostic::nearest;
use plumb_source::message::plain;
use plumb_source::{Message, message};

use crate::ast::{Call, Element, Entry, Expr, Kind, Literal, Logic};
use crate::functions::Context;
use crate::operate::{self, Budget, OperationError};
use crate::value::{Entries, List, Str, Value};
use crate::{EvaluationError, EvaluationErrorKind, quote};

pub(crate) type EvaluationResult<'a> = Result<Value<'a>, EvaluationError>;

/// Evaluates an expression for the values of its variables.
pub(crate) fn result<'a>(
    root: &'a Expr,
    source: &'a str,
    variables: Vec<Value<'a>>,
    n_steps: u64,
) -> EvaluationResult<'a> {
    Evaluator { source, variables, budget: Budget::new(n_steps) }.eval(root)
}

/// Like [`holds`], but also returns how many steps it took.
pub(crate) fn holds_counted<'a>(
    root: &'a Expr,
    source: &'a str,
    variables: Vec<Value<'a>>,
    n_steps: u64,
) -> (Result<bool, EvaluationError>, u64) {
    let mut evaluator = Evaluator { source, variables, budget: Budget::new(n_steps) };
    let result = evaluator.eval(root);
    (result.and_then(|it| truth(it, root)), n_steps - evaluator.budget.left())
}

/// Returns whether an expression is true for the values of its variables.
pub(crate) fn holds<'a>(
    root: &'a Expr,
    source: &'a str,
    variables: Vec<Value<'a>>,
    n_steps: u64,
) -> Result<bool, EvaluationError> {
    holds_counted(root, source, variables, n_steps).0
}

fn truth(result: Value<'_>, root: &Expr) -> Result<bool, EvaluationError> {
    match result {
        Value::Bool(holds) => Ok(holds),
        other => Err(EvaluationError::new(
            message!(
                "expected the expression to return true or false, found {}",
                other.described()
            ),
            root.at.clone(),
        )
        .help("compare the result with something")),
    }
}

pub(crate) struct Evaluator<'a> {
    source: &'a str,
    pub(crate) variables: Vec<Value<'a>>,
    pub(crate) budget: Budget,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn eval(&mut self, expr: &'a Expr) -> EvaluationResult<'a> {
        self.pay(1, &expr.at)?;
        match &expr.kind {
            Kind::Literal(literal) => Ok(of_literal(literal)),
            Kind::Variable(at) => Ok(self.variables[*at].clone()),
            Kind::Type(name) => Ok(Value::Type(name)),
            Kind::Name(_) => unreachable!("the check replaced every name by a variable or a type"),
            Kind::Select { operand, field, is_optional } => {
                let operand = self.eval(operand)?;
                self.select(operand, field, *is_optional, &expr.at)
            }
            Kind::Has { operand, field } => {
                let operand = self.eval(operand)?;
                let found = self.select(operand, field, true, &expr.at)?;
                Ok(Value::Bool(matches!(found, Value::Optional(Some(_)))))
            }
            Kind::Index { operand, index, is_optional } => {
                let operand = self.eval(operand)?;
                let index = self.eval(index)?;
                self.index(operand, &index, *is_optional, &expr.at)
            }
            Kind::Call(call) => self.call(call, &expr.at),
            Kind::Macro(comprehension) => {
                // Also if the evaluation fails: another operand may still decide the result.
                let n_outside = self.variables.len();
                let result = self.comprehension(comprehension, &expr.at);
                self.variables.truncate(n_outside);
                result
            }
            Kind::Not(operand) => {
                let holds = self.eval_bool(operand)?;
                Ok(Value::Bool(!holds))
            }
            Kind::Negate(operand) => {
                let operand = self.eval(operand)?;
                operate::negate(&operand).map_err(|it| it.at(&expr.at))
            }
            Kind::Binary(operator, left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                let result = operate::binary(*operator, &left, &right, &mut self.budget);
                result.map_err(|it| it.at(&expr.at))
            }
            Kind::Logical(logic, terms) => self.logical(*logic, terms),
            Kind::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                let holds = self.eval_bool(condition)?;
                self.eval(if holds { then } else { otherwise })
            }
            Kind::List(elements) => self.list(elements),
            Kind::Map(entries) => self.map(entries),
        }
    }

    pub(crate) fn pay(&mut self, n_steps: usize, at: &Range<usize>) -> Result<(), EvaluationError> {
        self.budget.pay(n_steps).map_err(|it| it.at(at))
    }

    pub(crate) fn eval_bool(&mut self, expr: &'a Expr) -> Result<bool, EvaluationError> {
        match self.eval(expr)? {
            Value::Bool(value) => Ok(value),
            other => Err(EvaluationError::new(
                message!("expected true or false, found {}", other.described()),
                expr.at.clone(),
            )
            .help("compare it with something")),
        }
    }

    /// One term can decide the result, even if another cannot be evaluated.
    fn logical(&mut self, logic: Logic, terms: &'a [Expr]) -> EvaluationResult<'a> {
        let decides = logic == Logic::Or;
        let mut error = None;
        for term in terms {
            match self.eval_bool(term) {
                Ok(value) if value == decides => return Ok(Value::Bool(decides)),
                Ok(_) => {}
                Err(limit) if limit.kind == EvaluationErrorKind::Limit => return Err(limit),
                Err(other) => error = error.or(Some(other)),
            }
        }
        error.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn list(&mut self, elements: &'a [Element]) -> EvaluationResult<'a> {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            let value = self.eval(&element.value)?;
            values.extend(kept(value, element.is_optional, &element.value.at)?);
        }
        Ok(Value::list(values))
    }

    fn map(&mut self, entries: &'a [Entry]) -> EvaluationResult<'a> {
        let mut values: Vec<(Value<'a>, Value<'a>)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let key = self.eval(&entry.key)?;
            let is_key =
                matches!(key, Value::String(_) | Value::Int(_) | Value::UInt(_) | Value::Bool(_));
            if !is_key {
                let message = message!("{} cannot be a key of a map", key.described());
                return Err(EvaluationError::new(message, entry.key.at.clone()));
            }
            let value = self.eval(&entry.value)?;
            let Some(value) = kept(value, entry.is_optional, &entry.value.at)? else {
                continue;
            };
            for (other, _) in &values {
                let is_same = operate::equal(other, &key, &mut self.budget);
                if is_same.map_err(|it| it.at(&entry.key.at))? {
                    return Err(EvaluationError::new("a key occurs twice", entry.key.at.clone()));
                }
            }
            values.push((key, value));
        }
        Ok(Value::Map(Entries::Values(values.into())))
    }

    fn select(
        &mut self,
        operand: Value<'a>,
        field: &'a str,
        is_optional: bool,
        at: &Range<usize>,
    ) -> EvaluationResult<'a> {
        let Some((operand, is_optional)) = opened(operand, is_optional) else {
            return Ok(Value::Optional(None));
        };
        let Value::Map(entries) = operand else {
            let found = operand.described();
            let message = message!("expected a map before `.{}`, found {found}", plain(field));
            return Err(EvaluationError::new(message, at.clone()));
        };
        let found = self.field(&entries, field, at)?;
        match (found, is_optional) {
            (Some(value), true) => Ok(Value::some(value)),
            (None, true) => Ok(Value::Optional(None)),
            (Some(value), false) => Ok(value),
            (None, false) => {
                let help = match similar(&entries, field) {
                    Some(meant) => message!("did you mean `{}`?", plain(meant)),
                    None => message!(
                        "check first that it exists: `has({}) && …`",
                        plain(&self.source[at.clone()])
                    ),
                };
                Err(EvaluationError::new(missing(&entries, field), at.clone()).help(help))
            }
        }
    }

    /// The value of a field. A field with the value null counts as missing, as in Kubernetes, whose
    /// API server does not fill in nulls. Names that are escaped as in Kubernetes are tried last.
    fn field(
        &mut self,
        entries: &Entries<'a>,
        field: &'a str,
        at: &Range<usize>,
    ) -> Result<Option<Value<'a>>, EvaluationError> {
        if let Entries::Node(map, declared) = entries {
            let found = map.get_str(field);
            let found = found.or_else(|| map.get_str(&quote::key_of(field)?));
            let declared = declared.and_then(|it| it.under_escaped(field));
            return Ok(found.filter(|it| !it.is_null()).map(|it| Value::declared(it, declared)));
        }
        let key = Value::String(Str::Borrowed(field));
        operate::lookup(entries, &key, &mut self.budget).map_err(|it| it.at(at))
    }

    fn index(
        &mut self,
        operand: Value<'a>,
        index: &Value<'a>,
        is_optional: bool,
        at: &Range<usize>,
    ) -> EvaluationResult<'a> {
        let Some((operand, is_optional)) = opened(operand, is_optional) else {
            return Ok(Value::Optional(None));
        };
        let found = match &operand {
            Value::Map(entries) => {
                operate::lookup(entries, index, &mut self.budget).map_err(|it| it.at(at))?
            }
            Value::List(list) => {
                let position = operate::position(index).ok_or_else(|| {
                    let found = index.described();
                    let message =
                        message!("expected a number as the index of a list, found {found}");
                    EvaluationError::new(message, at.clone())
                })?;
                usize::try_from(position).ok().and_then(|it| list.get(it))
            }
            other => {
                let found = other.described();
                let message = message!("expected a list or map before `[`, found {found}");
                return Err(EvaluationError::new(message, at.clone()));
            }
        };
        match (found, is_optional, &operand) {
            (Some(value), true, _) => Ok(Value::some(value)),
            (None, true, _) => Ok(Value::Optional(None)),
            (Some(value), false, _) => Ok(value),
            (None, false, Value::List(_)) => {
                Err(EvaluationError::new("the list has no item at this index", at.clone())
                    .help("check its length first: `size(…) > 0 && …`"))
            }
            (None, false, _) => Err(EvaluationError::new("the map has no such key", at.clone())
                .help("check first that it exists: `key in map && …`")),
        }
    }

    fn call(&mut self, call: &'a Call, at: &Range<usize>) -> EvaluationResult<'a> {
        let mut args = Vec::with_capacity(call.args.len() + 1);
        for arg in call.target.as_deref().into_iter().chain(&call.args) {
            args.push(self.eval(arg)?);
        }
        let function = call.function.expect("the check found a function for every call");
        let mut context = Context { budget: &mut self.budget, pattern: call.pattern.as_deref() };
        (function.run)(&args, &mut context).map_err(|error| match error {
            OperationError::Types => no_overload(&call.name, &args, at),
            other => other.at(at),
        })
    }
}

/// What is in an optional value, or any other value itself, and whether its field may be missing.
/// Returns `None` if the optional value is empty.
fn opened(operand: Value<'_>, is_optional: bool) -> Option<(Value<'_>, bool)> {
    match operand {
        Value::Optional(inner) => Some((Value::clone(&*inner?), true)),
        other => Some((other, is_optional)),
    }
}

/// The message about a missing field.
fn missing(entries: &Entries<'_>, field: &str) -> Message {
    match entries {
        Entries::Node(map, _) if map.get_str(field).is_some() => {
            message!("the key `{}` is null, which counts as missing", plain(field))
        }
        _ => message!("there is no key `{}`", plain(field)),
    }
}

/// A similar key of the map, which the user may have meant. Short names are not compared: they
/// resemble too many others. Large maps are not searched, because the search does not count against
/// the budget.
fn similar(entries: &Entries<'_>, field: &str) -> Option<String> {
    const MAX_KEYS: usize = 64;
    const SHORT: usize = 2;
    match entries {
        Entries::Node(map, _)
            if map.len() <= MAX_KEYS && field.len() > SHORT && map.get_str(field).is_none() =>
        {
            let keys = map.items().iter().filter_map(|it| it.key.as_str());
            nearest(field, keys).map(str::to_owned)
        }
        _ => None,
    }
}

/// An element of a literal. Returns `None` if it is optional and missing.
fn kept<'a>(
    value: Value<'a>,
    is_optional: bool,
    at: &Range<usize>,
) -> Result<Option<Value<'a>>, EvaluationError> {
    match value {
        value if !is_optional => Ok(Some(value)),
        Value::Optional(inner) => Ok(inner.map(|it| Value::clone(&it))),
        other => {
            let message = message!("expected an optional value, found {}", other.described());
            Err(EvaluationError::new(message, at.clone()))
        }
    }
}

fn of_literal(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::UInt(value) => Value::UInt(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::String(Str::Borrowed(text)),
        Literal::Bytes(bytes) => Value::Bytes(bytes.as_slice().into()),
    }
}

fn no_overload(name: &str, args: &[Value<'_>], at: &Range<usize>) -> EvaluationError {
    let types: Vec<&str> = args.iter().map(Value::described).collect();
    let types = match types.as_slice() {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    };
    let error = EvaluationError::new(
        message!("`{}` cannot be applied to {}", plain(name), plain(types)),
        at.clone(),
    );
    match (name, args) {
        ("contains", [Value::List(_) | Value::Map(_), _]) => error.help("write `item in list`"),
        _ => error,
    }
}

impl List<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
