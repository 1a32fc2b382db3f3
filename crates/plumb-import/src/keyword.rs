//! The rules that express single keywords.

use std::sync::Arc;

use plumb_jsonschema::{Dialect, Keyword, QUANTITY_PATTERN};
use plumb_regexp::Regexp;
use plumb_validation::{Choices, Constraint, Format, Multiple, ValueKind, is_same_value};
use plumb_value::{Node, NodeKind};

use crate::literal::{is_sayable, literal};
use crate::rules::RuleTarget;
use crate::words::Named;

impl RuleTarget<'_> {
    /// Whether a keyword applies to any of the possible kinds. A keyword does not restrict values
    /// of other kinds.
    pub(crate) fn is_about(&self, keyword: &str) -> bool {
        use NodeKind::{Array, Float, Integer, Map, String};
        let Some(keyword) = Keyword::of_name(keyword) else {
            return true;
        };
        let of = match keyword {
            Keyword::MinLength | Keyword::MaxLength | Keyword::Pattern | Keyword::Format => {
                [String; 2]
            }
            Keyword::MinItems
            | Keyword::MaxItems
            | Keyword::Contains
            | Keyword::MinContains
            | Keyword::MaxContains
            | Keyword::UniqueItems
            | Keyword::Items
            | Keyword::PrefixItems
            | Keyword::AdditionalItems
            | Keyword::UnevaluatedItems => [Array; 2],
            Keyword::MinProperties
            | Keyword::MaxProperties
            | Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::UnevaluatedProperties
            | Keyword::PropertyNames
            | Keyword::Required
            | Keyword::Dependencies
            | Keyword::DependentRequired
            | Keyword::DependentSchemas => [Map; 2],
            Keyword::Minimum
            | Keyword::Maximum
            | Keyword::ExclusiveMinimum
            | Keyword::ExclusiveMaximum
            | Keyword::MultipleOf => [Integer, Float],
            _ => return true,
        };
        let kinds = self.kinds;
        kinds.is_empty() || kinds.iter().any(|it| of.contains(it))
    }

    /// The rule for a keyword. Returns `None` if there is no such rule.
    pub(crate) fn named(&self, keyword: &str, value: &Node) -> Option<Named> {
        use NodeKind::{Array, Float, Integer, Map, String};
        let are = |kinds: &[NodeKind]| {
            let own = self.kinds;
            !own.is_empty() && own.iter().all(|it| kinds.contains(it))
        };
        if !is_sayable(value) {
            return None;
        }
        // The rule for a length applies to strings, arrays and maps; a keyword to only one of them.
        let is_own = matches!(self.kinds, [String | Array | Map]);
        let whole = count_of(value).filter(|_| self.kinds == [Integer]);
        let shown = whole.map_or_else(|| literal(value), |it| it.to_string());
        let count = || count_of(value);
        let is_number = matches!(value, Node::Int(_) | Node::UInt(_) | Node::Float(_));
        if keyword == LENGTH {
            let length =
                || Some(Named::new("len", count()?.to_string(), Constraint::Len(count()?)));
            return if is_own { length() } else { None };
        }
        match Keyword::of_name(keyword)? {
            Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties if is_own => {
                Some(Named::new("min_len", count()?.to_string(), Constraint::MinLen(count()?)))
            }
            Keyword::MaxLength | Keyword::MaxItems | Keyword::MaxProperties if is_own => {
                Some(Named::new("max_len", count()?.to_string(), Constraint::MaxLen(count()?)))
            }
            Keyword::Minimum if are(&[Integer, Float]) && is_number => {
                Some(Named::new("min", shown, Constraint::Min(value.clone())))
            }
            Keyword::Maximum if are(&[Integer, Float]) && is_number => {
                Some(Named::new("max", shown, Constraint::Max(value.clone())))
            }
            Keyword::ExclusiveMinimum if are(&[Integer, Float]) && is_number => {
                Some(Named::new("greater_than", shown, Constraint::GreaterThan(value.clone())))
            }
            Keyword::ExclusiveMaximum if are(&[Integer, Float]) && is_number => {
                Some(Named::new("less_than", shown, Constraint::LessThan(value.clone())))
            }
            Keyword::UniqueItems if are(&[Array]) && matches!(value, Node::Bool(true)) => {
                Some(Named::new("unique", "True", Constraint::Unique))
            }
            Keyword::MultipleOf if are(&[Integer, Float]) => {
                let step = Multiple::new(value)?;
                Some(Named::new("multiple_of", shown, Constraint::MultipleOf(step)))
            }
            Keyword::Enum => {
                Some(self.one_of(value.as_array()?.items.iter().map(|it| it.node.clone())))
            }
            Keyword::Const => Some(self.one_of(std::iter::once(value.clone()))),
            Keyword::Pattern if ValueKind::of(self.kinds) == ValueKind::IntegerOrString => {
                let is_quantity = value.as_str() == Some(QUANTITY_PATTERN);
                let format = Constraint::Format(Format::Quantity);
                is_quantity.then(|| Named::new("format", "\"quantity\"", format))
            }
            Keyword::Pattern if are(&[String]) => {
                let pattern = Regexp::new(value.as_str()?).ok()?;
                Some(Named::new("matches", shown, Constraint::Matches(Arc::new(pattern))))
            }
            Keyword::Format if are(&[String]) => {
                let format = Format::from_name(value.as_str()?)?;
                if format == Format::Duration && self.dialect == Dialect::Kubernetes {
                    // Durations of this format have a different syntax from those of Plumb.
                    return None;
                }
                Some(Named::new("format", shown, Constraint::Format(format)))
            }
            Keyword::Contains if are(&[Array]) => match value.as_map()?.items() {
                [only] if only.key.as_str() == Some(Keyword::Const.name()) => {
                    let part = only.node.clone();
                    Some(Named::new("contains", literal(&part), Constraint::Contains(part)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether null is the only possible value, and a keyword accepts it.
    pub(crate) fn is_null_alone(&self, keyword: &str, value: &Node) -> bool {
        let has_null = match (Keyword::of_name(keyword), value) {
            (Some(Keyword::Enum), Node::Array(choices)) => {
                choices.items.iter().any(|it| it.node.is_null())
            }
            (Some(Keyword::Const), value) => value.is_null(),
            _ => false,
        };
        has_null && self.kinds == [NodeKind::Null]
    }

    /// A rule for a choice of values. Null is left out if it is accepted in any case.
    fn one_of(&self, values: impl Iterator<Item = Node>) -> Named {
        let is_nullable = self.is_nullable;
        let values: Vec<Node> = values.filter(|it| !(is_nullable && it.is_null())).collect();
        let shown: Vec<String> = values.iter().map(literal).collect();
        let shown = format!("[{}]", shown.join(", "));
        let choices = Choices { values, shown: shown.clone() };
        Named::new("one_of", shown, Constraint::OneOf(choices))
    }
}

/// An integer, even if it is written with a fraction of zero.
fn count_of(value: &Node) -> Option<i128> {
    match value {
        Node::Int(n) => Some(i128::from(*n)),
        Node::UInt(n) => Some(i128::from(*n)),
        Node::Float(n) if n.fract() == 0.0 && n.abs() < 1e15 => format!("{n:.0}").parse().ok(),
        _ => None,
    }
}

/// The name for two equal bounds of a length.
const LENGTH: &str = "length";

/// Joins two bounds of a length that are equal.
pub(crate) fn join_lengths(left: &mut Vec<(String, Node)>, kinds: &[NodeKind]) {
    if kinds.len() != 1 {
        return;
    }
    let bounds = [
        (Keyword::MinLength, Keyword::MaxLength),
        (Keyword::MinItems, Keyword::MaxItems),
        (Keyword::MinProperties, Keyword::MaxProperties),
    ];
    for (least, most) in bounds {
        let at = |bound: Keyword| left.iter().position(|(it, _)| it == bound.name());
        if let (Some(least), Some(most)) = (at(least), at(most))
            && is_same_value(&left[least].1, &left[most].1)
        {
            LENGTH.clone_into(&mut left[least].0);
            left.remove(most);
        }
    }
}

/// Whether a pattern has `\s` or `\S`, which match spaces outside ASCII in other engines.
pub(crate) fn has_wide_spaces(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && matches!(characters.next(), Some('s' | 'S')) {
            return true;
        }
    }
    false
}

/// The format of strings that are hidden while they are typed.
pub(crate) const PASSWORD: &str = "password";

/// Whether a keyword is a format that does not restrict values in practice: it only describes the
/// number of bits, or how users enter values.
pub(crate) fn is_loose_format(keyword: &str, value: &Node) -> bool {
    let loose = ["int32", "int64", "float", "double", "int-or-string", PASSWORD];
    keyword == Keyword::Format.name() && value.as_str().is_some_and(|it| loose.contains(&it))
}
