//! `@ytt:overlay`: applies overlays to values, and provides the matchers of overlays.

use plumb_overlay::Matcher;
use plumb_source::message::term;
use plumb_starlark::{Args, Error, Result, Tally, Thread, Value};
use plumb_template::{Runtime, datum};
use plumb_value::{CallError, Datum};

use crate::arguments::{not_an_integer, one, one_text};
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "overlay",
    summary: "changes documents by other documents",
    members: &[
        Member::function(
            "overlay.apply(document, *overlays)",
            "Applies overlays to a document.",
            apply,
        ),
        Member::function("overlay.index(i)", "Matches the item at an index.", |_, args| {
            index(args)
        }),
        Member::created("overlay.all", "Matches everything.", |_, ()| {
            datum::to_value(&Matcher::all().into_datum())
        }),
        Member::function(
            "overlay.map_key(name)",
            "Matches array items whose key has the same value.",
            |_, args| map_key(args),
        ),
        Member::function("overlay.subset(sample)", "Matches what contains the sample.", subset),
        Member::function(
            "overlay.and_op(*matchers)",
            "Matches what all matchers match.",
            |thread, args| combined(thread, args, Matcher::and),
        ),
        Member::function(
            "overlay.or_op(*matchers)",
            "Matches what any matcher matches.",
            |thread, args| combined(thread, args, Matcher::or),
        ),
        Member::function(
            "overlay.not_op(matcher)",
            "Matches what the matcher does not match.",
            negated,
        ),
    ],
};

/// A call of `overlay.apply` without arguments.
#[derive(Clone, Copy, Debug)]
pub struct NoArguments;

fn apply(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let runtime = Runtime::of(thread)?;
    let mut tally = Tally::borrowed(runtime.budget());
    let values = args.positional().map(|it| datum::from_copied_argument(it, &runtime, &mut tally));
    let mut values = values.collect::<Result<Vec<_>>>()?.into_iter();
    let Some(left) = values.next() else {
        return Err(Error::new(term("expected at least one argument", NoArguments)));
    };
    let mut warnings = Vec::new();
    let applied = plumb_overlay::apply(left, values.collect(), &runtime.sources, &mut warnings);
    runtime.warn(warnings);
    let applied =
        applied.map_err(|failure| Error::new(runtime.text(&failure)).with_detail(failure))?;
    datum::count_result(&applied, &runtime)?;
    Ok(datum::to_value(&applied))
}

fn index(args: &Args<'_>) -> Result<Value> {
    match one(args)? {
        Value::Int(at) => Ok(datum::to_value(&Matcher::index(*at).into_datum())),
        other => Err(not_an_integer(other)),
    }
}

fn map_key(args: &Args<'_>) -> Result<Value> {
    Ok(datum::to_value(&Matcher::map_key(one_text(args)?.clone()).into_datum()))
}

fn subset(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let expected = datum::from_argument(one(args)?, &Runtime::of(thread)?)?;
    made(Matcher::subset(&expected))
}

fn combined(
    thread: &mut Thread<'_>,
    args: &Args<'_>,
    combine: fn(Vec<Datum>) -> std::result::Result<Matcher, CallError>,
) -> Result<Value> {
    if args.positional().len() == 0 {
        return Err(Error::new("expected at least one argument"));
    }
    let runtime = Runtime::of(thread)?;
    let parts = args.positional().map(|it| datum::from_argument(it, &runtime));
    made(combine(parts.collect::<Result<_>>()?))
}

fn negated(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let part = datum::from_argument(one(args)?, &Runtime::of(thread)?)?;
    made(Matcher::not(part))
}

fn made(matcher: std::result::Result<Matcher, CallError>) -> Result<Value> {
    match matcher {
        Ok(matcher) => Ok(datum::to_value(&matcher.into_datum())),
        Err(error) => Err(Error::new(error.message)),
    }
}
