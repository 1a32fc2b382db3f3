//! Messages of JSON Schema findings: in our words, and in those that users of jk know.

use plumb_jsonschema::{Finding as Found, FindingKind, Keyword, type_name};
use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_validation::{Constraint, Violation};
use plumb_value::{DataPath, Node, Step};

use crate::Dialect;
use crate::finding::violation;
use crate::format::MAX_DEPTH;

/// One requirement of a schema that a value does not satisfy.
pub(crate) struct InvalidValue {
    pub(crate) message: Message,
    path: DataPath,
}

impl InvalidValue {
    /// The path of the value in the form that scripts know: `(root)`, or its path with dots.
    pub(crate) fn field(&self) -> String {
        let steps: Vec<String> = self.path.steps().iter().map(Step::to_string).collect();
        let field = steps.join(".");
        if field.is_empty() { "(root)".to_owned() } else { field }
    }

    pub(super) fn into_violation(self) -> Violation {
        violation(self.message, self.path)
    }
}

/// Converts a finding of a schema to a finding with a message.
pub(super) fn finding(found: Found, dialect: Dialect) -> InvalidValue {
    let Found { kind, path, .. } = found;
    let mut finding = InvalidValue { message: Message::new(), path };
    finding.message = match dialect {
        Dialect::Plumb => own_message(&kind),
        Dialect::Jk => message_of_jk(&kind, &finding.field()),
    };
    finding
}

fn own_message(kind: &FindingKind) -> Message {
    match kind {
        FindingKind::Unknown { key, .. } => {
            message!("the schema does not declare the key `{}`", plain(key))
        }
        other => other.message(),
    }
}

fn message_of_jk(kind: &FindingKind, subject: &str) -> Message {
    match kind {
        FindingKind::Never => "False always fails validation".into(),
        FindingKind::Missing { key } | FindingKind::MissingBeside { key, .. } => {
            message!("{} is required", plain(key))
        }
        FindingKind::Unknown { key, .. } => {
            message!("Additional property {} is not allowed", plain(key))
        }
        FindingKind::KeyName { key } => {
            message!("Property name of \"{}\" does not match", plain(key))
        }
        FindingKind::Type { expected, found, .. } => {
            let expected: Vec<&str> = expected.names().collect();
            let (expected, given) = (expected.join("/"), type_name(*found));
            message!("Invalid type. Expected: {}, given: {given}", plain(expected))
        }
        FindingKind::NoneOf => "Must validate at least one schema (anyOf)".into(),
        FindingKind::NotOneOf { .. } => "Must validate one and only one schema (oneOf)".into(),
        FindingKind::RuledOut => "Must not validate the schema (not)".into(),
        FindingKind::MoreItems => "No additional items allowed on array".into(),
        FindingKind::Contains { .. } => "At least one of the items must match".into(),
        FindingKind::Pattern { pattern } => message!("Does not match pattern '{}'", plain(pattern)),
        FindingKind::Format { name } => message!("Does not match format '{}'", *name),
        FindingKind::Rule { keyword, constraint, .. } => rule(*keyword, constraint, subject)
            .map_or_else(|| kind.message(), |words| plain(words).into()),
        FindingKind::Width(_)
        | FindingKind::KeyNotText { .. }
        | FindingKind::Repeated { .. }
        | FindingKind::Expression { .. }
        | FindingKind::TooComplex => kind.message(),
    }
}

/// Describes what a rule of the schema requires. Its arguments are part of the schema, not of the
/// value.
fn rule(keyword: Keyword, constraint: &Constraint, subject: &str) -> Option<String> {
    let limited =
        |relation: &str, limit: &Node| format!("Must be {relation} {}", number(&limit.repr()));
    Some(match (keyword, constraint) {
        (Keyword::MinItems, Constraint::MinLen(n)) => format!("Array must have at least {n} items"),
        (Keyword::MaxItems, Constraint::MaxLen(n)) => format!("Array must have at most {n} items"),
        (Keyword::MinProperties, Constraint::MinLen(n)) => {
            format!("Must have at least {n} properties")
        }
        (Keyword::MaxProperties, Constraint::MaxLen(n)) => {
            format!("Must have at most {n} properties")
        }
        (_, Constraint::MinLen(n)) => {
            format!("String length must be greater than or equal to {n}")
        }
        (_, Constraint::MaxLen(n)) => format!("String length must be less than or equal to {n}"),
        (_, Constraint::Unique) => "array items must be unique".to_owned(),
        (_, Constraint::MultipleOf(step)) => {
            format!("Must be a multiple of {}", number(&step.limit().repr()))
        }
        (_, Constraint::Min(limit)) => limited("greater than or equal to", limit),
        (_, Constraint::GreaterThan(limit)) => limited("greater than", limit),
        (_, Constraint::Max(limit)) => limited("less than or equal to", limit),
        (_, Constraint::LessThan(limit)) => limited("less than", limit),
        (keyword, Constraint::OneOf(choices)) => {
            let choices: Vec<String> = choices.values.iter().map(json).collect();
            let choices = choices.join(", ");
            match keyword {
                Keyword::Const => format!("{subject} does not match: {choices}"),
                _ => format!("{subject} must be one of the following: {choices}"),
            }
        }
        _ => return None,
    })
}

/// A value of a schema as JSON.
fn json(node: &Node) -> String {
    crate::format::value_of(node, MAX_DEPTH).map_or_else(|_| node.repr(), |it| it.to_string())
}

/// A number as jk formats it: as a fraction.
fn number(text: &str) -> String {
    let plain = text.strip_suffix(".0").unwrap_or(text);
    fraction(plain).unwrap_or_else(|| plain.to_owned())
}

fn fraction(text: &str) -> Option<String> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let numerator: i128 = format!("{whole}{decimals}").parse().ok()?;
    let denominator = 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    let divisor = divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
    let divisor = i128::try_from(divisor).ok()?;
    Some(format!("{}/{}", numerator / divisor, denominator / divisor))
}

fn divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_fractions_for_users_of_jk() {
        for (text, expected) in [("0", "0/1"), ("-5", "-5/1"), ("0.5", "1/2"), ("2.0", "2/1")] {
            assert_eq!(number(text), expected);
        }
    }
}
