//! The methods of the built-in types.

mod dict;
mod list;
mod set;
mod string;

use std::sync::LazyLock;

use plumb_source::Text;

use crate::Value;
use crate::args::Args;
use crate::error::Result;
use crate::language::Language;
use crate::value::builtin::{MethodDefinition, Reads};
use crate::vm::Thread;

/// The name of a method of some built-in type, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MethodId(u8);

type NativeMethod = fn(&mut Thread<'_>, &Value, &Args<'_>) -> Result<Value>;

const fn method(name: &'static str, native: NativeMethod) -> MethodDefinition {
    MethodDefinition::new(name, native)
}

/// A method of a collection.
const fn of_elements(name: &'static str, native: NativeMethod) -> MethodDefinition {
    MethodDefinition::new(name, native).reading(Reads::Keys)
}

/// All method names, ascending. A [`MethodId`] is an index into it.
static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = [dict::METHODS, list::METHODS, set::METHODS, string::METHODS];
    let mut names: Vec<&str> = all.iter().flat_map(|it| it.iter()).map(|it| it.name).collect();
    names.sort_unstable();
    names.dedup();
    names
});

/// For each type, its method by [`MethodId`].
static BY_ID: LazyLock<[Vec<Option<&'static MethodDefinition>>; 4]> = LazyLock::new(|| {
    [string::METHODS, list::METHODS, dict::METHODS, set::METHODS].map(|methods| {
        NAMES.iter().map(|name| methods.iter().find(|it| it.name == *name)).collect()
    })
});

impl MethodId {
    pub(crate) fn of(name: &Text) -> Option<Self> {
        let at = NAMES.binary_search(&name.as_str()?).ok()?;
        Some(Self(u8::try_from(at).expect("there are few methods")))
    }
}

/// The methods of a value, by name.
pub(crate) fn of(
    value: &Value,
    language: Language,
) -> impl Iterator<Item = &'static MethodDefinition> {
    let methods: &[MethodDefinition] = match value {
        Value::String(_) => string::METHODS,
        Value::List(_) => list::METHODS,
        Value::Dict(_) => dict::METHODS,
        Value::Set(_) => set::METHODS,
        _ => &[],
    };
    methods.iter().filter(move |it| it.is_in(language))
}

pub(crate) fn find(
    value: &Value,
    name: &Text,
    language: Language,
) -> Option<&'static MethodDefinition> {
    by_id(value, MethodId::of(name), language)
}

pub(crate) fn by_id(
    value: &Value,
    id: Option<MethodId>,
    language: Language,
) -> Option<&'static MethodDefinition> {
    let table = match value {
        Value::String(_) => 0,
        Value::List(_) => 1,
        Value::Dict(_) => 2,
        Value::Set(_) => 3,
        _ => return None,
    };
    BY_ID[table][id?.0 as usize].filter(|it| it.is_in(language))
}
