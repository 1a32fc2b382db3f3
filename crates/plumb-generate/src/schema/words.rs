//! What JSON Schema finds, in the sentences that users of jk know.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::LocationSegment;
use plumb_validation::Violation;
use plumb_value::{DataPath, Step};
use serde_json::Value;

use crate::Dialect;
use crate::complaint::violation;

/// One thing that a schema does not accept.
pub(crate) struct Finding {
    pub(crate) message: String,
    path: DataPath,
}

impl Finding {
    /// Where the value is, as scripts know it: `(root)`, or its path with dots.
    pub(crate) fn field(&self) -> String {
        let steps: Vec<String> = self.path.steps().iter().map(Step::to_string).collect();
        let field = steps.join(".");
        if field.is_empty() { "(root)".to_owned() } else { field }
    }

    pub(super) fn into_violation(self) -> Violation {
        violation(self.message, self.path)
    }
}

/// The findings that one error stands for.
pub(super) fn findings(error: &ValidationError<'_>, dialect: Dialect) -> Vec<Finding> {
    let path = path(error);
    let messages = match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let each = unexpected.iter();
            each.map(|name| format!("Additional property {name} is not allowed")).collect()
        }
        kind => vec![message(kind, error, dialect)],
    };
    messages.into_iter().map(|message| Finding { message, path: path.clone() }).collect()
}

fn message(kind: &Kind, error: &ValidationError<'_>, dialect: Dialect) -> String {
    match kind {
        Kind::Required { property } => format!("{} is required", bare(property)),
        Kind::Type { kind } => {
            let given = type_of(error.instance());
            format!("Invalid type. Expected: {}, given: {given}", expected(kind))
        }
        Kind::AnyOf { .. } => "Must validate at least one schema (anyOf)".to_owned(),
        Kind::OneOfMultipleValid { .. } | Kind::OneOfNotValid { .. } => {
            "Must validate one and only one schema (oneOf)".to_owned()
        }
        Kind::Not { .. } => "Must not validate the schema (not)".to_owned(),
        Kind::AdditionalItems { .. } => "No additional items allowed on array".to_owned(),
        Kind::MinItems { limit } => format!("Array must have at least {limit} items"),
        Kind::MaxItems { limit } => format!("Array must have at most {limit} items"),
        Kind::UniqueItems => "array items must be unique".to_owned(),
        Kind::Contains => "At least one of the items must match".to_owned(),
        Kind::MinProperties { limit } => format!("Must have at least {limit} properties"),
        Kind::MaxProperties { limit } => format!("Must have at most {limit} properties"),
        Kind::PropertyNames { error } => {
            format!("Property name of \"{}\" does not match", bare(error.instance()))
        }
        Kind::MinLength { limit } => {
            format!("String length must be greater than or equal to {limit}")
        }
        Kind::MaxLength { limit } => format!("String length must be less than or equal to {limit}"),
        Kind::Pattern { pattern } => format!("Does not match pattern '{pattern}'"),
        Kind::Format { format } => format!("Does not match format '{format}'"),
        Kind::MultipleOf { multiple_of } => {
            format!("Must be a multiple of {}", number(&multiple_of.to_string(), dialect))
        }
        Kind::Minimum { limit } => limited("greater than or equal to", limit, dialect),
        Kind::ExclusiveMinimum { limit } => limited("greater than", limit, dialect),
        Kind::Maximum { limit } => limited("less than or equal to", limit, dialect),
        Kind::ExclusiveMaximum { limit } => limited("less than", limit, dialect),
        Kind::Enum { options } => {
            format!("{} must be one of the following: {}", subject(error), list(options))
        }
        Kind::Constant { expected_value } => {
            format!("{} does not match: {expected_value}", subject(error))
        }
        // The value itself is not shown: it may be secret.
        other => format!("{} ({})", error.masked(), other.keyword()),
    }
}

fn limited(relation: &str, limit: &Value, dialect: Dialect) -> String {
    format!("Must be {relation} {}", number(&limit.to_string(), dialect))
}

fn path(error: &ValidationError<'_>) -> DataPath {
    let mut path = DataPath::root();
    for segment in error.instance_path() {
        path.push(match segment {
            LocationSegment::Property(name) => Step::Key((&*name).into()),
            LocationSegment::Index(index) => Step::Index(index),
        });
    }
    path
}

/// How a sentence names the value that it is about.
fn subject(error: &ValidationError<'_>) -> String {
    Finding { message: String::new(), path: path(error) }.field()
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn list(options: &Value) -> String {
    let options = options.as_array().into_iter().flatten().map(Value::to_string);
    options.collect::<Vec<_>>().join(", ")
}

fn expected(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.to_string(),
        TypeKind::Multiple(kinds) => {
            kinds.iter().map(|it| it.to_string()).collect::<Vec<_>>().join("/")
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A number; jk shows it as a fraction.
fn number(text: &str, dialect: Dialect) -> String {
    let plain = text.strip_suffix(".0").unwrap_or(text);
    match dialect {
        Dialect::Plumb => plain.to_owned(),
        Dialect::Jk => fraction(plain).unwrap_or_else(|| plain.to_owned()),
    }
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
            assert_eq!(number(text, Dialect::Jk), expected);
        }
        assert_eq!(number("2.0", Dialect::Plumb), "2");
    }
}
