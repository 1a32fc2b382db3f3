//! Evaluates macros over the items of a list or map.

use std::ops::Range;

use plumb_source::message;

use crate::ast::Comprehension;
use crate::evaluate::{EvaluationResult, Evaluator};
use crate::functions::lists;
use crate::macros::Macro;
use crate::operate;
use crate::value::{Entries, Value};
use crate::{EvaluationError, EvaluationErrorKind};

impl<'a> Evaluator<'a> {
    pub(crate) fn comprehension(
        &mut self,
        it: &'a Comprehension,
        at: &Range<usize>,
    ) -> EvaluationResult<'a> {
        let range = self.eval(&it.range)?;
        if let Macro::OptionalMap | Macro::OptionalFlatMap = it.r#macro {
            return self.optional_map(it, range);
        }
        let n_outside = self.variables.len();
        let mut result = Gathered::new(it.r#macro);
        let mut next = 0;
        while let Some((key, value)) = item(&range, next, it)? {
            next += 1;
            self.variables.truncate(n_outside);
            let bound = match it.names.len() {
                1 if matches!(range, Value::Map(_)) => vec![key.clone()],
                1 => vec![value],
                _ => vec![key.clone(), value],
            };
            let item = bound[0].clone();
            self.variables.extend(bound);
            let is_kept = match &it.filter {
                Some(filter) => self.eval_bool(filter)?,
                None => true,
            };
            let is_done = is_kept && self.gather(&mut result, it, key, item)?;
            if is_done {
                break;
            }
        }
        self.pay(1, at)?;
        match result {
            Gathered::Keyed(pairs) => lists::sorted_by_key(pairs, &mut self.budget)
                .map_err(|it| it.or_types("expected keys that have an order").at(at)),
            other => other.finish(),
        }
    }

    /// Evaluates the body for one item. Returns whether the result is already decided.
    fn gather(
        &mut self,
        result: &mut Gathered<'a>,
        it: &'a Comprehension,
        key: Value<'a>,
        item: Value<'a>,
    ) -> Result<bool, EvaluationError> {
        match result {
            Gathered::Decided { until, error, is_found } => match self.eval_bool(&it.body) {
                Ok(holds) if holds == *until => {
                    *is_found = true;
                    Ok(true)
                }
                Ok(_) => Ok(false),
                Err(limit) if limit.kind == EvaluationErrorKind::Limit => Err(limit),
                Err(other) => {
                    error.get_or_insert(other);
                    Ok(false)
                }
            },
            Gathered::Counted(n) => {
                *n += usize::from(self.eval_bool(&it.body)?);
                Ok(false)
            }
            Gathered::Kept(values) => {
                if self.eval_bool(&it.body)? {
                    values.push(item);
                }
                Ok(false)
            }
            Gathered::Values(values) => {
                values.push(self.eval(&it.body)?);
                Ok(false)
            }
            Gathered::Keyed(entries) => {
                entries.push((self.eval(&it.body)?, item));
                Ok(false)
            }
            Gathered::Entries(entries) if it.r#macro == Macro::TransformMapEntry => {
                let body = self.eval(&it.body)?;
                let entry = self.only_entry(&body, entries, &it.body.at)?;
                entries.push(entry);
                Ok(false)
            }
            Gathered::Entries(entries) => {
                entries.push((key, self.eval(&it.body)?));
                Ok(false)
            }
        }
    }

    /// The key and value of a map with one entry. Fails if the key is already present in the
    /// result.
    fn only_entry(
        &mut self,
        body: &Value<'a>,
        entries: &[(Value<'a>, Value<'a>)],
        at: &Range<usize>,
    ) -> Result<(Value<'a>, Value<'a>), EvaluationError> {
        let entry = match body {
            Value::Map(map) if map.len() == 1 => map.entry(0),
            _ => None,
        };
        let Some((key, value)) = entry else {
            let message = message!("expected a map with one key, found {}", body.described());
            return Err(EvaluationError::new(message, at.clone()));
        };
        for (other, _) in entries {
            if operate::equal(other, &key, &mut self.budget).map_err(|it| it.at(at))? {
                return Err(EvaluationError::new("a key occurs twice", at.clone()));
            }
        }
        Ok((key, value))
    }

    fn optional_map(&mut self, it: &'a Comprehension, range: Value<'a>) -> EvaluationResult<'a> {
        let inner = match range {
            Value::Optional(None) => return Ok(Value::Optional(None)),
            Value::Optional(Some(inner)) => Value::clone(&inner),
            other => {
                let found = other.described();
                let message = message!("expected an optional value, found {found}");
                return Err(EvaluationError::new(message, it.range.at.clone()));
            }
        };
        self.variables.push(inner);
        let mapped = self.eval(&it.body);
        self.variables.pop();
        match (mapped?, it.r#macro) {
            (value @ Value::Optional(_), Macro::OptionalFlatMap) => Ok(value),
            (_, Macro::OptionalFlatMap) => {
                let message = "expected an optional value from the body of `optFlatMap`";
                Err(EvaluationError::new(message, it.body.at.clone()).help("use `optMap`"))
            }
            (value, _) => Ok(Value::some(value)),
        }
    }
}

