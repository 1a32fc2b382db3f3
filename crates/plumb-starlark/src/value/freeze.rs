//! Freezing: the values of a module cannot be changed after it has ended.

use hashbrown::HashSet;
use std::sync::Arc;

use super::Value;

impl Value {
    /// Freezes the value and everything in it, except the fields of structs, as the dialect does.
    pub(crate) fn freeze(&self) {
        let mut open = vec![self.clone()];
        // Values without a frozen mark, some of which are cyclic.
        let mut seen: HashSet<usize> = HashSet::new();
        while let Some(value) = open.pop() {
            match value {
                Self::List(list) => add(&mut open, &list.freeze().unwrap_or_default()),
                Self::Dict(dict) => {
                    if let Some(entries) = dict.freeze() {
                        add(&mut open, entries.pairs().flat_map(|(key, value)| [key, value]));
                    }
                }
                Self::Set(set) => {
                    if let Some(entries) = set.0.freeze() {
                        add(&mut open, entries.pairs().map(|(element, _)| element));
                    }
                }
                Self::Tuple(tuple) if seen.insert(tuple.as_ptr() as usize) => {
                    add(&mut open, &*tuple);
                }
                Self::Function(function) if seen.insert(Arc::as_ptr(&function) as usize) => {
                    open.extend(function.defaults.iter().flatten().cloned());
                    open.extend(function.captured.iter().filter_map(|variable| variable.get()));
                }
                Self::Method(method) => open.push(method.receiver.clone()),
                Self::Module(module) if seen.insert(Arc::as_ptr(&module) as usize) => {
                    open.extend(module.members().iter().map(|(_, member)| member.clone()));
                }
                Self::Host(host) => host.freeze(),
                Self::None
                | Self::Bool(_)
                | Self::Int(_)
                | Self::BigInt(_)
                | Self::Float(_)
                | Self::String(_)
                | Self::Tuple(_)
                | Self::Range(_)
                | Self::StringIterable(_)
                | Self::Function(_)
                | Self::Builtin(_)
                | Self::Struct(_)
                | Self::Module(_) => {}
            }
        }
    }
}

/// Adds the values that can contain others. There is nothing to freeze in the rest.
fn add<'a>(open: &mut Vec<Value>, values: impl IntoIterator<Item = &'a Value>) {
    open.extend(values.into_iter().filter(|it| it.nests()).cloned());
}
