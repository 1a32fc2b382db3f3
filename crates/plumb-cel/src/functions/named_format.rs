//! The formats that Kubernetes names: `format.dns1123Label().validate(self.name)`.
//!
//! Their messages are for the author's own message, and are not shown otherwise.

use plumb_format::Format;

use crate::functions::special::Special;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    global("format.named", 1..=1, named),
    global("format.dns1123Label", 0..=0, |_, _| Ok(made(NamedFormat::Dns1123Label))),
    global("format.dns1123Subdomain", 0..=0, |_, _| Ok(made(NamedFormat::Dns1123Subdomain))),
    global("format.dns1035Label", 0..=0, |_, _| Ok(made(NamedFormat::Dns1035Label))),
    global("format.dns1123LabelPrefix", 0..=0, |_, _| Ok(made(NamedFormat::Dns1123LabelPrefix))),
    global("format.dns1123SubdomainPrefix", 0..=0, |_, _| {
        Ok(made(NamedFormat::Dns1123SubdomainPrefix))
    }),
    global("format.dns1035LabelPrefix", 0..=0, |_, _| Ok(made(NamedFormat::Dns1035LabelPrefix))),
    global("format.qualifiedName", 0..=0, |_, _| Ok(made(NamedFormat::QualifiedName))),
    global("format.labelValue", 0..=0, |_, _| Ok(made(NamedFormat::LabelValue))),
    global("format.uri", 0..=0, |_, _| Ok(made(NamedFormat::Uri))),
    global("format.uuid", 0..=0, |_, _| Ok(made(NamedFormat::Uuid))),
    global("format.byte", 0..=0, |_, _| Ok(made(NamedFormat::Byte))),
    global("format.date", 0..=0, |_, _| Ok(made(NamedFormat::Date))),
    global("format.datetime", 0..=0, |_, _| Ok(made(NamedFormat::DateTime))),
    member("validate", 1..=1, validate),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedFormat {
    Dns1123Label,
    Dns1123Subdomain,
    Dns1035Label,
    Dns1123LabelPrefix,
    Dns1123SubdomainPrefix,
    Dns1035LabelPrefix,
    QualifiedName,
    LabelValue,
    Uri,
    Uuid,
    Byte,
    Date,
    DateTime,
}

impl NamedFormat {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "dns1123Label" => Self::Dns1123Label,
            "dns1123Subdomain" => Self::Dns1123Subdomain,
            "dns1035Label" => Self::Dns1035Label,
            "dns1123LabelPrefix" => Self::Dns1123LabelPrefix,
            "dns1123SubdomainPrefix" => Self::Dns1123SubdomainPrefix,
            "dns1035LabelPrefix" => Self::Dns1035LabelPrefix,
            "qualifiedName" => Self::QualifiedName,
            "labelValue" => Self::LabelValue,
            "uri" => Self::Uri,
            "uuid" => Self::Uuid,
            "byte" => Self::Byte,
            "date" => Self::Date,
            "datetime" => Self::DateTime,
            _ => return None,
        })
    }

    fn error(self, text: &str) -> Option<&'static str> {
        // A prefix may end with a hyphen, because something follows it. As in Kubernetes, the
        // character before the hyphen counts for nothing either.
        let prefix = || match text.strip_suffix('-') {
            Some(start) if !start.is_empty() => {
                let mut start = start.to_owned();
                start.pop();
                start.push('a');
                start
            }
            _ => text.to_owned(),
        };
        let (is_valid, error) = match self {
            Self::Dns1123Label => (is_label(text), NOT_A_LABEL),
            Self::Dns1123LabelPrefix => (is_label(&prefix()), NOT_A_LABEL),
            Self::Dns1123Subdomain => (is_subdomain(text), NOT_A_SUBDOMAIN),
            Self::Dns1123SubdomainPrefix => (is_subdomain(&prefix()), NOT_A_SUBDOMAIN),
            Self::Dns1035Label => (is_1035_label(text), NOT_A_1035_LABEL),
            Self::Dns1035LabelPrefix => (is_1035_label(&prefix()), NOT_A_1035_LABEL),
            Self::QualifiedName => (is_qualified(text), "must be a name, or prefix/name"),
            Self::LabelValue => (
                text.is_empty() || is_name(text),
                "must be letters, digits, `-`, `_` or `.`, with a letter or digit at both ends, \
                 and no more than 63 of them",
            ),
            Self::Uri => (Format::Uri.check_text(text).is_ok(), "must be a URI"),
            Self::Uuid => (Format::Uuid.check_text(text).is_ok(), "must be a UUID"),
            Self::Byte => (is_base64(text), "must be base64"),
            Self::Date => {
                let is_date = Format::DateTime.check_text(&format!("{text}T00:00:00Z")).is_ok();
                (is_date, "must be a date, such as 2026-01-31")
            }
            Self::DateTime => {
                let is_valid = Format::DateTime.check_text(text).is_ok();
                (is_valid, "must be a point in time, such as 2026-01-31T12:00:00Z")
            }
        };
        (!is_valid).then_some(error)
    }
}

const NOT_A_LABEL: &str = "must be lower-case letters, digits or `-`, with a letter or digit at \
                           both ends, and no more than 63 of them";
const NOT_A_SUBDOMAIN: &str = "must be labels of lower-case letters, digits or `-` with dots \
                               between them, and no more than 253 characters";
const NOT_A_1035_LABEL: &str = "must be lower-case letters, digits or `-`, with a letter at its \
                                start and no `-` at its end, and no more than 63 of them";

fn made<'a>(format: NamedFormat) -> Value<'a> {
    Value::special(Special::Format(format))
}

fn named<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::String(name) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(name.len())?;
    match NamedFormat::from_name(name) {
        Some(format) => Ok(Value::some(made(format))),
        None => Ok(Value::Optional(None)),
    }
}

/// Returns `optional.none()` if the text has the format, and otherwise the messages.
fn validate<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (Value::Special(special), Value::String(text)) = (&args[0], &args[1]) else {
        return Err(OperationError::Types);
    };
    let Special::Format(format) = **special else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    let error = format.error(text);
    Ok(error.map_or(Value::Optional(None), |it| Value::some(Value::list(vec![Value::text(it)]))))
}

fn is_label(text: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    !text.is_empty()
        && text.len() <= 63
        && text.bytes().all(is_part)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_1035_label(text: &str) -> bool {
    is_label(text) && text.starts_with(|it: char| it.is_ascii_lowercase())
}

/// Labels may be longer here than those of a name, as in Kubernetes.
fn is_subdomain(text: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(is_part)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_name(text: &str) -> bool {
    let is_end = |it: Option<u8>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    text.len() <= 63
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
        && is_end(text.bytes().next())
        && is_end(text.bytes().next_back())
}

fn is_qualified(text: &str) -> bool {
    match text.split_once('/') {
        Some((prefix, name)) => is_subdomain(prefix) && is_name(name),
        None => is_name(text),
    }
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let n_padding = text.len() - digits.len();
    let is_digit = |it: u8| it.is_ascii_alphanumeric() || it == b'+' || it == b'/';
    text.len().is_multiple_of(4)
        && n_padding <= 2
        && digits.len() % 4 != 1
        && digits.bytes().all(is_digit)
}
