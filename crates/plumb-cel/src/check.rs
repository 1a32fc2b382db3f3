//! Checks that every name in an expression is known, before the expression is evaluated.

use std::sync::Arc;

use plumb_diagnostic::nearest;
use plumb_regexp::{Limits, Regexp};

use crate::CompileError;
use crate::ast::{Call, Expr, Kind};
use crate::functions::{self, Function, Style};
use crate::macros;

/// Types as values, which `type(…)` returns.
const TYPES: [&str; 11] = [
    "bool",
    "bytes",
    "double",
    "int",
    "list",
    "map",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

/// Types whose names have dots.
const DOTTED_TYPES: [&str; 4] =
    ["google.protobuf.Duration", "google.protobuf.Timestamp", "net.CIDR", "net.IP"];

/// Names of functions in other languages, and the functions of CEL that do the same.
const FOREIGN: [(&str, &str); 8] = [
    ("any", "exists"),
    ("len", "size"),
    ("length", "size"),
    ("lower", "lowerAscii"),
    ("strip", "trim"),
    ("test", "matches"),
    ("upper", "upperAscii"),
    ("str", "string"),
];

/// What is known at one position in the expression.
struct Scope {
    /// The variables, outermost first.
    names: Vec<String>,
    /// The total size of the patterns compiled so far, in bytes.
    pattern_bytes: usize,
}

/// Resolves variables and functions, and compiles patterns. Returns how many bytes the patterns
/// take.
pub(crate) fn check(root: &mut Expr, names: &[&str]) -> Result<usize, CompileError> {
    let names = names.iter().map(|it| (*it).to_owned()).collect();
    let mut scope = Scope { names, pattern_bytes: 0 };
    expr(root, &mut scope)?;
    Ok(scope.pattern_bytes)
}

fn expr(it: &mut Expr, scope: &mut Scope) -> Result<(), CompileError> {
    if let Some(ty) = dotted_type(it, &scope.names) {
        it.kind = Kind::Type(ty);
        return Ok(());
    }
    match &mut it.kind {
        Kind::Literal(_) | Kind::Variable(_) | Kind::Type(_) => Ok(()),
        Kind::Name(name) => {
            let names = &scope.names;
            it.kind = named(name, names).ok_or_else(|| unknown_name(name, it.at.clone(), names))?;
            Ok(())
        }
        Kind::Select { operand, .. }
        | Kind::Has { operand, .. }
        | Kind::Not(operand)
        | Kind::Negate(operand) => expr(operand, scope),
        Kind::Index { operand, index, .. } => both(operand, index, scope),
        Kind::Binary(_, left, right) => both(left, right, scope),
        Kind::Logical(_, terms) => terms.iter_mut().try_for_each(|it| expr(it, scope)),
        Kind::Conditional(parts) => parts.iter_mut().try_for_each(|it| expr(it, scope)),
        Kind::List(elements) => elements.iter_mut().try_for_each(|it| expr(&mut it.value, scope)),
        Kind::Map(entries) => {
            entries.iter_mut().try_for_each(|it| both(&mut it.key, &mut it.value, scope))
        }
        Kind::Call(call) => self::call(call, scope),
        Kind::Macro(comprehension) => {
            expr(&mut comprehension.range, scope)?;
            let n_outside = scope.names.len();
            scope.names.extend(comprehension.names.iter().cloned());
            let inner = comprehension.filter.iter_mut().chain([&mut comprehension.body]);
            let checked = inner.into_iter().try_for_each(|it| expr(it, scope));
            scope.names.truncate(n_outside);
            checked
        }
    }
}

fn both(left: &mut Expr, right: &mut Expr, scope: &mut Scope) -> Result<(), CompileError> {
    expr(left, scope)?;
    expr(right, scope)
}

/// The innermost variable of this name, or a type.
fn named(name: &str, scope: &[String]) -> Option<Kind> {
    let variable = scope.iter().rposition(|it| it == name).map(Kind::Variable);
    variable.or_else(|| TYPES.into_iter().find(|it| *it == name).map(Kind::Type))
}

/// The type that a chain of names such as `google.protobuf.Timestamp` refers to, unless its first
/// name is a variable.
fn dotted_type(it: &Expr, scope: &[String]) -> Option<&'static str> {
    let Kind::Select { field, .. } = &it.kind else { return None };
    let mut types = DOTTED_TYPES.into_iter().filter(|it| it.ends_with(field.as_str()));
    types.find(|ty| {
        let mut parts = ty.split('.').rev();
        let mut it = it;
        loop {
            match (&it.kind, parts.next()) {
                (Kind::Select { operand, field, is_optional: false }, Some(part))
                    if field == part =>
                {
                    it = operand;
                }
                (Kind::Name(name), Some(part)) => {
                    return name == part && parts.next().is_none() && !scope.contains(name);
                }
                _ => return false,
            }
        }
    })
}

