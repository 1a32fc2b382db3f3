//! `@ytt:regexp`: regular expressions in the syntax of RE2.

use std::sync::Arc;

use plumb_regexp::{Limits, Regexp, SyntaxError, SyntaxErrorKind};
use plumb_source::message::{plain, secret, term};
use plumb_source::{Limit, Text, message};
use plumb_starlark::{Args, Error, Result, Tally, Thread, Value};

use crate::arguments::{text, two};
use crate::decode_error::DecodeError;
use crate::definition::{Member, ModuleDefinition};
use crate::regexp_replacement::{Replaced, Replacement};

/// Approximately how many bytes of a compiled expression are created in the time of one step.
const BYTES_PER_STEP: usize = 8;

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "regexp",
    summary: "regular expressions",
    members: &[
        Member::function(
            "regexp.match(pattern, text)",
            "Whether a pattern occurs in a text.",
            is_match,
        ),
        Member::function(
            "regexp.replace(pattern, text, replacement)",
            "Replaces what a pattern matches by a text or by the result of a function.",
            replace,
        ),
    ],
};

fn is_match(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let (pattern, target) = two(args)?;
    let (pattern, target) = (text(pattern)?, text(target)?.as_bytes());
    Ok(Value::Bool(compile(thread, pattern, target, Regexp::within)?.is_match(target)))
}

fn replace(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let (3, Some(pattern), Some(source), Some(replacement)) =
        (args.len(), args.get(0), args.get(1), args.get(2))
    else {
        return Err(Error::new("expected exactly 3 arguments"));
    };
    let pattern = text(pattern)?;
    let source = text(source)?.as_bytes();
    let regexp = compile(thread, pattern, source, Regexp::with_groups)?;
    // The memory for matching is counted while the function runs, because the function may itself
    // use regular expressions.
    let budget = Arc::clone(thread.budget());
    let mut tally = Tally::borrowed(&budget);
    tally.element(regexp.matching_size())?;
    tally.settle()?;
    let mut out = Replaced { thread, text: Vec::new() };
    let mut copied = 0;
    let template = if replacement.is_callable() {
        None
    } else {
        Some(Replacement(text(replacement)?.as_bytes()))
    };
    for captures in regexp.captures_iter(source) {
        let Some(found) = captures.get_match() else { continue };
        out.push(&source[copied..found.start()])?;
        copied = found.end();
        match template {
            Some(template) => template.expand(&regexp, &captures, source, &mut out)?,
            None => {
                let matched = Text::from_bytes(&source[found.range()]);
                let returned = out.thread.call(replacement, &[matched.into()], &[])?;
                out.push(text(&returned)?.as_bytes())?;
            }
        }
    }
    out.push(&source[copied..])?;
    Ok(Text::from_bytes(&out.text).into())
}

/// Compiles a pattern for a text, and counts the work of compiling and matching.
fn compile(
    thread: &mut Thread<'_>,
    pattern: &Text,
    target: &[u8],
    compile: fn(&str, Limits) -> std::result::Result<Regexp, SyntaxError>,
) -> Result<Regexp> {
    // A few characters can denote a class with many ranges.
    thread.count_bytes(pattern.len().saturating_mul(16))?;
    let limits = Limits::of_size(thread.regexp_limit());
    // The pattern is copied.
    let memory = thread.memory_left().saturating_sub(3 * pattern.len());
    let within = limits.within(memory);
    let regexp = compile(&pattern.to_str_lossy(), within).map_err(|error| match error.kind {
        SyntaxErrorKind::TooLarge if within == limits => Error::limit(
            Limit::Regexp,
            message!("regular expression of more than {} MiB", limits.size >> 20),
        ),
        SyntaxErrorKind::TooLarge => Error::limit(Limit::Memory, "out of memory"),
        _ => Error::new(message!(
            "{}: {}: `{}`",
            term("expected a regular expression", DecodeError::Regexp),
            plain(error.kind),
            secret(error.part)
        )),
    })?;
    thread.count_steps(regexp.size() / BYTES_PER_STEP)?;
    thread.count_bytes(regexp.work(target.len()))?;
    Ok(regexp)
}
