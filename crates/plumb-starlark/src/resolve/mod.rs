//! Resolves the meaning of every name, before the program runs.
//!
//! A name that is assigned in a function is local in the whole function. At the top level, a later
//! assignment does not change the meaning of an earlier use. Functions see the variables of
//! enclosing functions, and the final values of the module's variables.

mod scope;
mod walk;

use crate::error::Error;
use crate::piece::Script;
use crate::syntax::ast::{Ast, FunctionId, Ident, Symbol};
use crate::{Environment, Value};

/// The meaning of the names of a program.
pub(crate) struct Resolved {
    pub(crate) bindings: Vec<Binding>,
    /// The binding of each [`Ident`], by its number.
    idents: Vec<BindingId>,
    /// The scope of each function, by [`FunctionId`].
    pub(crate) functions: Vec<Scope>,
    /// Variables of the module that are not global: of `load` and of comprehensions.
    pub(crate) module_locals: Vec<BindingId>,
    pub(crate) globals: Vec<BindingId>,
    /// Built-in values that the program uses.
    pub(crate) constants: Vec<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct BindingId(pub(crate) u32);

pub(crate) struct Binding {
    pub(crate) name: Symbol,
    pub(crate) kind: Kind,
    /// Whether the variable may be assigned more than once in its lifetime.
    pub(crate) changes: bool,
    assignments: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A variable of the surrounding function, by its index there.
    Local(u32),
    /// A variable that an inner function also uses.
    Shared(u32),
    /// A variable of an outer function, by its index among the captured ones.
    Free(u32),
    /// A variable of the module that only its top level uses.
    Global(u32),
    /// A variable of the module that functions also use.
    SharedGlobal(u32),
    Constant(u32),
    Undefined,
}

/// The variables of one function.
#[derive(Default)]
pub(crate) struct Scope {
    /// Parameters first, `*args` and `**kwargs` last among them.
    pub(crate) locals: Vec<BindingId>,
    /// The bindings of the surrounding function that are captured.
    pub(crate) free: Vec<BindingId>,
    pub(crate) params: u32,
    pub(crate) keyword_only: u32,
    pub(crate) varargs: bool,
    pub(crate) kwargs: bool,
}

impl Resolved {
    pub(crate) fn binding(&self, id: BindingId) -> &Binding {
        &self.bindings[id.0 as usize]
    }

    pub(crate) fn of_ident(&self, ident: Ident) -> &Binding {
        self.binding(self.idents[ident.number as usize])
    }

    /// Returns the number of an ident's binding. Returns `None` for a name that was not visited.
    pub(crate) fn binding_of(&self, ident: Ident) -> Option<BindingId> {
        let id = self.idents[ident.number as usize];
        (id.0 != u32::MAX).then_some(id)
    }

    pub(crate) fn scope(&self, function: FunctionId) -> &Scope {
        &self.functions[function.0 as usize]
    }
}

/// Resolves the names of a program that may have errors, for editors.
pub(crate) fn resolve_past_errors(
    ast: &Ast,
    script: &Script,
    environment: &Environment,
) -> (Resolved, Notes) {
    scope::Resolver::new(ast, script, environment).run_past_errors()
}

/// Additional information about names for editors.
#[derive(Default)]
pub(crate) struct Notes {
    /// The numbers of the [`Ident`]s that are assigned to.
    pub(crate) definitions: Vec<u32>,
    /// Each binding by which a function sees an outer variable, and the binding of that variable.
    pub(crate) captures: Vec<(BindingId, BindingId)>,
}

/// Resolves the names of a program, and reports all errors.
pub(crate) fn resolve(
    ast: &Ast,
    script: &Script,
    environment: &Environment,
) -> Result<Resolved, Vec<Error>> {
    scope::Resolver::new(ast, script, environment).run()
}
