//! The names that are defined in every program.

mod convert;
mod number;
mod objects;
mod sequences;
mod sort;

pub use number::FloatError;

pub(crate) use sequences::{add_items, collect, update_dict};

use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;
use plumb_source::Text;

use crate::Value;
use crate::args::Args;
use crate::error::Result;
use crate::value::Builtin;
use crate::vm::Thread;

/// The names that a program may use without defining them.
#[derive(Clone)]
pub struct Environment {
    names: HashMap<Text, Value>,
}

type NativeFn = fn(&mut Thread<'_>, &Args<'_>) -> Result<Value>;

const FUNCTIONS: &[(&str, NativeFn)] = &[
    ("all", sequences::all),
    ("any", sequences::any),
    ("bool", convert::bool),
    ("chr", convert::chr),
    ("dict", sequences::dict),
    ("dir", objects::dir),
    ("enumerate", sequences::enumerate),
    ("fail", objects::fail),
    ("float", convert::float),
    ("getattr", objects::getattr),
    ("hasattr", objects::hasattr),
    ("hash", convert::hash),
    ("int", convert::int),
    ("len", sequences::len),
    ("list", sequences::list),
    ("max", sequences::max),
    ("min", sequences::min),
    ("ord", convert::ord),
    ("print", objects::print),
    ("range", sequences::range),
    ("repr", convert::repr),
    ("reversed", sequences::reversed),
    ("set", sequences::set),
    ("sorted", sequences::sorted),
    ("str", convert::str),
    ("tuple", sequences::tuple),
    ("type", convert::type_),
    ("zip", sequences::zip),
];

/// Functions that read only the head of their arguments.
const CONSTANT: &[&str] = &["bool", "getattr", "hasattr", "len", "range", "type"];

static STANDARD: LazyLock<Environment> = LazyLock::new(|| {
    let functions = FUNCTIONS.iter().map(|&(name, native)| {
        let builtin = Builtin::new(name, native);
        let is_constant = CONSTANT.contains(&name);
        let builtin = if is_constant { builtin.constant() } else { builtin };
        (Text::from(name), Value::Builtin(Arc::new(builtin)))
    });
    let constants = [
        (Text::from("None"), Value::None),
        (Text::from("True"), Value::Bool(true)),
        (Text::from("False"), Value::Bool(false)),
    ];
    Environment { names: constants.into_iter().chain(functions).collect() }
});

impl Environment {
    /// The names of the language itself. They are the same values for all programs, so that `len ==
    /// len` is true across modules.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// Returns the environment with one more name.
    #[must_use]
    pub fn with(mut self, name: impl Into<Text>, value: Value) -> Self {
        self.names.insert(name.into(), value);
        self
    }

    /// Returns the value of a name. Returns `None` if the name is not defined.
    pub fn get(&self, name: &Text) -> Option<&Value> {
        self.names.get(name)
    }
}
