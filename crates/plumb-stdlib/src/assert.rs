//! `@ytt:assert`: assertions in templates, and rules for validations.

use std::sync::Arc;

use plumb_source::message::{WantedCount, argument_count, plain, secret, term};
use plumb_source::{Message, Origin, Text, message};
use plumb_starlark::{Args, Budget, Error, ErrorKind, Result, Tally, Thread, Value};
use plumb_template::convert::{self, Data};
use plumb_template::datum::{self, Blame, type_words};
use plumb_template::{Runtime, require_of_output};
use plumb_validation::report::{self, Validated};
use plumb_validation::{
    AnnotationError, Constraint, RULE_BROKEN, Validation, Violation, Work, check_documents,
    check_value,
};
use plumb_value::{Annotation, Datum, Document, Step};

use crate::arguments::{count, is_function, named, text};
use crate::assert_rules as rules;
use crate::definition::{Member, ModuleDefinition};
use crate::work::{self, Built};
use crate::yaml;

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "assert",
    summary: "checks that stop the run with a message",
    members: &[
        Member::function(
            "assert.equals(expected, actual)",
            "Fails if the two values differ as YAML.",
            |thread, args| equals(thread, args),
        ),
        Member::function(
            "assert.fail(message, at=[])",
            "Stops the run with a message; `at` is the path of the child at fault.",
            |thread, args| fail(thread, args),
        ),
        Member::function(
            "assert.try_to(function)",
            "Calls a function; returns its result and the error. One of them is `None`.",
            try_to,
        ),
        Member::function(
            "assert.validate(key, value, *rules, when=None)",
            "Fails if a value breaks a rule.",
            validate,
        ),
        Member::function(
            "assert.valid(node)",
            "Fails if a value breaks a rule that is annotated in the node.",
            |thread, args| valid(thread, args),
        ),
        Member::function(
            "assert.output(*rules)",
            "Adds rules that all output documents must satisfy.",
            |thread, args| output(thread, args),
        ),
        Member::created("assert.min(n)", "A rule: at least this number.", |doc, ()| {
            rules::limit(doc, Constraint::Min)
        }),
        Member::created("assert.max(n)", "A rule: at most this number.", |doc, ()| {
            rules::limit(doc, Constraint::Max)
        }),
        Member::created("assert.min_len(n)", "A rule: at least this length.", |doc, ()| {
            rules::length(doc, Constraint::MinLen)
        }),
        Member::created("assert.max_len(n)", "A rule: at most this length.", |doc, ()| {
            rules::length(doc, Constraint::MaxLen)
        }),
        Member::function("assert.not_null()", "A rule: not null.", |_, args| rules::not_null(args)),
        Member::function(
            "assert.one_not_null(keys=True)",
            "A rule for maps: exactly one of the keys is not null.",
            rules::one_not_null,
        ),
        Member::function("assert.one_of(*values)", "A rule: one of these values.", rules::one_of),
        Member::created("assert.len(n)", "A rule: exactly this length.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.greater_than(n)", "A rule: more than this number.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.less_than(n)", "A rule: less than this number.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.unique()", "A rule: no two items are equal.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.starts_with(text)", "A rule: starts with this text.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.ends_with(text)", "A rule: ends with this text.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created(
            "assert.contains(value)",
            "A rule: contains this value or text.",
            |doc, ()| rules::from_keyword(doc),
        ),
        Member::created(
            "assert.matches(pattern)",
            "A rule: matches this regular expression.",
            |doc, ()| rules::from_keyword(doc),
        ),
        Member::created("assert.format(name)", "A rule: a string of this format.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.even()", "A rule: an even number.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created("assert.odd()", "A rule: an odd number.", |doc, ()| {
            rules::from_keyword(doc)
        }),
        Member::created(
            "assert.multiple_of(n)",
            "A rule: a multiple of this number.",
            |doc, ()| rules::from_keyword(doc),
        ),
        Member::created(
            "assert.cel(expression)",
            "A rule in the Common Expression Language.",
            |doc, ()| rules::from_keyword(doc),
        ),
    ],
};

/// Two values are equal if their YAML is.
fn equals(thread: &Thread<'_>, args: &Args<'_>) -> Result<Value> {
    count(args, 2)?;
    let [expected, actual] = [0, 1].map(|at| args.get(at).cloned().unwrap_or_default());
    for value in [&expected, &actual] {
        if is_function(value) {
            let found = message::found(type_words(value));
            return Err(Error::new(message!("expected argument not to be a function, {found}")));
        }
    }
    let [expected_yaml, actual_yaml] =
        [yaml::text(thread, &expected)?, yaml::text(thread, &actual)?];
    if expected_yaml == actual_yaml {
        return Ok(Value::None);
    }
    let [expected_yaml, actual_yaml] = [&expected_yaml, &actual_yaml].map(without_last_break);
    let [expected, found] = [expected.type_name(), actual.type_name()];
    Err(Error::new(message!(
        "{}{expected_yaml}{}{actual_yaml}",
        term(
            message!("expected equal values\nexpected ({expected}):\n"),
            NotEqual::Expected(expected)
        ),
        term(message!("\n\nfound ({found}):\n"), NotEqual::Found(found)),
    )))
}

