//! Recognises the descriptions of rules that Plumb itself writes.

use std::sync::Arc;

use plumb_regexp::Regexp;
use plumb_source::Text;
use plumb_validation::{Choices, Constraint, Format, Multiple};
use plumb_value::Node;

use crate::literal;

/// The heading that exports write before the descriptions of rules.
const HEADING: &str = "Valid values:\n- ";

/// The text before the reason of a deprecation in custom resources, after the rules.
const NOTICE: &str = "\n\nDeprecated: ";

/// The suffix of the description of a rule that does not always apply.
const CONDITIONAL: &str = " (under a condition)";

/// The greatest number of rules in a description.
const MAX_RULES: usize = 64;

/// A named rule, and its argument in the syntax of the template language.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) argument: String,
    pub(crate) constraint: Constraint,
}

impl Named {
    pub(crate) fn new(
        name: &'static str,
        argument: impl Into<String>,
        constraint: Constraint,
    ) -> Self {
        Self { name, argument: argument.into(), constraint }
    }

    /// The rule as an argument of the annotation, with the author's description if there is one.
    pub(crate) fn text(&self, description: Option<&str>) -> String {
        let Self { name, argument, .. } = self;
        match description {
            Some(it) => format!("{name}=({}, {argument})", Node::from(it).repr()),
            None => format!("{name}={argument}"),
        }
    }
}

/// Splits a description into the author's text, which may continue after the rules, and the rules.
pub(crate) fn split(description: &str) -> (String, Vec<&str>) {
    let found = description.rfind(HEADING).and_then(|at| {
        let before = if at == 0 { Some("") } else { description[..at].strip_suffix("\n\n") };
        Some((before?, &description[at + HEADING.len()..]))
    });
    let Some((before, behind)) = found else {
        return (description.to_owned(), Vec::new());
    };
    let (rules, notice) = behind.split_at(behind.find(NOTICE).unwrap_or(behind.len()));
    let lines: Vec<&str> = rules.split("\n- ").collect();
    if lines.len() > MAX_RULES {
        return (description.to_owned(), Vec::new());
    }
    (format!("{before}{notice}"), lines)
}

/// Whether a description describes a conditional rule.
pub(crate) fn is_conditional(line: &str) -> bool {
    line.ends_with(CONDITIONAL)
}

/// The rule with this description. Returns `None` if there is no such rule.
pub(crate) fn named(line: &str) -> Option<Named> {
    let whole = |rest: &str| {
        let number = rest.parse::<i64>().ok().filter(|it| it.to_string() == rest);
        number.map(i128::from)
    };
    let rule = |name, argument: &str, constraint| Some(Named::new(name, argument, constraint));
    match line {
        "a value that is not null" => return rule("not_null", "True", Constraint::NotNull),
        "an even number" => return rule("even", "True", Constraint::Even),
        "an odd number" => return rule("odd", "True", Constraint::Odd),
        "items that are all different" => return rule("unique", "True", Constraint::Unique),
        "exactly one of its keys to be not null" => {
            return rule("one_not_null", "True", Constraint::OneNotNull(None));
        }
        _ => {}
    }
    let (phrase, rest) = PHRASES.iter().find_map(|it| Some((*it, line.strip_prefix(it)?)))?;
    match phrase {
        MIN_LENGTH => rule("min_len", rest, Constraint::MinLen(whole(rest)?)),
        MAX_LENGTH => rule("max_len", rest, Constraint::MaxLen(whole(rest)?)),
        LENGTH => rule("len", rest, Constraint::Len(whole(rest)?)),
        AT_LEAST => rule("min", rest, Constraint::Min(literal::read(rest)?)),
        AT_MOST => rule("max", rest, Constraint::Max(literal::read(rest)?)),
        GREATER => rule("greater_than", rest, Constraint::GreaterThan(literal::read(rest)?)),
        LESS => rule("less_than", rest, Constraint::LessThan(literal::read(rest)?)),
        ONE_OF => rule("one_of", rest, Constraint::OneOf(choices(rest)?)),
        ONE_NOT_NULL => {
            let rest = rest.strip_suffix(" to be not null")?;
            rule("one_not_null", rest, Constraint::OneNotNull(Some(choices(rest)?)))
        }
        STARTS => rule("starts_with", rest, Constraint::StartsWith(text(rest)?)),
        ENDS => rule("ends_with", rest, Constraint::EndsWith(text(rest)?)),
        CONTAINS => rule("contains", rest, Constraint::Contains(literal::read(rest)?)),
        MATCHES => {
            let pattern = Regexp::new(text(rest)?.as_str()?).ok()?;
            rule("matches", rest, Constraint::Matches(Arc::new(pattern)))
        }
        FORMAT => {
            let format = Constraint::Format(Format::from_name(rest)?);
            rule("format", &Node::from(rest).repr(), format)
        }
        MULTIPLE => {
            let step = Multiple::new(&literal::read(rest)?)?;
            rule("multiple_of", rest, Constraint::MultipleOf(step))
        }
        _ => None,
    }
}

const MIN_LENGTH: &str = "a length of at least ";
const MAX_LENGTH: &str = "a length of at most ";
const LENGTH: &str = "a length of exactly ";
const AT_LEAST: &str = "at least ";
const AT_MOST: &str = "at most ";
const GREATER: &str = "greater than ";
const LESS: &str = "less than ";
const ONE_OF: &str = "one of ";
const ONE_NOT_NULL: &str = "exactly one of ";
const STARTS: &str = "a value that starts with ";
const ENDS: &str = "a value that ends with ";
const CONTAINS: &str = "a value that contains ";
const MATCHES: &str = "a value that matches ";
const FORMAT: &str = "a value in the format ";
const MULTIPLE: &str = "a multiple of ";

const PHRASES: [&str; 15] = [
    MIN_LENGTH,
    MAX_LENGTH,
    LENGTH,
    AT_LEAST,
    AT_MOST,
    GREATER,
    LESS,
    ONE_OF,
    ONE_NOT_NULL,
    STARTS,
    ENDS,
    CONTAINS,
    MATCHES,
    FORMAT,
    MULTIPLE,
];

fn choices(shown: &str) -> Option<Choices> {
    let Node::Array(array) = literal::read(shown)? else {
        return None;
    };
    let values = array.items.iter().map(|it| it.node.clone()).collect();
    Some(Choices { values, shown: shown.to_owned() })
}

fn text(shown: &str) -> Option<Text> {
    match literal::read(shown)? {
        Node::String(text) => Some(text),
        _ => None,
    }
}
