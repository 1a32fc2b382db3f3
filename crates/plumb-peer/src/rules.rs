//! Broken rules and malformed ones.

use std::fmt::Write as _;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, Sources, message};
use plumb_validation::report::place;
use plumb_validation::{
    AnnotationErrorKind, Cause, CheckFailed, ConditionErrorKind, Constraint, Shortfall, ValueType,
    Violation, WrongAnnotation,
};
use plumb_value::{DataPath, Datum, KeyType, Node, Step};

use crate::rule_order;

/// The blocks of violations: a value, its origin, and the message of each rule of one annotation.
pub(crate) fn violations(violations: &[Violation], sources: &Sources) -> Message {
    let violations = rule_order::sorted(violations);
    for violation in &violations {
        if let Cause::Condition(problem) = &violation.cause {
            let path = plain(path(&violation.path));
            return message!("Validating {path}: {}", condition(problem));
        }
    }
    let mut out = Message::new();
    let is_same_block = |one: &&Violation, other: &&Violation| {
        one.path == other.path && one.rule == other.rule && one.origin == other.origin
    };
    for block in violations.chunk_by(is_same_block) {
        push_block(block, sources, &mut out);
    }
    out
}

fn push_block(block: &[&Violation], sources: &Sources, out: &mut Message) {
    let [first, ..] = block else {
        return;
    };
    let path = match path(&first.path) {
        path if !path.is_empty() => path,
        _ if first.path.is_root() => "(document)".to_owned(),
        _ => "(map item)".to_owned(),
    };
    let from = place(first.origin.span(), sources);
    out.push(&message!("  {}\n    from: {}\n", plain(path), plain(from)));
    for violation in block {
        let by = plain(place(violation.rule.span(), sources));
        if violation.is_worded_by_author {
            out.push(&message!("    - {} (by: {by})\n", violation.message));
            continue;
        }
        out.push(&message!("    - must be: {} (by: {by})\n", required(violation)));
        let found = found(violation);
        if !found.is_empty() {
            out.push(&message!("      found: {found}\n"));
        }
    }
    out.push(&"\n");
}

/// A path as ytt writes it: keys that are not strings are formatted by Go.
fn path(path: &DataPath) -> String {
    let mut out = String::new();
    for step in path.steps() {
        let key = match step {
            Step::Key(key) | Step::OtherKey(KeyType::Collection, key) => key.to_string(),
            Step::OtherKey(KeyType::Null, _) => "%!s(<nil>)".to_owned(),
            Step::OtherKey(KeyType::Bool, key) => format!("%!s(bool={key})"),
            Step::OtherKey(KeyType::Int, key) => format!("%!s(int={key})"),
            Step::OtherKey(KeyType::UInt, key) => format!("%!s(uint64={key})"),
            Step::OtherKey(KeyType::Float, key) => format!("%!s(float64={key})"),
            Step::Index(index) => {
                let _ = write!(out, "[{index}]");
                continue;
            }
        };
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(&key);
    }
    out
}

fn required(violation: &Violation) -> Message {
    match &violation.cause {
        Cause::Rule { constraint, is_described: false, .. } => description(constraint),
        Cause::Rule { .. }
        | Cause::Words
        | Cause::Secret
        | Cause::Function(_)
        | Cause::Condition(_) => violation.required.clone(),
    }
}

fn found(violation: &Violation) -> Message {
    match &violation.cause {
        Cause::Rule { constraint, shortfall, .. } => failure(constraint, shortfall),
        Cause::Function(text) => text.clone(),
        Cause::Words | Cause::Secret | Cause::Condition(_) => without_found(&violation.found),
    }
}

/// Our words, without the word "found", which ytt already writes before them.
fn without_found(words: &Message) -> Message {
    words.without_prefix("found ").unwrap_or_else(|| words.clone())
}

fn description(constraint: &Constraint) -> Message {
    match constraint {
        Constraint::MinLen(n) => message!("length >= {}", plain(n)),
        Constraint::MaxLen(n) => message!("length <= {}", plain(n)),
        Constraint::Len(n) => message!("length == {}", plain(n)),
        Constraint::Min(limit) => message!("a value >= {}", plain(limit.repr())),
        Constraint::Max(limit) => message!("a value <= {}", plain(limit.repr())),
        Constraint::NotNull => "not null".into(),
        Constraint::OneNotNull(None) => "exactly one of all children to be not null".into(),
        other => other.description(),
    }
}

