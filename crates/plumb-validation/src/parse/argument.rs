//! Converts the arguments of built-in rules.

use std::sync::Arc;

use plumb_cel::{CompileError, Program};
use plumb_diagnostic::nearest;
use plumb_regexp::Regexp;
use plumb_source::message::{WantedCount, argument_count, plain, secret};
use plumb_source::{Message, Text, message};
use plumb_value::{Datum, Expected, Node};

use super::{AnnotationErrorKind, ArgumentError, expected, mixed_words, type_words};
use crate::compare::Number;
use crate::constraint::Choices;
use crate::message::on_one_line;
use crate::multiple::Multiple;
use crate::{AssertionObject, Constraint, Expression, Format};

impl AssertionObject {
    /// Creates the constraint that the function of this name in the `assert` module returns for
    /// these arguments. Fails with that function's message if they are not valid.
    pub fn new(name: &str, args: &[Datum]) -> Result<Self, Message> {
        let given = args.len();
        let constraint = match (name, args) {
            ("not_null", []) => Constraint::NotNull,
            ("even", []) => Constraint::Even,
            ("odd", []) => Constraint::Odd,
            ("unique", []) => Constraint::Unique,
            ("one_not_null", []) => Constraint::OneNotNull(None),
            ("one_of", []) => return Err(argument_count(WantedCount::AtLeast(1), 0).into()),
            ("one_of", [value]) => Constraint::OneOf(
                choices(value).ok_or_else(|| expected_instead("expected a sequence", value))?,
            ),
            ("one_of", several) => {
                let choices = choices(&Datum::Tuple(several.to_vec()));
                Constraint::OneOf(choices.ok_or("expected values, but one was a function")?)
            }
            ("not_null" | "even" | "odd" | "unique", _) => {
                return Err(argument_count(WantedCount::Of(0), given).into());
            }
            (name, [value]) => of_argument(name, value)?,
            _ => return Err(argument_count(WantedCount::Of(1), given).into()),
        };
        Ok(constraint.into())
    }
}

/// A message about a value of a wrong type.
fn expected_instead(expected: &'static str, value: &Datum) -> Message {
    match mixed_words(value) {
        Some(words) => message!("{expected}, {}", message::found(words)),
        None => message!("{expected}, {}", message::found_type(value.type_name())),
    }
}

/// Creates the constraint of a function with one argument, with the errors of that function.
fn of_argument(name: &str, value: &Datum) -> Result<Constraint, Message> {
    let refused = |problem: ArgumentError| match (name, value) {
        ("min_len" | "max_len" | "len", _) => {
            let found = message::found(value.type_name());
            message!("expected value to be {}, {found}", Expected::Length.words())
        }
        ("one_not_null", Datum::Node(Node::Bool(_))) => "one_not_null() cannot be False".into(),
        ("one_not_null", _) => expected_instead("expected a sequence of keys", value),
        _ => problem.kind.message(),
    };
    let constraint = constraint(name, value).map_err(refused)?;
    constraint.ok_or_else(|| message!("{}() cannot be False", plain(name)))
}

/// Functions of the `assert` module that create an assertion without an argument.
pub(super) const TAKE_NOTHING: [&str; 5] = ["not_null", "even", "odd", "unique", "one_not_null"];

/// Defines the keywords of annotations with rules, and how documentation shows their arguments.
macro_rules! keywords {
    ($($name:literal),+ $(,)?) => {
        /// The keywords of an annotation that are rules, and `when`.
        pub(super) const KEYWORDS: &[&str] = &[$($name),+];

        /// The arguments of an annotation with rules, as documentation shows them.
        pub const RULE_ARGUMENTS: &str = concat!("*rules", $(", ", $name, "="),+);
    };
}

keywords![
    "min_len",
    "max_len",
    "len",
    "min",
    "max",
    "greater_than",
    "less_than",
    "unique",
    "one_of",
    "not_null",
    "one_not_null",
    "starts_with",
    "ends_with",
    "contains",
    "matches",
    "format",
    "even",
    "odd",
    "multiple_of",
    "cel",
    "when",
];

/// Returns the rule of this name, or `None` if it was switched off, as with `even=False`.
pub(super) fn constraint(name: &str, value: &Datum) -> Result<Option<Constraint>, ArgumentError> {
    Ok(Some(match name {
        "min_len" => Constraint::MinLen(whole_number(name, value)?),
        "max_len" => Constraint::MaxLen(whole_number(name, value)?),
        "len" => Constraint::Len(whole_number(name, value)?),
        "min" => Constraint::Min(node(name, value)?),
        "max" => Constraint::Max(node(name, value)?),
        "greater_than" => Constraint::GreaterThan(node(name, value)?),
        "less_than" => Constraint::LessThan(node(name, value)?),
        "unique" => return Ok(switch(name, value)?.then_some(Constraint::Unique)),
        "one_of" => Constraint::OneOf(one_of(value)?),
        "not_null" => return Ok(switch(name, value)?.then_some(Constraint::NotNull)),
        "one_not_null" => Constraint::OneNotNull(one_not_null(value)?),
        "starts_with" => Constraint::StartsWith(text(name, value)?),
        "ends_with" => Constraint::EndsWith(text(name, value)?),
        "contains" => Constraint::Contains(node(name, value)?),
        "matches" => Constraint::Matches(Arc::new(pattern(name, value)?)),
        "format" => Constraint::Format(format(value)?),
        "even" => return Ok(switch(name, value)?.then_some(Constraint::Even)),
        "odd" => return Ok(switch(name, value)?.then_some(Constraint::Odd)),
        "multiple_of" => Constraint::MultipleOf(multiple(name, value)?),
        "cel" => expression(value.as_str().ok_or_else(|| expected(name, "a string", value))?)?,
        _ => return Err(unknown(name)),
    }))
}

