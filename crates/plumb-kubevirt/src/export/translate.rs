//! Rules as conditions in CEL.

use super::UntranslatableError;
use super::condition::Condition;
use super::names::Names;
use super::pattern;
use super::select::{Constant, Leaf, Selection};
use crate::api::{Defaults, Type};
use crate::pattern::Pattern;
use crate::rule::{Bound, Choice, Constraint, Guard, Limit, Rule, RulePath};

/// A number that values are compared with.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Known(Limit),
    /// An expression.
    Read(String),
}

/// An end of the range of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum End {
    Min,
    Max,
}

type Translated = Result<Condition, UntranslatableError>;

/// Translates one rule of an annotation. `limit` determines how the numbers in the rule are
/// written.
pub(super) fn rule(rule: &Rule, annotation: &str, limit: &LimitOf<'_>) -> Translated {
    let defaults = match &rule.guard {
        Some(Guard::Defaulted) => Defaults::Assumed,
        Some(Guard::Path(_)) | None => Defaults::AsWritten,
    };
    let translation = Translation { rule, annotation, defaults, limit };
    let mut names = Names::default();
    let applies = match &rule.guard {
        Some(Guard::Path(path)) => translation.selection(path).leads_somewhere(&mut names)?,
        Some(Guard::Defaulted) | None => Condition::Always,
    };
    Ok(applies.not().or(translation.constraint(&mut names)?))
}

pub(super) type LimitOf<'f> = dyn Fn(End, &Limit) -> Number + 'f;

struct Translation<'r> {
    rule: &'r Rule,
    annotation: &'r str,
    defaults: Defaults,
    limit: &'r LimitOf<'r>,
}

/// A value that an `enum` rule allows.
#[derive(Clone, Debug)]
enum Allowed {
    Literal(String),
    /// An expression.
    Read(String),
}

/// A value that is compared with numbers.
enum Operand<'o> {
    Known(i128),
    Read(&'o str),
}