fn unknown_name(name: &str, at: std::ops::Range<usize>, scope: &[String]) -> CompileError {
    let error = CompileError::new(format!("`{name}` is not known"), at);
    if name == "oldSelf" {
        return CompileError {
            message: "`oldSelf` is not available: there is no previous value here".to_owned(),
            is_about_change: true,
            ..error
        }
        .help("only an API server can check rules about changes");
    }
    if ["this", "value", "it", "object", "root"].contains(&name) {
        return error.help("the value is `self`");
    }
    if ["None", "nil", "undefined"].contains(&name) {
        return error.help("did you mean `null`?");
    }
    let (before, after) = (name.chars().next(), scope.iter().map(String::as_str));
    match nearest(name, after.chain(["true", "false", "null"])) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None if before.is_some_and(char::is_uppercase) => error.help("write a string in quotes"),
        None => error.help(format!("for a field of the value, write `self.{name}`")),
    }
}

fn call(call: &mut Call, scope: &mut Scope) -> Result<(), CompileError> {
    join_namespace(call, &scope.names);
    let style = if call.target.is_some() { Style::Member } else { Style::Global };
    let function = functions::find(&call.name, style).ok_or_else(|| unknown(call, style))?;
    if !function.n_args.contains(&call.args.len()) {
        return Err(wrong_count(call, function));
    }
    call.function = Some(function);
    if let Some(target) = &mut call.target {
        expr(target, scope)?;
    }
    call.args.iter_mut().try_for_each(|it| expr(it, scope))?;
    if let Some(at) = function.pattern
        && let Some(pattern) = call.args.get(at).and_then(Expr::as_text)
    {
        let limits = Limits::default();
        let limits = limits.within(limits.memory.saturating_sub(scope.pattern_bytes));
        let wrong = |it| CompileError::new(format!("{it}"), call.args[at].at.clone());
        let regexp = Regexp::within(pattern, limits).map_err(wrong)?;
        scope.pattern_bytes += regexp.kept_size();
        call.pattern = Some(Arc::new(regexp));
    }
    if let [arg] = call.args.as_slice()
        && let Some(text) = arg.as_text()
        && let Some(message) = functions::wrong_time(&call.name, text)
    {
        return Err(CompileError::new(message, arg.at.clone()));
    }
    Ok(())
}

/// `format.uri()` is a function with a dot in its name, unless there is a variable `format`.
fn join_namespace(call: &mut Call, scope: &[String]) {
    let Some(Kind::Name(space)) = call.target.as_deref().map(|it| &it.kind) else {
        return;
    };
    if functions::NAMESPACES.contains(&space.as_str()) && !scope.contains(space) {
        call.name = format!("{space}.{}", call.name);
        call.target = None;
    }
}

fn unknown(call: &Call, style: Style) -> CompileError {
    let name = &call.name;
    let error = CompileError::new(format!("there is no function `{name}`"), call.name_at.clone());
    let other = match style {
        Style::Member => Style::Global,
        Style::Global => Style::Member,
    };
    if functions::find(name, other).is_some() || macros::NAMES.contains(&name.as_str()) {
        return match style {
            Style::Member => error.help(format!("write `{name}(value)`")),
            Style::Global => error.help(format!("write `value.{name}(…)`")),
        };
    }
    let macros = macros::NAMES.into_iter().filter(|_| style == Style::Member);
    if let Some((_, meant)) = FOREIGN.iter().find(|(foreign, _)| foreign == name) {
        return error.help(format!("did you mean `{meant}`?"));
    }
    match nearest(name, functions::names(style).chain(macros)) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None => error,
    }
}

fn wrong_count(call: &Call, function: &Function) -> CompileError {
    let (least, most) = (*function.n_args.start(), *function.n_args.end());
    let plural = |n| if n == 1 { "argument" } else { "arguments" };
    let wanted = match most {
        _ if least == most => format!("{least} {}", plural(least)),
        usize::MAX => format!("at least {least} {}", plural(least)),
        _ => format!("{least} to {most} arguments"),
    };
    let name = &call.name;
    let message = format!("expected {wanted} for `{name}`, found {}", call.args.len());
    CompileError::new(message, call.name_at.clone())
}
