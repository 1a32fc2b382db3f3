//! The answer in the format that the API server reads.

use std::fmt::Write as _;

use plumb_source::{Message, Values};
use serde::Serialize;

use crate::verdict::Cause;

/// API servers truncate longer warnings, and drop warnings beyond a total size.
const MAX_WARNING: usize = 256;
pub(super) const MAX_WARNINGS: usize = 16;

/// Causes beyond this many bytes are left out.
const MAX_CAUSES: usize = 64 << 10;

pub(super) struct Answer {
    /// Why the request is rejected; `None` if it is admitted.
    pub status: Option<Status>,
    pub warnings: Vec<Message>,
    /// Why the request is rejected, for logs.
    pub why: Message,
    /// Whether the virtual machine names an unknown template.
    pub lacks_template: bool,
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
        let (warnings, why) = (Vec::new(), Message::new());
        Self { status: None, warnings, why, lacks_template: false }
    }

    pub(super) fn invalid(message: &Message, values: Values) -> Self {
        let message = message.text(values).into_owned();
        let status =
            Status { metadata: Metadata {}, message, reason: None, details: None, code: 400 };
        let why = "the virtual machine or its rules cannot be read".into();
        Self { status: Some(status), warnings: Vec::new(), why, lacks_template: false }
    }

    pub(super) fn to_bytes(&self, uid: &str, values: Values) -> Vec<u8> {
        let warnings: Vec<_> =
            self.warnings.iter().take(MAX_WARNINGS).map(|it| it.text(values)).collect();
        let warnings = warnings.iter().map(|it| cut(it)).collect();
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
    /// Reports at least one cause, and more until the size limit is reached.
    pub(super) fn of_causes(causes: &[Cause<'_>], values: Values) -> Self {
        let words: Vec<_> = causes.iter().map(|it| (it.field, it.message.text(values))).collect();
        let mut n_bytes = 0;
        let shown = words.iter().take_while(|(_, message)| {
            let is_shown = n_bytes < MAX_CAUSES;
            n_bytes += message.len();
            is_shown
        });
        let shown: Vec<_> = shown.collect();
        let messages: Vec<&str> = shown.iter().map(|(_, message)| &**message).collect();
        let mut message = messages.join(", ");
        if shown.len() < causes.len() {
            let _ = write!(message, " and {} more", causes.len() - shown.len());
        }
        let causes = shown.iter().map(|(field, message)| StatusCause {
            reason: "FieldValueInvalid",
            message: message.to_string(),
            field: (*field).to_owned(),
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
