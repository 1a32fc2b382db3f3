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
use crate::doc::Doc;
use crate::error::Result;
use crate::language::Language;
use crate::value::Builtin;
use crate::vm::Thread;

/// The names that a program may use without defining them.
#[derive(Clone)]
pub struct Environment {
    names: HashMap<Text, Value>,
    language: Language,
}

type NativeFn = fn(&mut Thread<'_>, &Args<'_>) -> Result<Value>;

/// A function that every program has.
struct Function {
    doc: Doc,
    native: NativeFn,
    /// Whether it only looks at the head of its arguments, so that it takes constant time.
    is_constant: bool,
    /// Whether ytt does not have it.
    is_modern: bool,
}

impl Function {
    const fn new(signature: &'static str, summary: &'static str, native: NativeFn) -> Self {
        Self { doc: Doc::new(signature, summary), native, is_constant: false, is_modern: false }
    }

    const fn constant(mut self) -> Self {
        self.is_constant = true;
        self
    }

    const fn modern(mut self) -> Self {
        self.is_modern = true;
        self
    }
}

const FUNCTIONS: &[Function] = &[
    Function::new("all(values)", "Whether all values are true.", sequences::all),
    Function::new("any(values)", "Whether any value is true.", sequences::any),
    Function::new("bool(x=False)", "The truth of a value.", convert::bool).constant(),
    Function::new("bytes(x)", "The bytes of a string, or of integers.", convert::bytes).modern(),
    Function::new("chr(i)", "The character with a code point.", convert::chr),
    Function::new("dict(pairs=[], **entries)", "A dictionary.", sequences::dict),
    Function::new("dir(x)", "The names of the attributes of a value.", objects::dir),
    Function::new("enumerate(values, start=0)", "Pairs of index and value.", sequences::enumerate),
    Function::new("fail(*messages)", "Stops the run with a message.", objects::fail),
    Function::new("float(x=0.0)", "Converts to a float.", convert::float),
    Function::new("getattr(x, name, default=None)", "The attribute of a name.", objects::getattr)
        .constant(),
    Function::new("hasattr(x, name)", "Whether a value has an attribute.", objects::hasattr)
        .constant(),
    Function::new(
        "hash(x)",
        "A number that is the same for equal strings or bytes.",
        convert::hash,
    ),
    Function::new("int(x, base=10)", "Converts to an integer.", convert::int),
    Function::new("len(x)", "The number of elements or bytes.", sequences::len).constant(),
    Function::new("list(values=[])", "A new list of the values.", sequences::list),
    Function::new("max(*values, key=None)", "The largest value.", sequences::max),
    Function::new("min(*values, key=None)", "The smallest value.", sequences::min),
    Function::new("ord(s)", "The code point of a character.", convert::ord),
    Function::new("print(*values, sep=\" \")", "Prints values to standard error.", objects::print),
    Function::new(
        "range(start, stop, step=1)",
        "The integers from start up to stop, which is left out.",
        sequences::range,
    )
    .constant(),
    Function::new("repr(x)", "A value as it is written in code.", convert::repr),
    Function::new("reversed(values)", "The values in reverse order.", sequences::reversed),
    Function::new("set(values=[])", "A set of the values.", sequences::set),
    Function::new(
        "sorted(values, key=None, reverse=False)",
        "The values in order.",
        sequences::sorted,
    ),
    Function::new("str(x)", "Converts to a string.", convert::str),
    Function::new("tuple(values=())", "A tuple of the values.", sequences::tuple),
    Function::new("type(x)", "The name of the type of a value.", convert::type_).constant(),
    Function::new("zip(*sequences)", "Tuples of the values at the same index.", sequences::zip),
];

const CONSTANTS: &[(Doc, Value)] = &[
    (Doc::new("None", "No value: null in YAML."), Value::None),
    (Doc::new("True", "True."), Value::Bool(true)),
    (Doc::new("False", "False."), Value::Bool(false)),
];

static MODERN: LazyLock<Environment> = LazyLock::new(|| {
    let functions = FUNCTIONS.iter().map(|function| {
        let name = function.doc.name();
        let builtin = Builtin::new(name, function.native);
        let builtin = if function.is_constant { builtin.constant() } else { builtin };
        (Text::from(name), Value::Builtin(Arc::new(builtin)))
    });
    let constants = CONSTANTS.iter().map(|(doc, value)| (Text::from(doc.name()), value.clone()));
    Environment { names: constants.chain(functions).collect(), language: Language::Modern }
});

static YTT: LazyLock<Environment> = LazyLock::new(|| {
    let mut environment = MODERN.clone();
    for function in FUNCTIONS.iter().filter(|it| it.is_modern) {
        environment.names.remove(&Text::from(function.doc.name()));
    }
    Environment { language: Language::Ytt, ..environment }
});

impl Environment {
    /// The names of the language itself. All programs have the same values, so that `len == len` is
    /// true across modules.
    pub fn standard() -> &'static Self {
        Self::of(Language::Modern)
    }

    /// The names of a version of the language. Programs that are compiled with them have that
    /// version.
    pub fn of(language: Language) -> &'static Self {
        match language {
            Language::Modern => &MODERN,
            Language::Ytt => &YTT,
        }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Returns the documentation of the names of the language itself: functions, then constants.
    pub fn standard_docs() -> impl Iterator<Item = Doc> {
        let functions = FUNCTIONS.iter().map(|it| it.doc);
        functions.chain(CONSTANTS.iter().map(|(doc, _)| *doc))
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
