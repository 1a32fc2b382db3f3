//! Translates Plumb's rules to CEL rules of Kubernetes (`x-kubernetes-validations`), and back.

use plumb_cel::{Program, field_name, literal, quoted};
use plumb_source::Origin;
use plumb_value::Node;

use crate::message::on_one_line;
use crate::{Constraint, Expression, Message, Rule, ValueKind};

/// One entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CelRule {
    /// The expression, which is true for valid values.
    pub expression: String,
    /// The message for values that break the rule; Kubernetes shows the expression if it is
    /// missing.
    pub message: Option<String>,
    /// Where the rule was declared.
    pub origin: Origin,
}

/// What is known about the value that a rule applies to.
#[derive(Clone, Copy, Debug)]
pub struct CelSubject<'a> {
    /// The kind of the value.
    pub kind: ValueKind,
    /// The declared keys of a map; empty if any key is allowed.
    pub keys: &'a [&'a str],
    /// Whether the value is an array of scalars that must not be null.
    pub has_scalar_items: bool,
}

/// An entry of `x-kubernetes-validations`, translated to a schema of data values.
#[derive(Clone, Debug, Default)]
pub struct CelImport {
    /// The argument of `cel=`, alone or in a list: `"self.a <= self.b"` or `("message",
    /// "expression")`.
    pub item: Option<String>,
    pub constraint: Option<Constraint>,
    /// The parts that cannot be translated, one line each.
    pub unsaid: Vec<String>,
}

impl Rule {
    /// Translates the rule to CEL. Returns `None` for a function, and if CEL cannot express the
    /// rule.
    pub fn to_cel(&self, subject: CelSubject<'_>) -> Option<CelRule> {
        let constraint = self.assertion.constraint()?;
        let expression = constraint.to_cel(subject)?;
        let own = self.message.as_ref().and_then(Message::as_text);
        let message = match (own, constraint, &self.description) {
            (Some(own), _, _) => Some(own),
            // Kubernetes shows the expression if there is no message.
            (None, Constraint::Cel(_), None) => None,
            _ => Some(format!("requires a valid value: {}", self.describe())),
        };
        let message = message.map(|it| on_one_line(&it)).filter(|it| !it.trim().is_empty());
        // Kubernetes requires a message for a rule of several lines.
        let message =
            message.or_else(|| expression.contains(['\n', '\r']).then(|| on_one_line(&expression)));
        Some(CelRule { expression, message, origin: Origin::Unknown })
    }
}

impl Constraint {
    fn to_cel(&self, subject: CelSubject<'_>) -> Option<String> {
        use ValueKind::{Any, Array, Float, Integer, IntegerOrString, Map, String};
        if let Self::Cel(expression) = self {
            return Some(expression.source().trim().to_owned());
        }
        // In Kubernetes, a map with declared keys has no size.
        let has_size = match subject.kind {
            Map => subject.keys.is_empty(),
            kind => matches!(kind, String | Array),
        };
        Some(match (self, subject.kind) {
            (Self::MinLen(n), _) if has_size => format!("size(self) >= {n}"),
            (Self::MaxLen(n), _) if has_size => format!("size(self) <= {n}"),
            (Self::Len(n), _) if has_size => format!("size(self) == {n}"),
            (Self::Min(limit), kind) => format!("self >= {}", limit_for(kind, limit)?),
            (Self::Max(limit), kind) => format!("self <= {}", limit_for(kind, limit)?),
            (Self::GreaterThan(limit), kind) => format!("self > {}", limit_for(kind, limit)?),
            (Self::LessThan(limit), kind) => format!("self < {}", limit_for(kind, limit)?),
            (Self::NotEmpty { .. }, String | Array) => "size(self) > 0".to_owned(),
            (Self::NotEmpty { .. }, Integer) => "self != 0".to_owned(),
            (Self::NotEmpty { .. }, Float) => "self != 0.0".to_owned(),
            (Self::OneNotNull(keys), Map) => {
                let named: Option<Vec<&str>> = match keys {
                    Some(keys) => keys.values.iter().map(Node::as_str).collect(),
                    None => Some(subject.keys.to_vec()).filter(|it| !it.is_empty()),
                };
                match named {
                    Some(names) => one_not_null(&names)?,
                    None if keys.is_none() => {
                        "self.filter(key, dyn(self[key]) != null).size() == 1".to_owned()
                    }
                    None => return None,
                }
            }
            (Self::StartsWith(text), String) => {
                format!("self.startsWith({})", quoted(text.as_str()?))
            }
            (Self::EndsWith(text), String) => format!("self.endsWith({})", quoted(text.as_str()?)),
            (Self::Contains(Node::String(text)), String) => {
                format!("self.contains({})", quoted(text.as_str()?))
            }
            (Self::Contains(part), Array) => {
                format!("self.exists(item, dyn(item) == {})", literal(part)?)
            }
            (Self::Contains(Node::String(key)), Map) if subject.keys.is_empty() => {
                format!("{} in self", quoted(key.as_str()?))
            }
            (Self::Matches(regexp), String) => format!("self.matches({})", quoted(regexp.as_str())),
            (Self::Format(crate::Format::Quantity), String) => "isQuantity(self)".to_owned(),
            (Self::Even, Integer) => "self % 2 == 0".to_owned(),
            (Self::Odd, Integer) => "self % 2 != 0".to_owned(),
            (Self::MultipleOf(step), Integer) => format!("self % {} == 0", step.whole()?),
            (Self::Even, String) => of_quantity("self", "% 2 == 0"),
            (Self::Odd, String) => of_quantity("self", "% 2 != 0"),
            (Self::MultipleOf(step), String) => {
                of_quantity("self", &format!("% {} == 0", step.whole()?))
            }
            (Self::Even, IntegerOrString | Any) => of_either("% 2 == 0"),
            (Self::Odd, IntegerOrString | Any) => of_either("% 2 != 0"),
            (Self::MultipleOf(step), IntegerOrString | Any) => {
                of_either(&format!("% {} == 0", step.whole()?))
            }
            _ => return None,
        })
    }
}

