//! The formats that Kubernetes names: `format.dns1123Label().validate(self.name)`.
//!
//! Their messages are those of an API server, because rules can compare them. They are shown only
//! if the author of a rule uses them in a message.

use plumb_format::Format;

use crate::functions::special::Special;
use crate::functions::url;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::quote;
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

    /// What is wrong with a text, in the words of Kubernetes.
    fn errors(self, text: &str) -> Vec<String> {
        // A prefix may end with a hyphen, because something follows it. As in Kubernetes, the
        // character before the hyphen is ignored too.
        let prefix = || match text.strip_suffix('-') {
            Some(start) if !start.is_empty() => {
                let mut start = start.to_owned();
                start.pop();
                start.push('a');
                start
            }
            _ => text.to_owned(),
        };
        let unless = |is_valid: bool, error: &str| {
            if is_valid { Vec::new() } else { vec![error.to_owned()] }
        };
        match self {
            Self::Dns1123Label => label_errors(text),
            Self::Dns1123LabelPrefix => label_errors(&prefix()),
            Self::Dns1123Subdomain => SUBDOMAIN.errors(text),
            Self::Dns1123SubdomainPrefix => SUBDOMAIN.errors(&prefix()),
            Self::Dns1035Label => LABEL_1035.errors(text),
            Self::Dns1035LabelPrefix => LABEL_1035.errors(&prefix()),
            Self::QualifiedName => qualified_errors(text),
            Self::LabelValue => LABEL_VALUE.errors(text),
            Self::Uri if text.is_empty() => unless(false, "parse \"\": empty url"),
            Self::Uri => {
                let error = format!("parse {}: invalid URI for request", quote::quoted(text));
                unless(url::is_url(text), &error)
            }
            Self::Uuid => unless(is_uuid(text), "does not match the UUID format"),
            Self::Byte => unless(is_base64(text), "invalid base64"),
            Self::Date => {
                let is_date = Format::DateTime.check_text(&format!("{text}T00:00:00Z")).is_ok();
                unless(is_date, "invalid date")
            }
            Self::DateTime => unless(Format::DateTime.check_text(text).is_ok(), "invalid datetime"),
        }
    }
}

/// A syntax of names.
struct Names {
    max_len: usize,
    /// The unit of the length. All characters that a name may contain are single bytes.
    unit: &'static str,
    is_valid: fn(&str) -> bool,
    rule: &'static str,
    examples: &'static str,
    regex: &'static str,
}

const LABEL: Names = Names {
    max_len: 63,
    unit: "characters",
    is_valid: is_label,
    rule: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
           and must start and end with an alphanumeric character",
    examples: "'my-name',  or '123-abc'",
    regex: "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
};

const LABEL_1035: Names = Names {
    max_len: 63,
    unit: "characters",
    is_valid: is_1035_label,
    rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with \
           an alphabetic character, and end with an alphanumeric character",
    examples: "'my-name',  or 'abc-123'",
    regex: "[a-z]([-a-z0-9]*[a-z0-9])?",
};

const SUBDOMAIN: Names = Names {
    max_len: 253,
    unit: "characters",
    is_valid: is_subdomain,
    rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' \
           or '.', and must start and end with an alphanumeric character",
    examples: "'example.com'",
    regex: r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
};

const LABEL_VALUE: Names = Names {
    max_len: 63,
    unit: "bytes",
    is_valid: |text| text.is_empty() || is_name(text),
    rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' \
           or '.', and must start and end with an alphanumeric character",
    examples: "'MyValue',  or 'my_value',  or '12345'",
    regex: "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
};

const NAME: Names = Names {
    max_len: 63,
    unit: "bytes",
    is_valid: is_name,
    rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with \
           an alphanumeric character",
    examples: "'MyName',  or 'my.name',  or '123-abc'",
    regex: "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
};

impl Names {
    fn errors(&self, text: &str) -> Vec<String> {
        let mut errors = Vec::new();
        if text.len() > self.max_len {
            errors.push(format!("must be no more than {} {}", self.max_len, self.unit));
        }
        if !(self.is_valid)(text) {
            errors.push(self.syntax());
        }
        errors
    }

    fn syntax(&self) -> String {
        let Self { rule, examples, regex, .. } = self;
        format!("{rule} (e.g. {examples}, regex used for validation is '{regex}')")
    }
}

fn label_errors(text: &str) -> Vec<String> {
    let mut errors = LABEL.errors(text);
    if let Some(error) = errors.last_mut().filter(|_| text.contains('.') && is_subdomain(text)) {
        "must not contain dots".clone_into(error);
    }
    errors
}

/// What is wrong with `name` or `prefix/name`.
fn qualified_errors(text: &str) -> Vec<String> {
    let (prefix, name) = match text.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    if name.contains('/') {
        let syntax = NAME.syntax();
        return vec![format!(
            "a valid label key {syntax} with an optional DNS subdomain prefix and '/' (e.g. \
             'example.com/MyName')"
        )];
    }
    let mut errors = match prefix {
        None => Vec::new(),
        Some("") => vec!["prefix part must be non-empty".to_owned()],
        Some(prefix) => part_errors("prefix", SUBDOMAIN.errors(prefix)),
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    }
    errors.extend(part_errors("name", NAME.errors(name)));
    errors
}

fn part_errors(part: &str, errors: Vec<String>) -> Vec<String> {
    errors.into_iter().map(|it| format!("{part} part {it}")).collect()
}

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
    let errors = format.errors(text);
    if errors.is_empty() {
        return Ok(Value::Optional(None));
    }
    context.budget.pay_for_bytes(errors.iter().map(String::len).sum())?;
    Ok(Value::some(Value::list(errors.into_iter().map(Value::text).collect())))
}

fn is_label(text: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    !text.is_empty() && text.bytes().all(is_part) && !text.starts_with('-') && !text.ends_with('-')
}

fn is_1035_label(text: &str) -> bool {
    is_label(text) && text.starts_with(|it: char| it.is_ascii_lowercase())
}

/// Labels may have any length here, as in Kubernetes.
fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

fn is_name(text: &str) -> bool {
    let is_end = |it: Option<u8>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
        && is_end(text.bytes().next())
        && is_end(text.bytes().next_back())
}

/// Kubernetes also accepts a UUID without some of its hyphens.
fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    [8, 4, 4, 4, 12].iter().enumerate().all(|(at, length)| {
        let hyphen = rest.strip_prefix('-').filter(|_| at > 0);
        let Some((digits, after)) = hyphen.unwrap_or(rest).split_at_checked(*length) else {
            return false;
        };
        rest = after;
        digits.bytes().all(|it| it.is_ascii_hexdigit())
    }) && rest.is_empty()
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let n_padding = text.len() - digits.len();
    let is_digit = |it: u8| it.is_ascii_alphanumeric() || it == b'+' || it == b'/';
    !text.is_empty()
        && text.len().is_multiple_of(4)
        && n_padding <= 2
        && digits.len() % 4 != 1
        && digits.bytes().all(is_digit)
}
