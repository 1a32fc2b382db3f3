//! Functions that are not written in the language.

use plumb_source::Text;

use super::Value;
use crate::args::Args;
use crate::error::Result;
use crate::language::Language;
use crate::vm::Thread;

/// A native function.
pub struct Builtin {
    name: Text,
    native: Box<Native>,
    is_constant: bool,
}

/// The type of a native function. It gets the thread, through which it can call functions of the
/// program, and the arguments of the call.
type Native = dyn Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync;

impl Builtin {
    /// A function of this name that runs native code.
    pub fn new(
        name: impl Into<Text>,
        native: impl Fn(&mut Thread<'_>, &Args<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), native: Box::new(native), is_constant: false }
    }

    /// Marks the function as taking constant time: calls are not charged for the size of their
    /// arguments.
    #[must_use]
    pub fn constant(self) -> Self {
        Self { is_constant: true, ..self }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// Returns the name of the function.
    pub fn name(&self) -> &Text {
        &self.name
    }

    pub(crate) fn call(&self, thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
        (self.native)(thread, args)
    }
}

/// A method of a built-in type, bound to the value it was taken from.
pub struct Method {
    pub(crate) receiver: Value,
    pub(crate) definition: &'static MethodDefinition,
}

/// One entry in the table of methods of a built-in type.
pub(crate) struct MethodDefinition {
    pub(crate) name: &'static str,
    pub(crate) native: fn(&mut Thread<'_>, &Value, &Args<'_>) -> Result<Value>,
    pub(crate) reads: Reads,
    /// For a method that stores its only argument: a variant that takes the argument by value,
    /// which saves a reference count.
    pub(crate) keeps: Option<KeepingMethod>,
    /// Whether ytt does not have it.
    is_modern: bool,
}

/// A method with one argument, which it stores.
type KeepingMethod = fn(&mut Thread<'_>, &Value, Value) -> Result<()>;

/// The values that a method reads completely. A call is charged for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Neither the receiver nor the arguments: the time does not depend on their size.
    Nothing,
    /// Arguments that are text, such as keys that it hashes. It counts elements itself.
    Keys,
    Arguments,
    /// Its receiver and its arguments.
    All,
}

impl MethodDefinition {
    /// A method that reads its receiver and its arguments completely.
    pub(crate) const fn new(
        name: &'static str,
        native: fn(&mut Thread<'_>, &Value, &Args<'_>) -> Result<Value>,
    ) -> Self {
        Self { name, native, reads: Reads::All, keeps: None, is_modern: false }
    }

    /// Marks the method as one that ytt does not have.
    pub(crate) const fn modern(mut self) -> Self {
        self.is_modern = true;
        self
    }

    /// Adds the variant of a method that stores its only argument without reading it.
    pub(crate) const fn keeping(mut self, keeps: KeepingMethod) -> Self {
        self.keeps = Some(keeps);
        self.reads = Reads::Nothing;
        self
    }

    /// Returns whether a language has the method.
    pub(crate) fn is_in(&self, language: Language) -> bool {
        !self.is_modern || language == Language::Modern
    }

    /// Sets what the method reads.
    pub(crate) const fn reading(mut self, reads: Reads) -> Self {
        self.reads = reads;
        self
    }
}

impl Method {
    /// Returns the name of the method.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Returns the value that the method is bound to.
    pub fn receiver(&self) -> &Value {
        &self.receiver
    }
}
