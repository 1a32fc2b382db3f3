//! Regular expressions, in the syntax of RE2.

use plumb_regexp::{Limits, Regexp, SyntaxErrorKind};

use crate::functions::{Context, Function, Style, member};
use crate::operate::{Budget, OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { pattern: Some(0), ..member("matches", 1..=1, matches) },
    Function { pattern: Some(1), style: Style::Global, ..member("matches", 2..=2, matches) },
    Function { pattern: Some(0), ..member("find", 1..=1, find) },
    Function { pattern: Some(0), ..member("findAll", 1..=2, find_all) },
];

/// The limits of a pattern that is computed, not a literal in the expression.
const COMPUTED: Limits = Limits::of_size(1 << 20);
/// Approximately how many bytes of a compiled pattern are created in the time of one step.
const BYTES_PER_STEP: usize = 8;

/// Calls `look` with the regular expression and the text to search.
fn with<'v, T>(
    args: &'v [Value<'_>],
    context: &mut Context<'_>,
    look: impl FnOnce(&Regexp, &'v str) -> T,
) -> Result<T, OperationError> {
    let (Value::String(text), Value::String(pattern)) = (&args[0], &args[1]) else {
        return Err(OperationError::Types);
    };
    let compiled;
    let regexp = match context.pattern {
        Some(regexp) => regexp,
        None => {
            compiled = compile(pattern, context.budget)?;
            &compiled
        }
    };
    // Matching also takes longer for a longer expression.
    let n_states = pattern.len() / 4 + 1;
    context
        .budget
        .pay_for_bytes(text.len().saturating_mul(n_states).max(regexp.work(text.len())))?;
    Ok(look(regexp, text))
}

/// Compiles a pattern that is not a literal in the expression, and charges the budget for its size.
fn compile(pattern: &str, budget: &mut Budget) -> Result<Regexp, OperationError> {
    budget.pay(pattern.len().saturating_mul(10))?;
    match Regexp::within(pattern, COMPUTED) {
        Ok(regexp) => {
            budget.pay(regexp.size() / BYTES_PER_STEP)?;
            Ok(regexp)
        }
        Err(error) => {
            if error.kind == SyntaxErrorKind::TooLarge {
                budget.pay(COMPUTED.size / BYTES_PER_STEP)?;
            }
            Err(OperationError::other("the string is not a regular expression"))
        }
    }
}

fn matches<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let is_match = with(args, context, |regexp, text| regexp.is_match(text.as_bytes()))?;
    Ok(Value::Bool(is_match))
}

fn find<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    with(args, context, |regexp, text| {
        let found = regexp.find(text.as_bytes());
        Value::text(found.and_then(|range| text.get(range)).unwrap_or_default())
    })
}

fn find_all<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let limit = match args.get(2) {
        None => usize::MAX,
        Some(Value::Int(limit)) => usize::try_from(*limit).unwrap_or(usize::MAX),
        Some(_) => return Err(OperationError::Types),
    };
    let found = with(args, context, |regexp, text| {
        let found = regexp.find_iter(text.as_bytes()).take(limit);
        let texts = found.filter_map(|range| text.get(range));
        texts.map(Value::text).collect::<Vec<Value<'_>>>()
    })?;
    context.budget.pay(found.len())?;
    Ok(Value::list(found))
}