impl<'r> Translation<'r> {
    fn selection(&self, path: &'r RulePath) -> Selection<'r> {
        Selection { path, annotation: self.annotation, defaults: self.defaults }
    }

    fn constraint(&self, names: &mut Names) -> Translated {
        let values = self.selection(&self.rule.path);
        match &self.rule.constraint {
            Constraint::Integer { min, max } => {
                self.bounded(min.as_ref(), max.as_ref(), names, &mut |range, names| {
                    values.values(names, &mut |leaf, _| Ok(integer(&leaf, range)))
                })
            }
            Constraint::String { min_length, max_length } => self.bounded(
                min_length.as_ref(),
                max_length.as_ref(),
                names,
                &mut |range, names| {
                    values.values(names, &mut |leaf, _| match leaf {
                        Leaf::Constants(constants) => Ok(every(constants, |it| {
                            let length = i128::try_from(it.text.len()).unwrap_or(i128::MAX);
                            range.includes(&Operand::Known(length))
                        })),
                        Leaf::Written { expression, ty } => {
                            let text = self.text(expression, ty)?;
                            Ok(range.includes(&Operand::Read(&format!("size(bytes({text}))"))))
                        }
                    })
                },
            ),
            Constraint::Enum(choices) => {
                self.allowed(choices, Vec::new(), names, &mut |allowed, names| {
                    values.values(names, &mut |leaf, _| match leaf {
                        Leaf::Constants(constants) => {
                            Ok(every(constants, |it| is_allowed_text(&it.text, allowed)))
                        }
                        Leaf::Written { expression, ty } => {
                            Ok(is_allowed(&self.text(expression, ty)?, allowed))
                        }
                    })
                })
            }
            Constraint::Regex(pattern, at) => {
                let re2 =
                    pattern::to_re2(pattern.as_str()).map_err(|error| UntranslatableError {
                        at: at.clone(),
                        why: format!("its pattern has {}", error.0),
                    })?;
                values.values(names, &mut |leaf, _| match leaf {
                    Leaf::Constants(constants) => {
                        Ok(every(constants, |it| is_match(pattern, &it.text).into()))
                    }
                    Leaf::Written { expression, ty } => {
                        let text = self.text(expression, ty)?;
                        let pattern = plumb_cel::quoted(&re2);
                        Ok(Condition::call(format!("{text}.matches({pattern})")))
                    }
                })
            }
            Constraint::RegexAt(path) => Err(UntranslatableError {
                at: path.at.clone(),
                why: "its pattern is a value of the virtual machine".to_owned(),
            }),
        }
    }

    /// The condition for a range, whose ends may be values of the virtual machine.
    fn bounded(
        &self,
        min: Option<&'r Bound>,
        max: Option<&'r Bound>,
        names: &mut Names,
        then: &mut dyn FnMut(&Range, &mut Names) -> Translated,
    ) -> Translated {
        self.end(min, End::Min, names, &mut |min, names| {
            self.end(max, End::Max, names, &mut |max, names| {
                then(&Range { min: min.cloned(), max: max.cloned() }, names)
            })
        })
    }

    fn end(
        &self,
        bound: Option<&'r Bound>,
        end: End,
        names: &mut Names,
        then: &mut dyn FnMut(Option<&Number>, &mut Names) -> Translated,
    ) -> Translated {
        let path = match bound {
            None => return then(None, names),
            Some(Bound::Literal(limit)) => return then(Some(&(self.limit)(end, limit)), names),
            Some(Bound::Path(path)) => path,
        };
        self.argument(path)?.values(names, &mut |leaf, names| match leaf {
            Leaf::Constants([Constant { integer: Some(value), .. }]) => {
                then(Some(&Number::Known(Limit::from(*value))), names)
            }
            Leaf::Written { expression, ty: Type::Integer(_) } => {
                then(Some(&Number::Read(expression.to_owned())), names)
            }
            Leaf::Written { expression, ty: Type::Quantity } => {
                let quantity = format!("quantity(string({expression}))");
                let number = Number::Read(format!("{quantity}.asInteger()"));
                let is_integer = Condition::call(format!("{quantity}.isInteger()"));
                Ok(is_integer.and(then(Some(&number), names)?))
            }
            Leaf::Written { ty: Type::Any, .. } => Err(UntranslatableError {
                at: path.at.clone(),
                why: "its limit is a field that KubeVirt's API does not describe".to_owned(),
            }),
            Leaf::Constants(_) | Leaf::Written { .. } => Ok(Condition::Never),
        })
    }

    /// The path of an argument, which must select one value.
    fn argument(&self, path: &'r RulePath) -> Result<Selection<'r>, UntranslatableError> {
        let selection = self.selection(path);
        if selection.is_about_elements()? {
            let why = "its argument has `[*]`".to_owned();
            return Err(UntranslatableError { at: path.at.clone(), why });
        }
        Ok(selection)
    }

    /// The condition for the values that an `enum` rule allows, some of which may be values of the
    /// virtual machine.
    fn allowed(
        &self,
        choices: &'r [Choice],
        mut known: Vec<Allowed>,
        names: &mut Names,
        then: &mut dyn FnMut(&[Allowed], &mut Names) -> Translated,
    ) -> Translated {
        for (at, choice) in choices.iter().enumerate() {
            let path = match choice {
                Choice::Literal(text) => {
                    known.push(Allowed::Literal(text.to_string()));
                    continue;
                }
                Choice::Path(path) => path,
            };
            return self.argument(path)?.values(names, &mut |leaf, names| {
                let value = match leaf {
                    Leaf::Constants([one]) => Allowed::Literal(one.text.clone()),
                    Leaf::Constants(_) => return Ok(Condition::Never),
                    Leaf::Written { expression, ty } => Allowed::Read(self.text(expression, ty)?),
                };
                let known = known.iter().cloned().chain([value]).collect();
                self.allowed(&choices[at + 1..], known, names, then)
            });
        }
        then(&known, names)
    }

    /// A written value as a string.
    fn text(&self, expression: &str, ty: Type) -> Result<String, UntranslatableError> {
        match ty {
            Type::String | Type::Time => Ok(expression.to_owned()),
            Type::Bool | Type::Integer(_) | Type::Quantity | Type::IntOrString | Type::Any => {
                Ok(format!("string({expression})"))
            }
            Type::Struct(_) | Type::Pointer(_) | Type::List(_) | Type::Map(_) => {
                Err(UntranslatableError {
                    at: self.rule.path.at.clone(),
                    why: "its path selects an object or a list as text".to_owned(),
                })
            }
        }
    }
}

/// A range that includes both ends.
struct Range {
    min: Option<Number>,
    max: Option<Number>,
}

impl Range {
    fn includes(&self, value: &Operand<'_>) -> Condition {
        let min = self.min.as_ref().map_or(Condition::Always, |it| at_least(value, it));
        let max = self.max.as_ref().map_or(Condition::Always, |it| at_most(value, it));
        min.and(max)
    }
}

fn integer(leaf: &Leaf<'_>, range: &Range) -> Condition {
    let (expression, ty) = match leaf {
        Leaf::Constants(constants) => {
            return every(constants, |it| match it.integer {
                Some(value) => range.includes(&Operand::Known(value)),
                None => Condition::Never,
            });
        }
        Leaf::Written { expression, ty } => (*expression, *ty),
    };
    let quantity = |text: &str| {
        let quantity = format!("quantity({text})");
        let is_integer = Condition::call(format!("{quantity}.isInteger()"));
        is_integer.and(range.includes(&Operand::Read(&format!("{quantity}.asInteger()"))))
    };
    match ty {
        Type::Integer(_) => range.includes(&Operand::Read(expression)),
        Type::Quantity => quantity(&format!("string({expression})")),
        Type::Any => {
            let is_int = Condition::comparison(format!("type({expression}) == int"));
            let of_int = range.includes(&Operand::Read(&format!("int({expression})")));
            let is_text = Condition::comparison(format!("type({expression}) == string"));
            let is_quantity = Condition::call(format!("isQuantity({expression})"));
            is_int.choose(of_int, is_text.and(is_quantity).and(quantity(expression)))
        }
        Type::String
        | Type::Bool
        | Type::IntOrString
        | Type::Time
        | Type::Struct(_)
        | Type::Pointer(_)
        | Type::List(_)
        | Type::Map(_) => Condition::Never,
    }
}

fn at_least(value: &Operand<'_>, min: &Number) -> Condition {
    match (value, min) {
        (Operand::Known(value), Number::Known(min)) => min.is_at_most(*value).into(),
        (Operand::Known(value), Number::Read(min)) => {
            Condition::comparison(format!("{value} >= {min}"))
        }
        (Operand::Read(value), Number::Read(min)) => {
            Condition::comparison(format!("{value} >= {min}"))
        }
        (Operand::Read(value), Number::Known(min)) => match i64::try_from(min.ceiling()) {
            Ok(min) => Condition::comparison(format!("{value} >= {min}")),
            // Every integer of a virtual machine has 64 bits.
            Err(_) => (min.ceiling() < 0).into(),
        },
    }
}

fn at_most(value: &Operand<'_>, max: &Number) -> Condition {
    match (value, max) {
        (Operand::Known(value), Number::Known(max)) => max.is_at_least(*value).into(),
        (Operand::Known(value), Number::Read(max)) => {
            Condition::comparison(format!("{value} <= {max}"))
        }
        (Operand::Read(value), Number::Read(max)) => {
            Condition::comparison(format!("{value} <= {max}"))
        }
        (Operand::Read(value), Number::Known(max)) => match i64::try_from(max.floor()) {
            Ok(max) => Condition::comparison(format!("{value} <= {max}")),
            Err(_) => (max.floor() > 0).into(),
        },
    }
}

fn every(constants: &[Constant], holds: impl Fn(&Constant) -> Condition) -> Condition {
    constants.iter().map(holds).fold(Condition::Always, Condition::and)
}

fn is_allowed_text(text: &str, allowed: &[Allowed]) -> Condition {
    let is_listed = |it: &Allowed| matches!(it, Allowed::Literal(it) if it == text);
    if allowed.iter().any(is_listed) {
        return Condition::Always;
    }
    let read = allowed.iter().filter(|it| matches!(it, Allowed::Read(_))).cloned();
    is_allowed(&plumb_cel::quoted(text), &read.collect::<Vec<_>>())
}

/// The condition that the value of an expression is one of those allowed.
fn is_allowed(text: &str, allowed: &[Allowed]) -> Condition {
    let values: Vec<String> = allowed
        .iter()
        .map(|it| match it {
            Allowed::Literal(text) => plumb_cel::quoted(text),
            Allowed::Read(expression) => expression.clone(),
        })
        .collect();
    match &*values {
        [] => Condition::Never,
        [one] => Condition::comparison(format!("{text} == {one}")),
        _ => Condition::comparison(format!("{text} in [{}]", values.join(", "))),
    }
}

/// Whether a pattern, which compiles, matches a text.
fn is_match(pattern: &Pattern, text: &str) -> bool {
    pattern.compiled().and_then(|it| it.is_match(text)).unwrap_or(false)
}