/// What a macro has computed so far from the items of a range.
enum Gathered<'a> {
    /// `all` looks for false, `exists` for true. An item that cannot be evaluated is an error only
    /// if no other item decides the result.
    Decided {
        until: bool,
        is_found: bool,
        error: Option<EvaluationError>,
    },
    Counted(usize),
    Kept(Vec<Value<'a>>),
    Values(Vec<Value<'a>>),
    Entries(Vec<(Value<'a>, Value<'a>)>),
    /// The items of a list, each with the key that it is sorted by.
    Keyed(Vec<(Value<'a>, Value<'a>)>),
}

impl<'a> Gathered<'a> {
    fn new(r#macro: Macro) -> Self {
        match r#macro {
            Macro::All => Self::Decided { until: false, is_found: false, error: None },
            Macro::Exists => Self::Decided { until: true, is_found: false, error: None },
            Macro::ExistsOne => Self::Counted(0),
            Macro::Filter => Self::Kept(Vec::new()),
            Macro::SortBy => Self::Keyed(Vec::new()),
            Macro::TransformMap | Macro::TransformMapEntry => Self::Entries(Vec::new()),
            Macro::Map | Macro::TransformList | Macro::OptionalMap | Macro::OptionalFlatMap => {
                Self::Values(Vec::new())
            }
        }
    }

    fn finish(self) -> EvaluationResult<'a> {
        Ok(match self {
            Self::Decided { until, is_found: true, .. } => Value::Bool(until),
            Self::Decided { error: Some(error), .. } => return Err(error),
            Self::Decided { until, .. } => Value::Bool(!until),
            Self::Counted(n) => Value::Bool(n == 1),
            Self::Kept(values) | Self::Values(values) => Value::list(values),
            Self::Entries(entries) => Value::Map(Entries::Values(entries.into())),
            Self::Keyed(entries) => Value::list(entries.into_iter().map(|it| it.1).collect()),
        })
    }
}

/// An item of a range with its index or key.
fn item<'a>(
    range: &Value<'a>,
    at: usize,
    it: &Comprehension,
) -> Result<Option<(Value<'a>, Value<'a>)>, EvaluationError> {
    match range {
        Value::List(list) => {
            let index = Value::Int(i64::try_from(at).expect("a list has fewer than 2^63 items"));
            Ok(list.get(at).map(|value| (index, value)))
        }
        Value::Map(entries) => Ok(entries.entry(at)),
        other => {
            let message = message!("expected a list or map, found {}", other.described());
            Err(EvaluationError::new(message, it.range.at.clone()))
        }
    }
}
