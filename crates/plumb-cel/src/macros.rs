//! Macros: calls whose arguments are not values but expressions, evaluated for each item.

use std::ops::Range;

use crate::CompileError;
use crate::ast::{Call, Comprehension, Expr, Kind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Macro {
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
    /// `optMap`: applies an expression to a value, if there is one.
    OptionalMap,
    /// `optFlatMap`: like `optMap`, for an expression whose result is optional too.
    OptionalFlatMap,
    TransformList,
    TransformMap,
    /// `transformMapEntry`: turns each item into a map with one key, and merges these maps.
    TransformMapEntry,
    /// `sortBy`: sorts a list by a key that is computed for each item.
    SortBy,
}

/// The macro with this name and number of arguments, and how many of its arguments are names. The
/// remaining arguments are expressions.
fn find(name: &str, n_args: usize) -> Option<(Macro, usize)> {
    Some(match (name, n_args) {
        ("all", 2) => (Macro::All, 1),
        ("all", 3) => (Macro::All, 2),
        ("exists", 2) => (Macro::Exists, 1),
        ("exists", 3) => (Macro::Exists, 2),
        ("exists_one", 2) => (Macro::ExistsOne, 1),
        ("exists_one" | "existsOne", 3) => (Macro::ExistsOne, 2),
        ("map", 2 | 3) => (Macro::Map, 1),
        ("filter", 2) => (Macro::Filter, 1),
        ("optMap", 2) => (Macro::OptionalMap, 1),
        ("optFlatMap", 2) => (Macro::OptionalFlatMap, 1),
        ("sortBy", 2) => (Macro::SortBy, 1),
        ("transformList", 3 | 4) => (Macro::TransformList, 2),
        ("transformMap", 3 | 4) => (Macro::TransformMap, 2),
        ("transformMapEntry", 3 | 4) => (Macro::TransformMapEntry, 2),
        _ => return None,
    })
}

/// All names of macros that are called on a list or map.
pub(crate) const NAMES: [&str; 12] = [
    "all",
    "exists",
    "existsOne",
    "exists_one",
    "filter",
    "map",
    "optFlatMap",
    "optMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

/// Turns a call into a macro if a macro has its name.
pub(crate) fn expand(mut call: Call, at: Range<usize>) -> Result<Kind, CompileError> {
    if call.target.is_none() && call.name == "has" {
        return has(call, at);
    }
    if call.target.is_none() || !NAMES.contains(&call.name.as_str()) {
        return Ok(Kind::Call(Box::new(call)));
    }
    let Some((r#macro, n_names)) = find(&call.name, call.args.len()) else {
        let name = &call.name;
        let message = match call.args.len() {
            1 => format!("`{name}` does not take 1 argument"),
            n => format!("`{name}` does not take {n} arguments"),
        };
        let help = match name.as_str() {
            "transformList" | "transformMap" => format!("write `.{name}(index, item, expression)`"),
            "transformMapEntry" => format!("write `.{name}(index, item, {{key: value}})`"),
            _ => format!("write `.{name}(item, expression)`"),
        };
        return Err(CompileError::new(message, at).help(help));
    };
    let mut exprs = call.args.split_off(n_names);
    let names = call.args.into_iter().map(variable).collect::<Result<Vec<String>, _>>()?;
    let body = exprs.pop().expect("a macro has an expression after its names");
    let range = *call.target.take().expect("it was seen above");
    let filter = exprs.pop();
    Ok(Kind::Macro(Box::new(Comprehension { r#macro, range, names, filter, body })))
}

fn variable(arg: Expr) -> Result<String, CompileError> {
    match arg.kind {
        Kind::Name(name) => Ok(name),
        _ => Err(CompileError::new("expected a name for the item", arg.at)
            .help("write `.all(item, item > 0)`")),
    }
}

/// `has(a.b)`: whether a field is present.
fn has(mut call: Call, at: Range<usize>) -> Result<Kind, CompileError> {
    let wrong = || {
        CompileError::new("expected a field as the argument of `has`", at.clone())
            .help("write `has(self.field)`")
    };
    let arg = call.args.pop().filter(|_| call.args.is_empty()).ok_or_else(wrong)?;
    match arg.kind {
        Kind::Select { operand, field, is_optional: false } => Ok(Kind::Has { operand, field }),
        _ => Err(wrong()),
    }
}
