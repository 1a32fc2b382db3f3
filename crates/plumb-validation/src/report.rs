//! Reports violations as findings with their places.

use plumb_diagnostic::{Diagnostic, Failure, Frame, Severity, Subject};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Span, message};
use plumb_value::DataPath;

use crate::{AnnotationError, CONDITION_FAILED, RULE_BROKEN, RULE_FAILED, RULE_STOPPED, Violation};

/// Formats a place: `file:line`, only the line in a text without a name, and `?` if the place is
/// not known.
pub fn place(span: Option<Span>, sources: &Sources) -> String {
    let Some(span) = span else {
        return "?".to_owned();
    };
    let source = sources.get(span.file);
    let line = source.line(span.start);
    if source.name().is_empty() { line.to_string() } else { format!("{}:{line}", source.name()) }
}

/// What is validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validated {
    DataValues,
    /// The documents of the output.
    Output,
    /// A value that a template passes to a function.
    Value,
}

/// The violations of a failure.
#[derive(Clone, Debug)]
pub struct Violations(pub Vec<Violation>);

/// The failure that ends a run, with all violations.
pub fn failure(validated: Validated, violations: Vec<Violation>) -> Failure {
    let describe = |Violations(violations): &Violations| violations.iter().map(finding).collect();
    Failure::described(Violations(violations), describe).within(validated)
}

/// Reports malformed annotations.
pub fn malformed(
    validated: Validated,
    annotation: &str,
    problems: &[AnnotationError],
    sources: &Sources,
) -> Failure {
    let failures = problems.iter().map(|it| Failure::from(it.report(annotation, sources)));
    failures.reduce(Failure::and).unwrap_or_else(Failure::consequence).within(validated)
}

/// Converts a violation to a finding: the place of the value comes first, then the place of the
/// rule. The order is reversed if the rule itself failed.
pub fn finding(violation: &Violation) -> Diagnostic {
    let mut diagnostic = match violation.severity {
        Severity::Error => Diagnostic::error(violation.code, violation.message.clone()),
        Severity::Warning => Diagnostic::warning(violation.code, violation.message.clone()),
    };
    diagnostic.subject = Some(subject(violation));
    diagnostic.is_secret = violation.is_secret();
    let about_value = match &violation.required {
        required if required.is_empty() => violation.found.clone(),
        required => message!("expected {required}"),
    };
    let value = violation.origin.span().map(|span| (span, about_value));
    let rule = violation.rule.span();
    diagnostic.rule = rule;
    // The requirement of a schema is a node of it, which contains a default.
    if !violation.code.as_str().starts_with("schema/") {
        diagnostic.plain.extend(rule);
    }
    let places = match violation.code {
        // The mistake is in the rule, so it comes first.
        RULE_FAILED | RULE_STOPPED | CONDITION_FAILED => {
            let about_value = match path_of_nested(violation) {
                Some(path) => message!("on this value, `{}`", plain(path)),
                None => "on this value".into(),
            };
            let value = value.map(|(span, _)| (span, about_value));
            [rule.map(|span| (span, violation.found.clone())), value]
        }
        RULE_BROKEN => [
            value.map(|it| with_path(it, violation)),
            rule.map(|span| (span, "by this rule".into())),
        ],
        _ => {
            let is_same = value.as_ref().map(|(span, _)| *span) == rule;
            let rule = rule.filter(|_| !is_same);
            [value, rule.map(|span| (span, "declared here".into()))]
        }
    };
    for (span, about) in places.into_iter().flatten() {
        diagnostic = diagnostic.label(span, about);
    }
    diagnostic.help.clone_from(&violation.help);
    if !violation.trace.is_empty() {
        diagnostic.trace = Some(violation.trace.iter().map(Frame::clone).collect());
    }
    diagnostic
}

/// The description of the value of a violation.
pub fn subject(violation: &Violation) -> Subject {
    Subject {
        file: None,
        path: violation.path.to_string(),
        required: violation.required.clone(),
        found: violation.found.clone(),
    }
}

/// Returns the path of a value if its key does not identify it. Its place may not identify it
/// either: a line in flow style has many values, and the argument of a flag may be a whole tree.
fn path_of_nested(violation: &Violation) -> Option<&DataPath> {
    let path = &violation.path;
    (path.steps().len() > 1).then_some(path)
}

/// Adds the path, unless the help already contains it.
fn with_path((span, about): (Span, Message), violation: &Violation) -> (Span, Message) {
    match path_of_nested(violation) {
        Some(_) if !violation.help.is_empty() => (span, about),
        Some(path) if about.is_empty() => (span, message!("`{}`", plain(path))),
        Some(path) => (span, message!("`{}`: {about}", plain(path))),
        None => (span, about),
    }
}
