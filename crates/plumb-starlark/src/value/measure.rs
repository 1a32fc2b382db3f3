//! Estimates the memory that values use, as an upper bound.

use std::sync::Arc;

use ecow::EcoVec;
use hashbrown::HashSet;

use super::dict::{Changed, Entries};
use super::function::{SharedVariable, Variable};
use super::hash::MAX_PARTS;
use super::table::{Entry, Table};
use super::{Dict, Function, List, Set, Struct, Tuple, Value, bytes};

/// Text of up to this length is part of the value itself.
const INLINE: usize = 15;
/// The approximate number of bytes that the allocator adds to each allocation.
const ALLOCATION: usize = 16;
/// The counters of a shared value.
const COUNTERS: usize = 16;
/// The memory for recording that a value was measured.
const REMEMBERED: usize = 16;
/// The minimum capacity of a vector.
const MIN_ELEMENTS: usize = 4;
/// A position in the index of a struct, with the space that hashing leaves free.
const POSITION: usize = 10;
/// A position and a hash in the index of a table, with the space that hashing leaves free.
const TABLE_POSITION: usize = 18;

/// Returns the bytes that the value itself uses, without the content of its elements.
#[inline]
pub(crate) fn shallow(value: &Value) -> usize {
    match value {
        Value::String(text) if text.len() > INLINE => {
            text.len() + COUNTERS + ALLOCATION + REMEMBERED
        }
        Value::String(_) | Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
        other => shallow_other(other),
    }
}

fn shallow_other(value: &Value) -> usize {
    match value {
        Value::List(list) => EMPTY_LIST + elements::<Value>(list.len()),
        Value::Tuple(tuple) => REMEMBERED + elements::<Value>(tuple.len()),
        Value::Dict(dict) => EMPTY_DICT + content(dict),
        Value::Set(set) => boxed::<Set>() + content(&set.0),
        Value::Struct(fields) => {
            boxed::<Struct>()
                + fields.len() * (size_of::<(plumb_source::Text, Value)>() + 40 + POSITION)
        }
        Value::BigInt(big) => {
            boxed::<num_bigint::BigInt>()
                + usize::try_from(big.bits() / 8).unwrap_or(usize::MAX).saturating_add(ALLOCATION)
        }
        Value::Function(function) => {
            boxed::<Function>()
                + function.defaults.len() * size_of::<Option<Value>>()
                + function.captured.len() * (size_of::<usize>() + boxed::<SharedVariable>())
                + 2 * ALLOCATION
        }
        Value::Builtin(_)
        | Value::Method(_)
        | Value::Module(_)
        | Value::Range(_)
        | Value::StringIterable(_) => 64 + COUNTERS + ALLOCATION,
        Value::Host(host) => host.size() + 64 + COUNTERS + ALLOCATION,
        Value::String(_) | Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}

/// The bytes of an empty list, and of an empty dictionary.
pub(crate) const EMPTY_LIST: usize = boxed::<List>();
pub(crate) const EMPTY_DICT: usize = boxed::<Dict>();

const fn boxed<T>() -> usize {
    size_of::<T>() + COUNTERS + ALLOCATION
}

/// A vector of `len` elements. A growing vector has a capacity of up to twice as many.
fn elements<T>(len: usize) -> usize {
    if len == 0 { 0 } else { COUNTERS + ALLOCATION + room(len) * size_of::<T>() }
}

/// Vectors grow by doubling.
fn room(len: usize) -> usize {
    len.next_power_of_two().max(MIN_ELEMENTS)
}

/// The bytes of a dictionary's content.
fn content(dict: &Dict) -> usize {
    let literal = elements::<Value>(dict.first_values().len());
    if dict.is_changed() { literal + changed(dict.len()) } else { literal }
}

/// The content of a dictionary that was changed.
pub(crate) fn changed(len: usize) -> usize {
    size_of::<Changed>() + ALLOCATION + table(len)
}

fn table(len: usize) -> usize {
    elements::<Entry>(len) + if len > MIN_ELEMENTS { room(len) * TABLE_POSITION } else { 0 }
}

/// Returns the number of bytes that were allocated for the value, or 0 if it is shared.
pub(crate) fn made(value: &Value) -> usize {
    if is_shared(value) { 0 } else { shallow(value) }
}

/// Returns whether the value is shared. For vectors and text, this is not known.
fn is_shared(value: &Value) -> bool {
    let holders = match value {
        Value::List(it) => Arc::strong_count(it),
        Value::Dict(it) => Arc::strong_count(it),
        Value::Set(it) => Arc::strong_count(it),
        Value::Struct(it) => Arc::strong_count(it),
        Value::Function(it) => Arc::strong_count(it),
        Value::Method(it) => Arc::strong_count(it),
        Value::BigInt(it) => Arc::strong_count(it),
        Value::Host(it) if it.size() > 0 => Arc::strong_count(it),
        _ => 1,
    };
    holders > 1
}

/// Returns the number of bytes that `in` searches.
pub(crate) fn searched(container: &Value) -> usize {
    match container {
        Value::String(text) => text.len(),
        Value::List(list) => list.len() * size_of::<Value>(),
        Value::Tuple(tuple) => tuple.len() * size_of::<Value>(),
        Value::Host(_) => bytes::length(container),
        _ => 0,
    }
}

/// Returns the number of bytes of an argument that a native function may read: all of a text, and
/// the elements of a collection. A tuple may be a key, so all its parts are counted.
#[inline]
pub(crate) fn touched(argument: &Value) -> usize {
    if argument.is_plain() { 0 } else { touched_other(argument) }
}

fn touched_other(argument: &Value) -> usize {
    match argument {
        Value::String(text) => text.len(),
        Value::Tuple(tuple) => parts(tuple).saturating_mul(size_of::<Value>()),
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Struct(_) => {
            argument.length().unwrap_or_default().saturating_mul(size_of::<Value>())
        }
        Value::BigInt(big) => usize::try_from(big.bits() / 8).unwrap_or(usize::MAX),
        Value::Host(_) => bytes::length(argument),
        _ => 0,
    }
}

/// Counts the parts of a tuple as a hash visits them: a shared part as often as it is used.
fn parts(tuple: &Tuple) -> usize {
    let mut parts = tuple.len();
    let mut open: Vec<&Tuple> = Vec::new();
    let mut next = Some(tuple);
    while let Some(tuple) = next {
        let inner =
            tuple.iter().filter_map(|it| if let Value::Tuple(it) = it { Some(it) } else { None });
        for inner in inner {
            parts += inner.len();
            open.push(inner);
        }
        if parts > MAX_PARTS {
            break;
        }
        next = open.pop();
    }
    parts
}

/// Measures the values that can be reached from some values. Shared values are counted once.
#[derive(Default)]
pub(crate) struct Measurement<'k> {
    /// Addresses of values that may be reached again.
    seen: HashSet<usize>,
    /// Addresses of values that are left out.
    beside: Option<&'k HashSet<usize>>,
    /// Whether every value is recorded, because other measurements leave it out.
    remembers_all: bool,
    /// The path of containers to the current one.
    open: Vec<Children>,
    bytes: usize,
}