/// How a value breaks a rule.
fn failure(constraint: &Constraint, shortfall: &Shortfall) -> Message {
    match shortfall {
        Shortfall::Length { length, .. } => message!("length = {}", secret(length)),
        Shortfall::NoLength(found) => message!("len: value of type {} has no len", found.name),
        Shortfall::Beyond => match bound(constraint) {
            Some(Bound { limit, opposite, .. }) => {
                // Texts are shown without quotes here.
                let limit = limit.as_str().map_or_else(|| limit.repr(), str::to_owned);
                message!("value {opposite} {}", plain(limit))
            }
            None => without_found(&constraint.failure(shortfall)),
        },
        Shortfall::Incomparable { found, limit } => {
            let operator = bound(constraint).map(|it| it.operator);
            message!("{} {operator} {} not implemented", type_name(*found), *limit)
        }
        Shortfall::NotAllowed => "not one of allowed values".into(),
        Shortfall::Null => "value is null".into(),
        Shortfall::NoKeys => "value is empty".into(),
        Shortfall::AllNull(_) => "all values are null".into(),
        Shortfall::SeveralKeys(keys) => {
            let keys: Vec<String> = keys.iter().map(Node::repr).collect();
            message!("[{}] are not null", plain(keys.join(", ")))
        }
        Shortfall::NotAMap(found) => {
            message!("value must be a map or dict, but was '{}'", type_name(*found))
        }
        Shortfall::Other(words) => without_found(words),
    }
}

/// A rule about a limit.
struct Bound<'a> {
    limit: &'a Node,
    operator: &'static str,
    opposite: &'static str,
}

fn bound(constraint: &Constraint) -> Option<Bound<'_>> {
    let (limit, operator, opposite) = match constraint {
        Constraint::Min(limit) => (limit, ">=", "<"),
        Constraint::Max(limit) => (limit, "<=", ">"),
        Constraint::GreaterThan(limit) => (limit, ">", "<="),
        Constraint::LessThan(limit) => (limit, "<", ">="),
        _ => return None,
    };
    Some(Bound { limit, operator, opposite })
}

/// The name of a type, for which an empty map or array of a document counts as no value.
fn type_name(found: ValueType) -> &'static str {
    if found.is_written_empty { "NoneType" } else { found.name }
}

/// The error of an assertion's `check`. All assertions except `one_not_null` call `fail` in ytt.
/// Operands of the wrong type are an error of the language.
pub(crate) fn raised(failed: &CheckFailed) -> Message {
    let CheckFailed { constraint, shortfall } = failed;
    let by = match (&**constraint, shortfall) {
        (_, Shortfall::NoLength(_) | Shortfall::Incomparable { .. }) => "",
        (Constraint::OneNotNull(_), _) => "check: ",
        _ => "fail: ",
    };
    let words = match shortfall {
        Shortfall::Other(words) => words.clone(),
        _ => failure(constraint, shortfall),
    };
    message!("{by}{words}")
}

fn condition(problem: &ConditionErrorKind) -> Message {
    match problem {
        ConditionErrorKind::Parameters(given) => message!(
            "Failed to evaluate when=: function must accept 1 or 2 arguments ({given} given)"
        ),
        ConditionErrorKind::Result(type_name) => {
            message!("want when= to be bool, got {}", *type_name)
        }
        ConditionErrorKind::Raised(error) => message!("Failure evaluating when=: {error}"),
    }
}

/// An annotation that is not a rule.
pub(crate) fn malformed(annotation: &WrongAnnotation, sources: &Sources) -> Message {
    let WrongAnnotation { name, error } = annotation;
    let (words, preposition) = kind(&error.kind);
    let place = error.span.map(|span| place(Some(span), sources));
    let at = place.zip(preposition).map(|(place, it)| message!(" ({it} {})", plain(place)));
    message!("Invalid @{} annotation - {words}{at}", plain(name))
}

/// The words for an error, and the word before its place if it is shown.
fn kind(kind: &AnnotationErrorKind) -> (Message, Option<&'static str>) {
    match kind {
        AnnotationErrorKind::NoArguments => {
            let words =
                "expected annotation to have 2-tuple as argument(s), but found no arguments";
            (words.into(), Some("by"))
        }
        AnnotationErrorKind::NotARule { repr, .. } => {
            let words = message!(
                "expected annotation to have 2-tuple as argument(s), but found: {}",
                secret(repr)
            );
            (words, Some("by"))
        }
        AnnotationErrorKind::TupleLength(length) => {
            (message!("expected 2-tuple, but found tuple with length {length}"), Some("by"))
        }
        AnnotationErrorKind::NoDescription { type_name, .. } => {
            let words = message!(
                "expected first item in the 2-tuple to be a string describing a valid value, but \
                 was {}",
                *type_name
            );
            (words, Some("at"))
        }
        AnnotationErrorKind::NotAnAssertion { found, .. } => (not_an_assertion(found), Some("at")),
        AnnotationErrorKind::Message { otherwise, .. } => self::kind(otherwise),
        AnnotationErrorKind::NotAList(words) => (words.clone(), None),
        AnnotationErrorKind::Other(words) => (words.clone(), Some("at")),
    }
}

/// In values with attributes, ytt looks for `check` first, and its message depends on that.
fn not_an_assertion(found: &Datum) -> Message {
    let type_name = found.type_name();
    match found {
        Datum::Node(Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_))
        | Datum::Tuple(_) => message!(
            "expected second item in the 2-tuple to be an assertion function, but was {type_name}"
        ),
        Datum::Node(Node::String(_) | Node::Map(_) | Node::Array(_))
        | Datum::Documents(_)
        | Datum::Function(_)
        | Datum::Opaque(_) => message!(
            "expected second item in tuple to be an assertion function or assertion object, but \
             was a {type_name}"
        ),
    }
}
