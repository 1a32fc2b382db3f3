//! The answer as the API server reads it.

use serde::Serialize;

use crate::verdict::Cause;

/// API servers cut longer warnings off, and leave out what is beyond the sum.
const MAX_WARNING: usize = 256;
const MAX_WARNINGS: usize = 16;

pub(super) struct Answer {
    /// Why not; none if admitted.
    pub status: Option<Status>,
    pub warnings: Vec<String>,
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
        Self { status: None, warnings: Vec::new() }
    }

    pub(super) fn unjudgeable(message: String) -> Self {
        let status =
            Status { metadata: Metadata {}, message, reason: None, details: None, code: 400 };
        Self { status: Some(status), warnings: Vec::new() }
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
    pub(super) fn of_causes(causes: &[Cause<'_>]) -> Self {
        let messages: Vec<&str> = causes.iter().map(|cause| cause.message.as_str()).collect();
        let message = messages.join(", ");
        let causes = causes.iter().map(|cause| StatusCause {
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