/// Values in a container, and how many of them were visited.
enum Children {
    Elements(EcoVec<Value>, usize),
    Entries(Entries, usize),
    Values(Vec<Value>),
}

impl<'k> Measurement<'k> {
    /// A measurement of values that are not among these.
    pub(crate) fn beside(kept: &'k HashSet<usize>) -> Self {
        Self { beside: Some(kept), ..Self::default() }
    }

    /// Continues a measurement in which these values were already seen.
    pub(crate) fn of_kept(seen: HashSet<usize>) -> Self {
        Self { seen, remembers_all: true, ..Self::default() }
    }

    pub(crate) fn into_seen(self) -> HashSet<usize> {
        self.seen
    }

    /// Adds a value that the caller created a reference to.
    pub(crate) fn add_some(&mut self, value: Option<Value>) {
        self.open.extend(value.map(|it| Children::Values(vec![it])));
        self.drain();
    }

    pub(crate) fn add(&mut self, value: &Value) {
        self.visit(value, 0);
        self.drain();
    }

    /// Adds the elements of a list that is not complete.
    pub(crate) fn add_elements(&mut self, list: &EcoVec<Value>) {
        self.bytes += EMPTY_LIST + elements::<Value>(list.capacity());
        self.open.push(Children::Elements(list.clone(), 0));
        self.drain();
    }

    /// Adds the entries of a dictionary that is not complete.
    pub(crate) fn add_entries(&mut self, dict: &Table) {
        self.bytes += EMPTY_DICT + changed(dict.entries().capacity());
        self.open.push(Children::Entries(Entries::Table(dict.entries().clone()), 0));
        self.drain();
    }

    /// Measures everything that is open.
    fn drain(&mut self) {
        while let Some(mut children) = self.open.pop() {
            let below = self.open.len();
            while self.open.len() == below && self.visit_next(&mut children) {}
            if self.open.len() > below {
                // What was opened comes first.
                self.open.insert(below, children);
            }
        }
    }

    /// Visits the next child. Returns whether there was one.
    fn visit_next(&mut self, children: &mut Children) -> bool {
        match children {
            Children::Elements(elements, at) => {
                let Some(value) = elements.get(*at) else { return false };
                *at += 1;
                self.visit(value, 0);
            }
            Children::Entries(entries, at) => {
                if *at == entries.len() {
                    return false;
                }
                *at += 1;
                if let Some((key, value)) = entries.pair(*at - 1) {
                    self.visit(key, 0);
                    self.visit(value, 0);
                }
            }
            Children::Values(values) => {
                let Some(value) = values.pop() else { return false };
                self.visit(&value, 1);
            }
        }
        true
    }

