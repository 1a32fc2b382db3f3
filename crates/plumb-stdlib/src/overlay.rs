//! `@ytt:overlay`: applies overlays to values, and provides the matchers of overlays.

use plumb_overlay::Matcher;
use plumb_source::Text;
use plumb_source::message::term;
use plumb_starlark::{Args, Error, Result, Tally, Thread, Value};
use plumb_template::{Runtime, datum};
use plumb_value::{CallError, Datum};

use crate::arguments::{function, not_an_integer, one, one_text};

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("apply".into(), function("overlay.apply", apply)),
        ("index".into(), function("overlay.index", |_, args| index(args))),
        ("all".into(), datum::to_value(&Matcher::all().into_datum())),
        ("map_key".into(), function("overlay.map_key", |_, args| map_key(args))),
        ("subset".into(), function("overlay.subset", subset)),
        (
            "and_op".into(),
            function("overlay.and_op", |thread, args| combined(thread, args, Matcher::and)),
        ),
        (
            "or_op".into(),
            function("overlay.or_op", |thread, args| combined(thread, args, Matcher::or)),
        ),
        ("not_op".into(), function("overlay.not_op", negated)),
    ]
}

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
    if args.is_empty() {
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
