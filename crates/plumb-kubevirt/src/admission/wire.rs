//! The answer as the API server reads it.

use std::fmt::Write as _;

use serde::Serialize;

use crate::verdict::Cause;

/// API servers cut longer warnings off, and leave out what is beyond the sum.
const MAX_WARNING: usize = 256;
pub(super) const MAX_WARNINGS: usize = 16;

/// More bytes of causes than this are not told.
const MAX_CAUSES: usize = 64 << 10;

pub(super) struct Answer {
    /// Why not; `None` if admitted.
    pub status: Option<Status>,
    pub warnings: Vec<String>,
    /// Why not, without values; for logs.
    pub why: String,
}

#[derive(Serialize)]
pub(super) struct Status {
    metadata: Metadata,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details>,
    pub code: u16,
}

#[derive(Serialize)]
struct Metadata {}

#[derive(Serialize)]
struct Details {
    causes: Vec<StatusCause>,
}

#[derive(Serialize)]
struct StatusCause {
    reason: &'static str,
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    field: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Review<'a> {
    api_version: &'static str,
    kind: &'static str,
    response: Response<'a>,
}

#[derive(Serialize)]
struct Response<'a> {
    uid: &'a str,
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a Status>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<&'a str>,
}

impl Answer {
    pub(super) fn admitted() -> Self {
        Self { status: None, warnings: Vec::new(), why: String::new() }
    }

    pub(super) fn unjudgeable(message: String) -> Self {
        let status =
            Status { metadata: Metadata {}, message, reason: None, details: None, code: 400 };
        let why = "the machine or its rules cannot be read".to_owned();
        Self { status: Some(status), warnings: Vec::new(), why }
    }

    pub(super) fn to_bytes(&self, uid: &str) -> Vec<u8> {
        let warnings = self.warnings.iter().take(MAX_WARNINGS).map(|it| cut(it)).collect();
        let review = Review {
            api_version: "admission.k8s.io/v1",
            kind: "AdmissionReview",
            response: Response {
                uid,
                allowed: self.status.is_none(),
                status: self.status.as_ref(),
                warnings,
            },
        };
        serde_json::to_vec(&review).expect("an answer has only texts and numbers")
    }
}

impl Status {
    /// At least one cause is told, and others as long as they are not too many.
    pub(super) fn of_causes(causes: &[Cause<'_>]) -> Self {
        let mut n_bytes = 0;
        let told = causes.iter().take_while(|cause| {
            let is_told = n_bytes < MAX_CAUSES;
            n_bytes += cause.message.len();
            is_told
        });
        let told: Vec<&Cause<'_>> = told.collect();
        let messages: Vec<&str> = told.iter().map(|cause| cause.message.as_str()).collect();
        let mut message = messages.join(", ");
        if told.len() < causes.len() {
            let _ = write!(message, " and {} more", causes.len() - told.len());
        }
        let causes = told.iter().map(|cause| StatusCause {
            reason: "FieldValueInvalid",
            message: cause.message.clone(),
            field: cause.field.to_owned(),
        });
        let details = Some(Details { causes: causes.collect() });
        Self { metadata: Metadata {}, message, reason: Some("Invalid"), details, code: 422 }
    }

    pub(super) fn needed(machines: &[String]) -> Self {
        let message = format!(
            "Template cannot be deleted, because the following VMs are referencing it for \
             validation: {}",
            machines.join(", ")
        );
        Self { metadata: Metadata {}, message, reason: Some("Forbidden"), details: None, code: 403 }
    }
}

fn cut(warning: &str) -> &str {
    match warning.char_indices().nth(MAX_WARNING) {
        Some((end, _)) => &warning[..end],
        None => warning,
    }
}