    pub(crate) fn add_function(&mut self, function: &Function) {
        if let Some(globals) = function.globals.upgrade()
            && self.seen.insert(globals.as_ptr() as usize)
        {
            globals.iter().map(Variable::get).for_each(|it| self.add_some(it));
        }
        function.captured.iter().map(|it| it.get()).for_each(|it| self.add_some(it));
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    /// Counts a value, and opens it if this is the first visit. `clones` is the number of
    /// references to it that the measurement itself created.
    fn visit(&mut self, value: &Value, clones: usize) {
        let clones = if self.remembers_all { None } else { Some(clones) };
        if let Some(address) = address(value, clones)
            && (self.beside.is_some_and(|it| it.contains(&address)) || !self.seen.insert(address))
        {
            return;
        }
        self.bytes += shallow(value);
        self.open.extend(Children::of(value));
        if let Value::Dict(dict) = value
            && dict.is_changed()
            && !dict.first_values().is_empty()
        {
            self.open.push(Children::Elements(dict.first_values().clone(), 0));
        }
    }
}

/// Returns the address of a value that may be reached in more than one way: it has more references
/// than the measurement itself created.
fn address(value: &Value, clones: Option<usize>) -> Option<usize> {
    fn shared<T: ?Sized>(value: &Arc<T>, clones: Option<usize>) -> Option<usize> {
        let is_shared = clones.is_none_or(|it| Arc::strong_count(value) > 1 + it);
        is_shared.then_some(Arc::as_ptr(value).addr())
    }
    match value {
        Value::String(text) if text.len() > INLINE => Some(text.as_bytes().as_ptr() as usize),
        // If the program has lost it, only the list itself and the measurement refer to it.
        Value::List(it) if it.is_tied() => Some(Arc::as_ptr(it) as usize),
        Value::List(it) => shared(it, clones),
        Value::Tuple(it) if !it.is_empty() => Some(it.as_ptr() as usize),
        Value::Dict(it) if it.is_tied() => Some(Arc::as_ptr(it) as usize),
        Value::Dict(it) => shared(it, clones),
        Value::Set(it) if it.0.is_tied() => Some(Arc::as_ptr(it) as usize),
        Value::Set(it) => shared(it, clones),
        Value::Struct(it) => shared(it, clones),
        Value::Function(it) => Some(Arc::as_ptr(it) as usize),
        Value::Method(it) => Some(Arc::as_ptr(it) as usize),
        Value::Host(it) if it.size() > 0 => shared(it, clones),
        _ => None,
    }
}

impl Children {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::List(list) => Some(Self::Elements(list.elements(), 0)),
            Value::Tuple(tuple) => Some(Self::Elements(tuple.elements(), 0)),
            Value::Dict(dict) => Some(Self::Entries(dict.entries(), 0)),
            Value::Set(set) => Some(Self::Entries(set.0.entries(), 0)),
            Value::Struct(fields) => {
                Some(Self::Values(fields.fields().map(|(_, value)| value.clone()).collect()))
            }
            Value::Function(function) => {
                let defaults = function.defaults.iter().flatten().cloned();
                let captured = function.captured.iter().filter_map(|it| it.get());
                Some(Self::Values(defaults.chain(captured).collect()))
            }
            Value::Method(method) => Some(Self::Values(vec![method.receiver.clone()])),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::literal::{KnownKeys, Literal};

    fn measured(values: &[&Value]) -> usize {
        let mut measurement = Measurement::default();
        for value in values {
            measurement.add(value);
        }
        measurement.bytes
    }

    #[test]
    fn shared_values_are_counted_once() {
        let inner = Value::list([Value::Int(1)]);
        let pair = Value::list([inner.clone(), inner.clone()]);
        let once = measured(&[&inner]);
        assert_eq!(measured(&[&pair]), once + shallow(&pair));
        let mut doubled = inner;
        for _ in 0..40 {
            doubled = Value::list([doubled.clone(), doubled]);
        }
        assert!(measured(&[&doubled]) < 100_000);
    }

    #[test]
    fn values_that_a_literal_still_has_are_counted() {
        let keys = Arc::new(KnownKeys::new(Box::new(["a".into()])).expect("one short key"));
        let dict = || Dict::from(Literal::new(&keys, [Value::Int(1)].into_iter()));
        let (same, other) = (dict(), dict());
        other.build("a".into(), Value::None).expect("not frozen");
        let [same, other] = [same, other].map(|it| measured(&[&Value::Dict(Arc::new(it))]));
        assert_eq!(other, same + changed(1));
    }

    #[test]
    fn deep_values_take_little_to_measure() {
        let mut deep = Value::None;
        for _ in 0..100_000 {
            deep = Value::list([deep]);
        }
        assert!(measured(&[&deep]) > 100_000 * size_of::<List>());
    }
}
