//! Reports problems of data values and of schemas.

use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Span, message};
use plumb_validation::report::finding;
use plumb_value::{Datum, NodeKind};

use crate::mismatch::{Mismatch, MismatchKind};

/// The data values that do not conform.
#[derive(Clone, Debug)]
pub struct Mismatches(pub Vec<Mismatch>);

/// Why a schema is not valid.
#[derive(Clone, Debug)]
pub enum SchemaError {
    Report(Box<Report>),
    /// A problem that is reported in one line.
    Line(Box<Diagnostic>),
    /// Problems of several keys; never empty.
    Several(Vec<Self>),
}

/// The problems of a part of a schema.
#[derive(Clone, Debug)]
pub struct Report {
    /// The code of its findings.
    pub code: Code,
    /// The common description of all entries.
    pub summary: &'static str,
    /// One entry for each problem; empty if another report is quoted.
    pub entries: Vec<Entry>,
    /// The error of a nested part.
    pub quoted: Option<SchemaError>,
}

/// A problem of a schema.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The annotations that it concerns.
    pub annotations: Vec<Span>,
    /// The node with these annotations.
    pub node: Option<Span>,
    /// What is wrong.
    pub kind: EntryKind,
}

/// The kinds of problems of a schema.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// A value in an annotation, or the sample itself, does not conform.
    Mismatch(Box<Mismatch>),
    Words(Box<EntryWords>),
}

/// The texts of a problem of a schema, each of which may be empty.
#[derive(Clone, Debug, Default)]
pub struct EntryWords {
    pub description: Message,
    pub found: Message,
    /// The annotation in which the problem was found.
    pub found_in: Option<Span>,
    pub expected: Message,
    pub hints: Vec<Message>,
    /// The facts from which these texts are composed, if the texts do not contain all of them.
    pub wrong_argument: Option<WrongArgument>,
}

/// A wrong argument of an annotation.
#[derive(Clone, Debug)]
pub enum WrongArgument {
    /// `@schema/type` has neither names of types nor keywords.
    NoType,
    /// The value of `any=` is not a boolean but this value.
    AnyValue(Datum),
    /// `@schema/type` does not accept this keyword.
    TypeKeyword(String),
    /// `@schema/nullable` has a keyword.
    NullableKeyword,
    /// An argument of `@schema/examples` is not an example.
    Example,
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
    pub(crate) fn into_failure(self, sources: &Sources) -> Failure {
        match self {
            Self::Line(diagnostic) => Failure::from(*diagnostic),
            Self::Report(report) => {
                let mut findings = report.findings();
                for finding in &mut findings {
                    finding.reveal_literals(sources);
                }
                Failure::of(findings, *report)
            }
            Self::Several(refusals) => {
                let failures = refusals.into_iter().map(|it| it.into_failure(sources));
                failures.reduce(Failure::and).expect("there are several")
            }
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::Report(report) => report.code,
            Self::Line(diagnostic) => diagnostic.code,
            Self::Several(refusals) => refusals[0].code(),
        }
    }

    fn findings(&self) -> Vec<Diagnostic> {
        match self {
            Self::Report(report) => report.findings(),
            Self::Line(diagnostic) => vec![Diagnostic::clone(diagnostic)],
            Self::Several(refusals) => refusals.iter().flat_map(Self::findings).collect(),
        }
    }

    /// Quotes the error in the report of the enclosing part.
    pub(crate) fn quoted(self) -> Self {
        let (summary, entries) = ("Invalid schema", Vec::new());
        let code = self.code();
        Self::Report(Box::new(Report { code, summary, entries, quoted: Some(self) }))
    }
}

impl Report {
    pub(crate) fn new(code: Code, summary: &'static str, entries: Vec<Entry>) -> Self {
        Self { code, summary, entries, quoted: None }
    }

    fn findings(&self) -> Vec<Diagnostic> {
        match &self.quoted {
            Some(quoted) => quoted.findings(),
            None => self.entries.iter().map(|entry| self.finding(entry)).collect(),
        }
    }

    fn finding(&self, entry: &Entry) -> Diagnostic {
        let nothing = Message::new();
        let (description, expected, found, hints) = match &entry.kind {
            EntryKind::Words(it) => (&it.description, &it.expected, &it.found, &it.hints),
            EntryKind::Mismatch(mismatch) => {
                let violation = &mismatch.violation;
                (&nothing, &violation.required, &violation.found, &violation.help)
            }
        };
        let summary = self.summary;
        let message = match description {
            it if it.is_empty() => summary.into(),
            description => message!("{summary}: {description}"),
        };
        let mut diagnostic = Diagnostic::error(self.code, message);
        let about = match (expected, found) {
            (expected, found) if expected.is_empty() => found.clone(),
            (expected, found) if found.is_empty() => message!("expected {expected}"),
            (expected, found) => message!("expected {expected}, found {found}"),
        };
        let mut places = entry.annotations.iter().chain(&entry.node);
        if let Some(&first) = places.next() {
            diagnostic = diagnostic.label(first, about);
        }
        for &span in places {
            diagnostic = diagnostic.label(span, "on this");
        }
        diagnostic.help.clone_from(hints);
        diagnostic
    }
}

impl Entry {
    /// A value that does not conform, and the annotation that contains it.
    pub(crate) fn of(mismatch: Mismatch, annotation: Option<Span>) -> Self {
        let node = mismatch.violation.origin.span();
        let kind = EntryKind::Mismatch(Box::new(mismatch));
        Self { annotations: annotation.into_iter().collect(), node, kind }
    }
}
