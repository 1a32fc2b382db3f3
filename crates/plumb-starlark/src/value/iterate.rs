//! Iteration over the elements of a value.

use std::sync::Arc;

use ecow::EcoVec;

use super::dict::Entries;
use super::{Dict, List, Set, StringIterable, Struct, Tuple, Value};

/// The elements of a value, one after the other. While it exists, a list, dictionary or set
/// cannot be changed.
pub struct Values(Source);

enum Source {
    Range { next: i64, step: i64, left: usize },
    List { list: Arc<List>, elements: EcoVec<Value>, at: usize },
    Tuple { tuple: Tuple, at: usize },
    Dict { dict: Arc<Dict>, entries: Entries, at: usize },
    Set { set: Arc<Set>, entries: Entries, at: usize },
    String { iterable: Arc<StringIterable>, at: usize },
    Struct { fields: Arc<Struct>, at: usize },
    Host(Box<dyn Iterator<Item = Value> + Send + Sync>),
}

impl Value {
    /// Returns the elements. Returns `None` if the value is not iterable, such as a string.
    pub fn iterate(&self) -> Option<Values> {
        let source = match self {
            Self::Range(range) => {
                Source::Range { next: range.start, step: range.step, left: range.len() }
            }
            Self::List(list) => {
                list.begin_iteration();
                Source::List { list: Arc::clone(list), elements: list.elements(), at: 0 }
            }
            Self::Tuple(tuple) => Source::Tuple { tuple: tuple.clone(), at: 0 },
            Self::Dict(dict) => {
                dict.begin_iteration();
                Source::Dict { dict: Arc::clone(dict), entries: dict.entries(), at: 0 }
            }
            Self::Set(set) => {
                set.0.begin_iteration();
                Source::Set { set: Arc::clone(set), entries: set.0.entries(), at: 0 }
            }
            Self::StringIterable(iterable) => {
                Source::String { iterable: Arc::clone(iterable), at: 0 }
            }
            Self::Struct(fields) => Source::Struct { fields: Arc::clone(fields), at: 0 },
            Self::Host(host) => Source::Host(host.iterate()?),
            Self::None
            | Self::Bool(_)
            | Self::Int(_)
            | Self::BigInt(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Function(_)
            | Self::Builtin(_)
            | Self::Method(_)
            | Self::Module(_) => return None,
        };
        Some(Values(source))
    }
}

impl Values {
    /// Returns the next element of a range. Returns `None` at its end, and for all other values.
    #[inline]
    pub(crate) fn next_int(&mut self) -> Option<i64> {
        let Source::Range { next, step, left } = &mut self.0 else { return None };
        *left = left.checked_sub(1)?;
        let value = *next;
        *next = next.wrapping_add(*step);
        Some(value)
    }

    /// Returns the next element of a list. Returns `None` at its end, and for all other values.
    #[inline]
    pub(crate) fn next_of_list(&mut self) -> Option<&Value> {
        let Source::List { elements, at, .. } = &mut self.0 else { return None };
        let value = elements.get(*at)?;
        *at += 1;
        Some(value)
    }
}

impl Values {
    /// Returns all remaining elements. The elements of a list or tuple that was not started are
    /// shared.
    pub(crate) fn into_elements(self) -> EcoVec<Value> {
        let shared = match &self.0 {
            Source::List { elements, at: 0, .. } => Some(elements.clone()),
            Source::Tuple { tuple, at: 0 } => Some(tuple.elements()),
            _ => None,
        };
        shared.unwrap_or_else(|| self.collect())
    }
}

impl Iterator for Values {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self.next_int() {
            Some(value) => Some(Value::Int(value)),
            None => self.0.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Source::Range { left, .. } => *left,
            Source::List { elements, at, .. } => elements.len().saturating_sub(*at),
            Source::Tuple { tuple, at } => tuple.len().saturating_sub(*at),
            Source::Dict { entries, at, .. } | Source::Set { entries, at, .. } => {
                return (0, Some(entries.len().saturating_sub(*at)));
            }
            Source::String { iterable, at } => {
                return (0, Some(iterable.string.len().saturating_sub(*at)));
            }
            Source::Struct { fields, at } => fields.len().saturating_sub(*at),
            Source::Host(iterator) => return (0, iterator.size_hint().1),
        };
        (left, Some(left))
    }
}

impl Source {
    /// Returns the next element of any source except a range.
    fn next(&mut self) -> Option<Value> {
        match self {
            Self::Range { .. } => None,
            Self::List { elements, at, .. } => {
                *at += 1;
                elements.get(*at - 1).cloned()
            }
            Self::Tuple { tuple, at } => {
                *at += 1;
                tuple.get(*at - 1).cloned()
            }
            Self::Dict { entries, at, .. } | Self::Set { entries, at, .. } => loop {
                if *at == entries.len() {
                    return None;
                }
                *at += 1;
                if let Some((key, _)) = entries.pair(*at - 1) {
                    return Some(key.clone());
                }
            },
            Self::String { iterable, at } => {
                let (part, next) = iterable.part(*at)?;
                *at = next;
                Some(part)
            }
            Self::Struct { fields, at } => {
                *at += 1;
                fields.name(*at - 1).cloned().map(Value::String)
            }
            Self::Host(iterator) => iterator.next(),
        }
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        match &self.0 {
            Source::List { list, .. } => list.end_iteration(),
            Source::Dict { dict, .. } => dict.end_iteration(),
            Source::Set { set, .. } => set.0.end_iteration(),
            Source::Range { .. }
            | Source::Tuple { .. }
            | Source::String { .. }
            | Source::Struct { .. }
            | Source::Host(_) => {}
        }
    }
}