fn unknown(name: &str) -> ArgumentError {
    let help = match nearest(name, KEYWORDS.iter().copied()) {
        Some(meant) => message!("did you mean `{}`?", plain(meant)),
        None => message!("there are {}", plain(KEYWORDS.join(", "))),
    };
    ArgumentError::new(message!("unknown keyword argument \"{}\"", secret(name))).help(help)
}

/// Fractions are truncated, as in ytt.
fn whole_number(keyword: &str, value: &Datum) -> Result<i128, ArgumentError> {
    let number = match value {
        Datum::Node(node) => Number::of(node),
        _ => None,
    };
    match number {
        Some(Number::Int(number)) => Ok(number),
        #[expect(clippy::cast_possible_truncation, reason = "the cast truncates and saturates")]
        Some(Number::Float(number)) if number.is_finite() => Ok(number.trunc() as i128),
        _ => Err(expected(keyword, "a number", value)),
    }
}

fn node(keyword: &str, value: &Datum) -> Result<Node, ArgumentError> {
    value.to_node().ok_or_else(|| expected(keyword, "a value", value))
}

fn text(keyword: &str, value: &Datum) -> Result<Text, ArgumentError> {
    match value {
        Datum::Node(Node::String(text)) => Ok(text.clone()),
        _ => Err(expected(keyword, "a string", value)),
    }
}

fn pattern(keyword: &str, value: &Datum) -> Result<Regexp, ArgumentError> {
    let pattern = value.as_str().ok_or_else(|| expected(keyword, "a string", value))?;
    Regexp::new(pattern).map_err(|error| {
        let keyword = plain(keyword);
        ArgumentError::new(message!("{keyword}= is not a regular expression: {}", plain(error)))
    })
}

fn format(value: &Datum) -> Result<Format, ArgumentError> {
    let Some(name) = value.as_str() else {
        return Err(expected("format", "a string", value));
    };
    Format::from_name(name).ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        ArgumentError::new(message!(
            "unknown format \"{}\", there are {}",
            plain(name),
            plain(known)
        ))
    })
}

fn switch(keyword: &str, value: &Datum) -> Result<bool, ArgumentError> {
    match value {
        Datum::Node(Node::Bool(is_on)) => Ok(*is_on),
        _ => Err(expected(keyword, "a boolean", value)),
    }
}

fn multiple(keyword: &str, value: &Datum) -> Result<Multiple, ArgumentError> {
    let Datum::Node(number) = value else {
        return Err(expected(keyword, "a number or a quantity", value));
    };
    if Multiple::is_zero(number) {
        let message = message!("keyword argument \"{}\" must not be zero", plain(keyword));
        return Err(ArgumentError::new(message));
    }
    Multiple::new(number).ok_or_else(|| expected(keyword, "a finite number or a quantity", value))
}

fn one_of(value: &Datum) -> Result<Choices, ArgumentError> {
    choices(value).ok_or_else(|| {
        let found = message::found(mixed_words(value).unwrap_or_else(|| type_words(value)));
        AnnotationErrorKind::NotAList(message!(
            "expected keyword argument one_of to be a sequence, {found}"
        ))
        .into()
    })
}

fn one_not_null(value: &Datum) -> Result<Option<Choices>, ArgumentError> {
    match value {
        Datum::Node(Node::Bool(true)) => Ok(None),
        Datum::Node(Node::Bool(false)) => {
            Err(AnnotationErrorKind::NotAList("one_not_null= cannot be False".into()).into())
        }
        _ => choices(value).map(Some).ok_or_else(|| {
            let message = expected_instead("expected True or a sequence of keys", value);
            AnnotationErrorKind::NotAList(message).into()
        }),
    }
}

/// A rule in CEL.
pub(super) fn expression(source: &str) -> Result<Constraint, ArgumentError> {
    match Program::compile(source) {
        Ok(program) => Ok(Constraint::Cel(Expression::new(program))),
        Err(error) => Err(unusable(source, error)),
    }
}

/// The error for an expression that cannot be used.
pub(super) fn unusable(source: &str, error: CompileError) -> ArgumentError {
    let column = source[..error.at.start].chars().count() + 1;
    let shown = on_one_line(source);
    let at = if shown.is_empty() {
        Message::new()
    } else {
        message!(", at character {column} of `{}`", plain(shown))
    };
    let unplaced =
        ArgumentError::new(message!("cel= cannot be used: {}{at}", plain(error.message)));
    ArgumentError { help: error.help.into_iter().map(|it| plain(it).into()).collect(), ..unplaced }
}

/// The items of a list or tuple, or the keys of a dict.
fn choices(value: &Datum) -> Option<Choices> {
    let shown = value.repr();
    let values = match value.to_node()? {
        Node::Array(array) => array.items.iter().map(|item| item.node.clone()).collect(),
        Node::Map(map) => map.items().iter().map(|item| item.key.clone()).collect(),
        _ => return None,
    };
    Some(Choices { values, shown })
}
