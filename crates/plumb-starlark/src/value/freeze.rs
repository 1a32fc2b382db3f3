//! Freezing: the values of a module cannot be changed after it has ended.

use hashbrown::HashSet;
use std::sync::Arc;

use super::Value;

/// Freezes the value and everything in it, except the fields of structs, as the dialect does.
pub(super) fn freeze(value: &Value) {
    let mut open = vec![value.clone()];
    // Values without a frozen mark, some of which are cyclic.
    let mut seen: HashSet<usize> = HashSet::new();
    while let Some(value) = open.pop() {
        match value {
            Value::List(list) => add(&mut open, &list.freeze().unwrap_or_default()),
            Value::Dict(dict) => {
                if let Some(entries) = dict.freeze() {
                    add(&mut open, entries.pairs().flat_map(|(key, value)| [key, value]));
                }
            }
            Value::Set(set) => {
                if let Some(entries) = set.0.freeze() {
                    add(&mut open, entries.pairs().map(|(element, _)| element));
                }
            }
            Value::Tuple(tuple) if seen.insert(tuple.as_ptr() as usize) => {
                add(&mut open, &*tuple);
            }
            Value::Function(function) if seen.insert(Arc::as_ptr(&function) as usize) => {
                open.extend(function.defaults.iter().flatten().cloned());
                open.extend(function.captured.iter().filter_map(|variable| variable.get()));
            }
            Value::Method(method) => open.push(method.receiver.clone()),
            Value::Module(module) if seen.insert(Arc::as_ptr(&module) as usize) => {
                open.extend(module.members().iter().map(|(_, member)| member.clone()));
            }
            Value::Host(host) => host.freeze(),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::Tuple(_)
            | Value::Range(_)
            | Value::StringIterable(_)
            | Value::Function(_)
            | Value::Builtin(_)
            | Value::Struct(_)
            | Value::Module(_) => {}
        }
    }
}

/// Adds the values that can contain others. There is nothing to freeze in the rest.
fn add<'a>(open: &mut Vec<Value>, values: impl IntoIterator<Item = &'a Value>) {
    open.extend(values.into_iter().filter(|it| it.nests()).cloned());
}
