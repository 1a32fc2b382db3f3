//! Semantic versions.

use semver::Version;

use crate::functions::special::Special;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    global("semver", 1..=2, of),
    global("isSemver", 1..=2, is),
    member("major", 0..=0, |args, _| part(args, |it| it.major)),
    member("minor", 0..=0, |args, _| part(args, |it| it.minor)),
    member("patch", 0..=0, |args, _| part(args, |it| it.patch)),
];

fn parse(args: &[Value<'_>], context: &mut Context<'_>) -> Result<Version, OperationError> {
    let Value::String(text) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    let version = match args.get(1) {
        None | Some(Value::Bool(false)) => Version::parse(text),
        Some(Value::Bool(true)) => Version::parse(&normal(text)),
        Some(_) => return Err(OperationError::Types),
    };
    version
        .map_err(|_| OperationError::other("the string is not a semantic version, such as `1.2.3`"))
}

/// Normalizes a version: no `v`, three numbers, no leading zeros.
fn normal(text: &str) -> String {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let without_zeros = |it: &str| match it.trim_start_matches('0') {
        "" if !it.is_empty() => "0".to_owned(),
        it => it.to_owned(),
    };
    let mut numbers: Vec<String> = numbers.split('.').map(without_zeros).collect();
    while numbers.len() < 3 {
        numbers.push("0".to_owned());
    }
    format!("{}{rest}", numbers.join("."))
}

fn of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    parse(args, context).map(|it| Value::special(Special::Semver(it)))
}

fn is<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match parse(args, context) {
        Err(error @ (OperationError::Types | OperationError::Limit)) => Err(error),
        result => Ok(Value::Bool(result.is_ok())),
    }
}

fn part<'a>(args: &[Value<'a>], part: fn(&Version) -> u64) -> Outcome<'a> {
    let Value::Special(special) = &args[0] else {
        return Err(OperationError::Types);
    };
    let Special::Semver(version) = &**special else {
        return Err(OperationError::Types);
    };
    let part = i64::try_from(part(version));
    part.map(Value::Int).map_err(|_| OperationError::other("the number is too large for an int"))
}
