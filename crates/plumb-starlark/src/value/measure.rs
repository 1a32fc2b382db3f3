//! How much memory values hold, about.

use std::sync::Arc;

use hashbrown::HashSet;

use super::function::Variable;
use super::{Function, Value};

/// Text of up to this length is held in the value itself.
const INLINE: usize = 15;
/// What a shared value costs besides its contents.
const OVERHEAD: usize = 64;
/// A key, a value and their places.
const ENTRY: usize = 3 * size_of::<Value>();

/// Bytes that the value itself holds, without what is inside its elements.
pub(crate) fn shallow(value: &Value) -> usize {
    match value {
        Value::String(text) if text.len() > INLINE => text.len(),
        Value::List(list) => OVERHEAD + list.len() * size_of::<Value>(),
        Value::Tuple(tuple) => tuple.len() * size_of::<Value>(),
        Value::Dict(dict) => 2 * OVERHEAD + dict.len() * ENTRY,
        Value::Set(set) => 2 * OVERHEAD + set.len() * ENTRY,
        Value::Struct(fields) => OVERHEAD + fields.len() * ENTRY,
        Value::BigInt(big) => OVERHEAD + usize::try_from(big.bits() / 8).unwrap_or(usize::MAX),
        Value::Function(_)
        | Value::Builtin(_)
        | Value::Method(_)
        | Value::Module(_)
        | Value::Range(_)
        | Value::StringIterable(_)
        | Value::Host(_) => OVERHEAD,
        Value::String(_) | Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}

/// Bytes that it took to make the value: none if someone else holds it too.
pub(crate) fn made(value: &Value) -> usize {
    let is_new = match value {
        Value::List(it) => Arc::strong_count(it) == 1,
        Value::Dict(it) => Arc::strong_count(it) == 1,
        Value::Set(it) => Arc::strong_count(it) == 1,
        Value::Struct(it) => Arc::strong_count(it) == 1,
        _ => true,
    };
    if is_new { shallow(value) } else { 0 }
}

/// Bytes that `in` goes through to find something.
pub(crate) fn searched(container: &Value) -> usize {
    match container {
        Value::String(text) => text.len(),
        Value::List(list) => list.len() * size_of::<Value>(),
        Value::Tuple(tuple) => tuple.len() * size_of::<Value>(),
        _ => 0,
    }
}

/// Adds up what can be reached from some values, counting what is shared once.
#[derive(Default)]
pub(crate) struct Measurement {
    seen: HashSet<usize>,
    open: Vec<Value>,
    bytes: usize,
}

impl Measurement {
    pub(crate) fn add(&mut self, value: &Value) {
        self.visit(value);
        while let Some(value) = self.open.pop() {
            self.enter(&value);
        }
    }

    pub(crate) fn add_function(&mut self, function: &Function) {
        if self.seen.insert(function.globals.as_ptr() as usize) {
            self.add_variables(function.globals.iter());
        }
        self.add_variables(function.captured.iter().map(AsRef::as_ref));
    }

    fn add_variables<'a>(&mut self, variables: impl Iterator<Item = &'a Variable>) {
        for value in variables.filter_map(Variable::get) {
            self.add(&value);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    /// Counts a value, and remembers to look into it if that is the first time.
    fn visit(&mut self, value: &Value) {
        let pointer = match value {
            Value::String(text) if text.len() > INLINE => text.as_bytes().as_ptr() as usize,
            Value::List(it) => Arc::as_ptr(it) as usize,
            Value::Tuple(it) => it.as_ptr() as usize,
            Value::Dict(it) => Arc::as_ptr(it) as usize,
            Value::Set(it) => Arc::as_ptr(it) as usize,
            Value::Struct(it) => Arc::as_ptr(it) as usize,
            Value::Function(it) => Arc::as_ptr(it) as usize,
            Value::Method(it) => Arc::as_ptr(it) as usize,
            _ => {
                self.bytes += shallow(value);
                return;
            }
        };
        if self.seen.insert(pointer) {
            self.bytes += shallow(value);
            if value.nests() {
                self.open.push(value.clone());
            }
        }
    }

    fn enter(&mut self, value: &Value) {
        match value {
            Value::List(list) => list.elements().iter().for_each(|it| self.visit(it)),
            Value::Tuple(tuple) => tuple.iter().for_each(|it| self.visit(it)),
            Value::Dict(dict) => self.enter_dict(dict),
            Value::Set(set) => self.enter_dict(&set.0),
            Value::Struct(fields) => fields.fields().for_each(|(_, it)| self.visit(it)),
            Value::Function(function) => {
                function.defaults.iter().flatten().for_each(|it| self.visit(it));
                for captured in function.captured.iter().filter_map(|it| it.get()) {
                    self.visit(&captured);
                }
            }
            Value::Method(method) => self.visit(&method.receiver),
            _ => {}
        }
    }

    fn enter_dict(&mut self, dict: &super::Dict) {
        for (key, value) in dict.entries().iter().filter_map(super::table::Entry::pair) {
            self.visit(key);
            self.visit(value);
        }
    }
}
