//! Reports violations to people at a terminal: as findings with their places, and in ytt's layout.

use plumb_diagnostic::{Diagnostic, Failure, Frame, Severity, Subject};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Span, message};
use plumb_value::DataPath;

use crate::{
    AnnotationError, CONDITION_FAILED, RULE_BROKEN, RULE_FAILED, RULE_STOPPED, Violation, Words,
};

/// Formats a place as ytt does after `by`, `at` and `from`: `file:line`, the line alone in a text
/// without a name, and `?` if the place is not known.
pub fn place(span: Option<Span>, sources: &Sources) -> String {
    let Some(span) = span else {
        return "?".to_owned();
    };
    let source = sources.get(span.file);
    let line = source.line(span.start);
    if source.name().is_empty() { line.to_string() } else { format!("{}:{line}", source.name()) }
}

/// The failure that ends a run: all violations, and ytt's text for them under a heading such as
/// `Validating final data values`.
pub fn failure(heading: &str, violations: &[Violation], sources: &Sources) -> Failure {
    let findings = violations.iter().map(finding).collect();
    Failure::of_many(findings, message!("{}:\n{}", plain(heading), peer_text(violations, sources)))
}

/// Reports malformed annotations; ytt stops at the first.
pub fn malformed(
    heading: &str,
    annotation: &str,
    problems: &[AnnotationError],
    sources: &Sources,
) -> Failure {
    let findings: Vec<Diagnostic> =
        problems.iter().map(|problem| problem.report(annotation, sources)).collect();
    let in_peer = |it: &Diagnostic| it.peer_message.as_ref().unwrap_or(&it.message).clone();
    let first = findings.first().map(in_peer);
    let peer = message!("{}:\n{first}", plain(heading));
    Failure::of_many(findings, peer)
}

/// Converts a violation to a finding: the place of the value comes first, then that of the rule.
/// The order is reversed if the rule itself failed.
pub fn finding(violation: &Violation) -> Diagnostic {
    let mut diagnostic = match violation.severity {
        Severity::Error => Diagnostic::error(violation.code, violation.message.clone()),
        Severity::Warning => Diagnostic::warning(violation.code, violation.message.clone()),
    };
    diagnostic.subject = Some(subject(violation));
    let about_value = match &violation.required.own {
        required if required.is_empty() => violation.found.own.clone(),
        required => message!("expected {required}"),
    };
    let value = violation.origin.span().map(|span| (span, about_value));
    let rule = violation.rule.span();
    diagnostic.rule = rule;
    // What a schema requires is written as a node, which contains a default.
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
            [rule.map(|span| (span, violation.found.own.clone())), value]
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

/// What a violation says of its value.
pub fn subject(violation: &Violation) -> Subject {
    Subject {
        file: None,
        path: violation.path.to_string(),
        required: violation.required.own.clone(),
        found: violation.found.own.clone(),
    }
}

/// Returns the path of a value that its key alone does not identify. Its place may not show it
/// either: a line in flow style has many values, and the argument of a flag may be a whole tree.
fn path_of_nested(violation: &Violation) -> Option<&DataPath> {
    let path = &violation.path;
    (path.steps().len() > 1).then_some(path)
}

/// Adds the path, unless the help contains it.
fn with_path((span, about): (Span, Message), violation: &Violation) -> (Span, Message) {
    match path_of_nested(violation) {
        Some(_) if !violation.help.is_empty() => (span, about),
        Some(path) if about.is_empty() => (span, message!("`{}`", plain(path))),
        Some(path) => (span, message!("`{}`: {about}", plain(path))),
        None => (span, about),
    }
}

/// ytt's blocks: a value, its origin, and the message of each rule of one annotation.
fn peer_text(violations: &[Violation], sources: &Sources) -> Message {
    if let Some(violation) = violations.iter().find(|it| it.code == CONDITION_FAILED) {
        let found = violation.found.as_peer();
        return message!("Validating {}: {found}", plain(&violation.path));
    }
    let mut out = Message::new();
    let is_same_block = |one: &Violation, other: &Violation| {
        one.path == other.path && one.rule == other.rule && one.origin == other.origin
    };
    for block in violations.chunk_by(is_same_block) {
        push_block(block, sources, &mut out);
    }
    out
}

fn push_block(block: &[Violation], sources: &Sources, out: &mut Message) {
    let [first, ..] = block else {
        return;
    };
    let path = if first.path.is_root() { "(document)".to_owned() } else { first.path.to_string() };
    let from = place(first.origin.span(), sources);
    out.push(&message!("  {}\n    from: {}\n", plain(path), plain(from)));
    for violation in block {
        let by = plain(place(violation.rule.span(), sources));
        if violation.is_worded_by_author {
            out.push(&message!("    - {} (by: {by})\n", violation.message));
            continue;
        }
        out.push(&message!("    - must be: {} (by: {by})\n", violation.required.as_peer()));
        let found = match &violation.found {
            Words { peer: Some(peer), .. } => peer.clone(),
            Words { own, peer: None } => {
                own.without_prefix("found ").unwrap_or_else(|| own.clone())
            }
        };
        if !found.is_empty() {
            out.push(&message!("      found: {found}\n"));
        }
    }
    out.push(&"\n");
}