/// Two values are not equal. The message has a line before each of them, with its type.
#[derive(Clone, Copy, Debug)]
pub enum NotEqual {
    Expected(&'static str),
    Found(&'static str),
}

/// Marks a text as a value, except for the line break at its end: a literal in the code has no such
/// line break.
fn without_last_break(yaml: &Text) -> Message {
    let text = yaml.to_str_lossy();
    let value = text.trim_end_matches('\n');
    message!("{}{}", secret(value), plain(&text[value.len()..]))
}

fn fail(thread: &Thread<'_>, args: &Args<'_>) -> Result<Value> {
    count(args, 1)?;
    let message = text(args.get(0).unwrap_or(&Value::None))?;
    let error = Error::of_kind(ErrorKind::Fail, message!("fail: {}", plain(message)));
    match named(args, "at") {
        None => Err(error),
        Some(at) => Err(error.with_detail(Blame(path(thread, at)?))),
    }
}

/// Reads a list of keys and indexes that leads to the child at fault.
fn path(thread: &Thread<'_>, at: &Value) -> Result<Vec<Step>> {
    let node = convert::to_node(at, Origin::Unknown, &mut Tally::borrowed(thread.budget()))?;
    plumb_validation::steps(&node).ok_or_else(|| {
        let found = at.type_name();
        Error::new(message!("expected at= to be a list of keys and indexes, found {found}"))
    })
}

fn try_to(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    count(args, 1)?;
    let callee = args.get(0).cloned().unwrap_or_default();
    if !callee.is_callable() {
        let found = message::found(type_words(&callee));
        return Err(Error::new(message!("expected argument to be a function, {found}")));
    }
    match thread.call(&callee, &[], &[]) {
        Ok(value) => Ok(Value::tuple([value, Value::None])),
        // A limit ends the whole run, so it cannot be caught.
        Err(error) if error.reached().is_some() => Err(error),
        Err(error) => {
            thread.budget().check_reached()?;
            let message = Runtime::of(thread)?.worded(error.message());
            Ok(Value::tuple([Value::None, message.shown().into()]))
        }
    }
}

/// `assert.validate(key, value, rules…, named rules…, when=)`: validates one value as
/// `@assert/validate` does.
fn validate(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let (Some(key), Some(value)) = (args.get(0), args.get(1)) else {
        return Err(Error::new(argument_count(WantedCount::AtLeast(2), args.len())));
    };
    let key = text(key)?.to_str_lossy();
    let value = rules::node(thread, value)?;
    let runtime = Runtime::of(thread)?;
    let rules = rules(&runtime, args, 2)?;
    if plumb_validation::has_no_rule(&rules) {
        return Err(Error::new("expected at least one rule, such as min=1 or a function"));
    }
    let validation =
        Validation::from_arguments(&rules).map_err(|problem| Error::new(problem.message()))?;
    let found = within(thread.budget(), |work| {
        validation.count(work);
        check_value(&key, &value, &validation, work)
    });
    ok_or_violations(found?)
}

/// `assert.valid(node)`: checks the rules that are annotated in a fragment.
fn valid(thread: &Thread<'_>, args: &Args<'_>) -> Result<Value> {
    count(args, 1)?;
    let runtime = Runtime::of(thread)?;
    let mut tally = Tally::borrowed(thread.budget());
    let value = args.get(0).unwrap_or(&Value::None);
    let documents = match convert::to_data(value, Origin::Unknown, &mut tally)? {
        Data::Documents(documents) => documents.to_vec(),
        Data::Node(node) => vec![Document::new(node, Origin::Unknown)],
    };
    let parents = runtime.silent_drops().into();
    let documents = documents.iter().enumerate();
    let violations = within(thread.budget(), |work| check_documents(documents, parents, work))?;
    let violations = violations.map_err(|problems| {
        Error::new(Message::join(problems.iter().map(AnnotationError::message), "\n"))
    })?;
    ok_or_violations(violations)
}

/// Checks rules that are not kept afterwards.
fn within<T>(budget: &Budget, check: impl FnOnce(&Work<'_>) -> T) -> Result<T> {
    let checked = work::within(budget, Built::Dropped, check);
    checked.map_err(Error::from)
}

/// `assert.output(rules…)`: rules for the list of all documents that the library outputs.
fn output(thread: &Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let runtime = Runtime::of(thread)?;
    require_of_output(thread, rules(&runtime, args, 0)?)?;
    Ok(Value::None)
}

/// Converts the arguments from a position on to the arguments of an annotation.
fn rules(runtime: &Arc<Runtime>, args: &Args<'_>, from: usize) -> Result<Annotation> {
    let datum = |value: &Value| datum::from_argument(value, runtime);
    let named =
        args.named().map(|(name, value)| Ok((Arc::from(&*name.to_str_lossy()), datum(value)?)));
    let named = named.collect::<Result<_>>()?;
    let positional = args.positional().skip(from).map(datum).collect::<Result<Vec<Datum>>>()?;
    // Each rule has its own place; the place of another would be misleading.
    let span = None;
    let name = Arc::from(plumb_validation::ASSERT_VALIDATE);
    Ok(Annotation::new(name, positional, named, span))
}

/// Fails with all messages, one per line, if there are any.
fn ok_or_violations(violations: Vec<Violation>) -> Result<Value> {
    if violations.is_empty() {
        return Ok(Value::None);
    }
    let messages = Message::join(violations.iter().map(|it| &it.message), "\n");
    // If the rule itself failed, a rule that calls this function must not report the value.
    let is_value_at_fault = violations.iter().all(|it| it.code == RULE_BROKEN);
    let kind = if is_value_at_fault { ErrorKind::Fail } else { ErrorKind::Runtime };
    let failure = report::failure(Validated::Value, violations);
    Err(Error::of_kind(kind, messages).with_detail(failure))
}