/// A test of the integer that a quantity such as `4Gi` represents.
fn of_quantity(value: &str, test: &str) -> String {
    format!(
        "isQuantity({value}) && quantity({value}).isInteger() && quantity({value}).asInteger() {test}"
    )
}

/// Like [`of_quantity`], but also accepts an integer. Other rules may exclude strings, and then the
/// expression must fit a schema with only one type.
fn of_either(test: &str) -> String {
    let of_text = of_quantity("dyn(self)", test);
    format!("type(self) == string ? {of_text} : type(self) != int || dyn(self) {test}")
}

/// Up to this number of tests, a sum is easier to read than a list.
const MAX_SUMMED: usize = 5;

/// Returns a bound as a literal of the type that it is compared with.
fn limit_for(kind: ValueKind, limit: &Node) -> Option<String> {
    match (kind, limit) {
        (ValueKind::Integer | ValueKind::Float, Node::Int(_) | Node::UInt(_) | Node::Float(_))
        | (ValueKind::String, Node::String(_)) => literal(limit),
        _ => None,
    }
}

/// The cheapest test that exactly one of some keys exists. Null counts as missing.
fn one_not_null(keys: &[&str]) -> Option<String> {
    let tests = keys.iter().map(|key| Some(format!("has(self.{})", field_name(key)?)));
    let tests: Vec<String> = tests.collect::<Option<_>>()?;
    Some(match tests.as_slice() {
        [only] => only.clone(),
        [one, other] => format!("{one} != {other}"),
        tests if tests.len() <= MAX_SUMMED => {
            let ones: Vec<String> = tests.iter().map(|it| format!("({it} ? 1 : 0)")).collect();
            format!("{} == 1", ones.join(" + "))
        }
        tests => format!("[{}].exists_one(it, it)", tests.join(", ")),
    })
}

/// Reads one entry of `x-kubernetes-validations`.
pub fn import_cel(entry: &Node) -> CelImport {
    let text = |key| entry.as_map()?.get_str(key)?.as_str();
    let Some(rule) = text("rule") else {
        return CelImport::unsaid("a validation without a rule");
    };
    let program = match Program::compile(rule) {
        Ok(program) => program,
        Err(error) => return CelImport::unsaid(&format!("{}: {rule}", error.message)),
    };
    let unsaid = ["messageExpression", "reason", "fieldPath"].into_iter();
    let unsaid = unsaid.filter_map(|key| Some(on_one_line(&format!("{key}: {}", text(key)?))));
    let source = Node::from(rule).repr();
    let item = match text("message") {
        Some(message) => {
            let message = message.replace('{', "{{").replace('}', "}}");
            format!("({}, {source})", Node::from(message.as_str()).repr())
        }
        None => source,
    };
    let constraint = Some(Constraint::Cel(Expression::new(program)));
    CelImport { item: Some(item), constraint, unsaid: unsaid.collect() }
}

impl CelImport {
    fn unsaid(what: &str) -> Self {
        Self { unsaid: vec![on_one_line(what)], ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    #[test]
    fn the_manual_lists_all_functions_with_their_versions() {
        let manual = include_str!("../cases/validations/cel.md");
        let mut listed: BTreeMap<&str, u16> = BTreeMap::new();
        for row in manual.lines() {
            let mut cells = row.split('|').map(str::trim).skip(1);
            if cells.next() == Some("macros") {
                continue;
            }
            let since = cells.next().and_then(|it| it.strip_prefix("1.")?.parse().ok());
            let (Some(since), Some(functions)) = (since, cells.next()) else {
                continue;
            };
            let names = functions.split('`').nth(1).unwrap_or_default();
            for name in names.split(' ') {
                let first = listed.entry(name).or_insert(since);
                *first = since.min(*first);
            }
        }
        assert_eq!(listed, plumb_cel::library());
    }
}
