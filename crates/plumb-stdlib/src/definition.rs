//! The tables that define built-in modules: each member with its documentation, which editors show.

use std::sync::Arc;

use plumb_source::Text;
use plumb_starlark::{Args, Doc, Module, Result, Thread, Value};

use crate::arguments::function;

/// A built-in module. `C` is the context of its members: the modules of this crate have none, and
/// that of `data` and `library` is the file that loads them.
pub struct ModuleDefinition<C: 'static = ()> {
    /// `json` for `@ytt:json`.
    pub name: &'static str,
    /// What the module is for, in a few words.
    pub summary: &'static str,
    pub members: &'static [Member<C>],
}

/// A function or value of a module.
pub struct Member<C: 'static = ()> {
    doc: Doc,
    content: Content<C>,
}

type NativeFn = fn(&mut Thread<'_>, &Args<'_>) -> Result<Value>;

enum Content<C> {
    Function(NativeFn),
    Created(fn(&Doc, &C) -> Value),
}

/// The documentation of a built-in module.
#[derive(Clone, Debug)]
pub struct ModuleDoc {
    /// `json` for `@ytt:json`.
    pub name: &'static str,
    /// What the module is for, in a few words.
    pub summary: &'static str,
    pub members: Vec<Doc>,
}

impl<C> ModuleDefinition<C> {
    /// Creates the module.
    pub fn module(&self, context: &C) -> Value {
        let members = self.members.iter().map(|it| (Text::from(it.doc.name()), it.value(context)));
        Value::Module(Arc::new(Module::new(self.name, members)))
    }

    /// Returns the documentation of the module and its members.
    pub fn doc(&self) -> ModuleDoc {
        let members = self.members.iter().map(|it| it.doc).collect();
        ModuleDoc { name: self.name, summary: self.summary, members }
    }
}

impl<C> Member<C> {
    /// Defines a function. Its errors begin with its full name.
    pub const fn function(
        signature: &'static str,
        summary: &'static str,
        native: NativeFn,
    ) -> Self {
        Self { doc: Doc::new(signature, summary), content: Content::Function(native) }
    }

    /// Defines a member that is created when the module is loaded.
    pub const fn created(
        signature: &'static str,
        summary: &'static str,
        create: fn(&Doc, &C) -> Value,
    ) -> Self {
        Self { doc: Doc::new(signature, summary), content: Content::Created(create) }
    }

    fn value(&self, context: &C) -> Value {
        match self.content {
            Content::Function(native) => function(self.doc.full_name(), native),
            Content::Created(create) => create(&self.doc, context),
        }
    }
}
