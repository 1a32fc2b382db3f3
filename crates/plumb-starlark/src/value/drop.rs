//! Frees memory without recursion: a list nested a million levels deep must not overflow the stack
//! when it is dropped.

use std::sync::Arc;

use ecow::EcoVec;

use super::{Dict, Function, List, Method, Module, Struct, Tuple, Value};

/// Drops values one by one, together with everything that is not shared. Each type's own `drop`
/// also calls this, but finds nothing left to do.
fn release(open: Vec<Value>) {
    release_all(open, Vec::new());
}

/// Like [`release`], also for the elements of lists that are not shared. These stay where they are
/// until it is their turn: a list may have many.
fn release_all(mut open: Vec<Value>, mut lists: Vec<EcoVec<Value>>) {
    loop {
        let value = match (open.pop(), lists.last_mut()) {
            (Some(value), _) => value,
            (None, None) => return,
            (None, Some(elements)) => match elements.pop() {
                Some(value) => value,
                None => {
                    lists.pop();
                    continue;
                }
            },
        };
        match value {
            Value::List(list) => {
                if let Some(mut list) = Arc::into_inner(list) {
                    lists.extend(nested_elements(list.take()));
                }
            }
            Value::Tuple(mut tuple) => tuple.take_nested(&mut open),
            Value::Dict(dict) => {
                if let Some(mut dict) = Arc::into_inner(dict) {
                    dict.take_nested(&mut open);
                }
            }
            Value::Set(set) => {
                if let Some(mut set) = Arc::into_inner(set) {
                    set.0.take_nested(&mut open);
                }
            }
            Value::Function(function) => {
                if let Some(mut function) = Arc::into_inner(function) {
                    function.take_values(&mut open);
                }
            }
            Value::Method(method) => {
                if let Some(mut method) = Arc::into_inner(method) {
                    open.push(std::mem::take(&mut method.receiver));
                }
            }
            Value::Struct(fields) => {
                if let Some(mut fields) = Arc::into_inner(fields) {
                    fields.take_values(&mut open);
                }
            }
            Value::Module(module) => {
                if let Some(mut module) = Arc::into_inner(module) {
                    module.take_values(&mut open);
                }
            }
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::Range(_)
            | Value::StringIterable(_)
            | Value::Builtin(_)
            | Value::Host(_) => {}
        }
    }
}

/// Returns the elements if some of them contain others and nothing else refers to them.
fn nested_elements(mut elements: EcoVec<Value>) -> Option<EcoVec<Value>> {
    (elements.is_unique() && elements.iter().any(Value::nests)).then_some(elements)
}

impl Drop for List {
    fn drop(&mut self) {
        if let Some(elements) = nested_elements(self.take()) {
            release_all(Vec::new(), vec![elements]);
        }
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        if self.iter().any(Value::nests) {
            let mut open = Vec::new();
            self.take_nested(&mut open);
            release(open);
        }
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.take_nested(&mut open);
        release(open);
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.take_values(&mut open);
        release(open);
    }
}

impl Drop for Method {
    fn drop(&mut self) {
        if self.receiver.nests() {
            release(vec![std::mem::take(&mut self.receiver)]);
        }
    }
}

impl Drop for Struct {
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.take_values(&mut open);
        release(open);
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.take_values(&mut open);
        release(open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wrap: impl Fn(Value) -> Value) {
        let mut value = Value::None;
        for _ in 0..200_000 {
            value = wrap(value);
        }
        drop(value);
    }

    #[test]
    fn a_deep_value_is_dropped_without_recursion() {
        check(|inner| Value::list([inner]));
        check(|inner| Value::tuple([inner]));
        check(|inner| {
            let dict = Dict::from_items([(Value::Int(1), inner)]).expect("hashable");
            Value::Dict(Arc::new(dict))
        });
        check(|inner| Value::Struct(Arc::new([("a".into(), inner)].into_iter().collect())));
    }
}
