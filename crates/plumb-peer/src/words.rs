//! The message of a finding, and of many with common facts.

use plumb_diagnostic::{Diagnostic, Facts, Failure, Wording};
use plumb_overlay::FunctionFailed;
use plumb_schema::WrongAttach;
use plumb_schema::report::Mismatches;
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Span, WorldError, message};
use plumb_template::{Confusion, Raised};
use plumb_validation::report::Violations;
use plumb_validation::{CheckFailed, WrongAnnotation};
use plumb_yaml::SyntaxError;

use crate::layout::View;
use crate::{malformed, rules, schema, term, yaml};

/// The message of one finding.
pub(crate) fn of_one(finding: &Diagnostic, sources: &Sources) -> Message {
    term::worded(&known(finding, sources).unwrap_or_else(|| finding.message.clone()), sources)
}

/// Returns the message of a finding whose facts are known here.
fn known(finding: &Diagnostic, sources: &Sources) -> Option<Message> {
    let facts = finding.facts.as_ref()?;
    if let Some(raised) = facts.get::<Raised>() {
        return Some(raised.text.clone());
    }
    if let Some(failed) = facts.get::<FunctionFailed>() {
        return Some(failed.text.clone());
    }
    if let Some(error) = facts.get::<SyntaxError>() {
        return Some(yaml::error(error));
    }
    if let Some(error) = facts.get::<WorldError>() {
        return Some(plain(error).into());
    }
    if let Some(annotation) = facts.get::<WrongAnnotation>() {
        return Some(rules::malformed(annotation, sources));
    }
    if let Some(WrongAttach) = facts.get() {
        return Some(malformed::attach());
    }
    facts.get::<CheckFailed>().map(rules::raised)
}

/// The message of findings that have these facts in common.
pub(crate) fn of_many(facts: &Facts, failure: &Failure, sources: &Sources, view: View) -> Message {
    if let Some(Violations(violations)) = facts.get() {
        rules::violations(violations, sources)
    } else if let Some(Mismatches(mismatches)) = facts.get() {
        schema::mismatches(mismatches, sources, view)
    } else if let Some(error) = facts.get() {
        schema::error(error, sources, view)
    } else {
        (Wording::default().failure)(failure, sources)
    }
}

/// The hint after the message of an error of template code.
pub(crate) fn hint(finding: &Diagnostic) -> Option<Message> {
    let raised = finding.facts.as_ref()?.get::<Raised>()?;
    Some(match raised.confusion? {
        Confusion::Word { written, meant: meant @ "None" } => {
            message!("use '{meant}' instead of '{written}' to indicate no value")
        }
        Confusion::Word { written, meant } => {
            message!("use '{meant}' instead of '{written}' for boolean assignment")
        }
        Confusion::Operator { written, meant } => {
            message!("use '{meant}' instead of '{written}' for logical-{meant}")
        }
        Confusion::NoColon => "missing colon at the end of 'if/for/def' statement?".into(),
        Confusion::FieldAsItem => "use getattr(...) to access struct field programmatically".into(),
    })
}

/// A place as `file:line`, or `?` if it is not known.
pub(crate) fn place(span: Option<Span>, sources: &Sources) -> String {
    span.map_or_else(|| "?".to_owned(), |span| sources.place(span))
}
