//! Reports problems of data values and of schemas.

use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, message};
use plumb_validation::report::finding;
use plumb_value::NodeKind;

use crate::malformed::Malformed;
use crate::mismatch::{Mismatch, MismatchKind};
use crate::wrong_values::WrongValues;

/// The data values that do not conform.
#[derive(Clone, Debug)]
pub struct Mismatches(pub Vec<Mismatch>);

/// Why a schema is not valid.
#[derive(Clone, Debug)]
pub enum SchemaError {
    Malformed(Box<Malformed>),
    /// Values in the schema do not conform to it.
    Values(Box<WrongValues>),
    /// A problem of a rule.
    Rule(Box<Diagnostic>),
    /// Problems of several keys; never empty.
    Several(Vec<Self>),
    /// A problem below a nullable node.
    BelowNullable(Box<Self>),
}

/// The failure that ends a run if data values do not conform.
pub fn failure(mismatches: Vec<Mismatch>, sources: &Arc<Sources>) -> Failure {
    let sources = Arc::clone(sources);
    Failure::described(Mismatches(mismatches), move |Mismatches(mismatches)| {
        let findings = mismatches.iter().map(|it| {
            let finding = finding(&it.worded());
            match yaml_flag(it, &sources) {
                Some(help) => finding.help(help),
                None => finding,
            }
        });
        findings.collect()
    })
}

/// The hint for a number, boolean or the like that was given with a flag for strings.
fn yaml_flag(mismatch: &Mismatch, sources: &Sources) -> Option<Message> {
    let MismatchKind::Type { found: NodeKind::String, .. } = mismatch.kind else {
        return None;
    };
    let source = sources.get(mismatch.violation.origin.span()?.file);
    let (flag, _) = source.name().strip_prefix('(')?.split_once(" arg)")?;
    let wanted = match flag {
        "data-value" => "data-value-yaml",
        "data-values-env" => "data-values-env-yaml",
        _ => return None,
    };
    Some(message!("--{} always sets a string; --{wanted} sets a YAML value", plain(flag)))
}

impl SchemaError {
    /// The failure that ends a run, with the error as its facts.
    pub(crate) fn into_failure(self, sources: &Sources) -> Failure {
        match self {
            Self::Rule(diagnostic) => Failure::from(*diagnostic),
            Self::Malformed(_) | Self::Values(_) | Self::BelowNullable(_) => {
                let mut findings = self.findings();
                for finding in &mut findings {
                    finding.reveal_literals(sources);
                }
                Failure::of(findings, self)
            }
            Self::Several(errors) => {
                let failures = errors.into_iter().map(|it| it.into_failure(sources));
                failures.reduce(Failure::and).expect("there are several")
            }
        }
    }

    fn findings(&self) -> Vec<Diagnostic> {
        match self {
            Self::Malformed(malformed) => vec![malformed.finding()],
            Self::Values(values) => values.findings(),
            Self::Rule(diagnostic) => vec![Diagnostic::clone(diagnostic)],
            Self::Several(errors) => errors.iter().flat_map(Self::findings).collect(),
            Self::BelowNullable(error) => error.findings(),
        }
    }
}
