//! Rules in the Common Expression Language (CEL), with the extensions of Kubernetes for the
//! `x-kubernetes-validations` of its resources.
//!
//! A [`Program`] is an expression that was parsed and checked: its names are known, its functions
//! get the right number of arguments, and its regular expressions compile. [`Program::holds`]
//! evaluates it with a value as `self`, without copying the value. The errors of both contain a
//! range of the expression's text. They never quote a value, which may be secret.
//!
//! **Invariant:** evaluation ends for every expression and value. Each step, and each character or
//! item that a function reads, is charged to a budget. The depth of an expression is limited, so
//! that neither parsing nor evaluating it needs much stack.

mod ast;
mod check;
mod comprehension;
mod cost;
mod declared;
mod error;
mod evaluate;
mod functions;
mod identity;
mod infer;
mod macros;
mod operate;
mod parse;
mod policy;
mod quote;
mod signatures;
mod size;
mod token;
mod types;
mod value;

pub use declared::{Declared, DeclaredKey, Identity};
pub use error::{CompileError, EvaluationError, EvaluationErrorKind};
pub use policy::PolicyVariables;
pub use quote::{field_name, literal, quoted};
pub use signatures::library;

use std::sync::Arc;

use plumb_value::Node;

use crate::types::Type;
use crate::value::Value;

/// The number of steps that one evaluation may take: the cost that Kubernetes allows for one rule.
pub const STEP_LIMIT: u64 = 1_000_000;

/// An expression that is ready to be evaluated.
#[derive(Debug)]
pub struct Program {
    source: String,
    root: ast::Expr,
    knows: Knows,
    pattern_bytes: usize,
}

/// The variables that an expression may use besides `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knows {
    Value,
    /// `oldSelf` too, an optional with the previous value.
    Before,
    /// No `self`, but this many variables that can have any type.
    Named(usize),
}

/// A rule as an API server sees it, before there is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The highest cost of one evaluation.
    pub cost: u64,
    /// Whether the rule is about changes: it uses `oldSelf`.
    pub is_about_change: bool,
}

/// What an expression must return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// True or false: a rule.
    Truth,
    /// A text: a message.
    Text,
}

/// Checks the types of an expression against what a schema declares about its `self`, and estimates
/// its cost, as an API server does. `oldSelf` is known, too; it is optional if `is_old_optional`.
///
/// # Errors
///
/// If the server would reject the expression.
pub fn check(
    source: &str,
    declared: &Arc<Declared>,
    gives: Gives,
    is_old_optional: bool,
) -> Result<Checked, CompileError> {
    let mut root = parse::parse(source)?;
    check::check(&mut root, &["self", "oldSelf"])?;
    let own = Type::of(declared);
    let before = if is_old_optional { Type::optional(own.clone()) } else { own.clone() };
    let wanted = match gives {
        Gives::Truth => Type::Bool,
        Gives::Text => Type::String,
    };
    let types = infer::infer(&root, vec![own, before], &wanted)?;
    let cost = cost::cost(&root, &types, declared, 2);
    Ok(Checked { cost, is_about_change: types.uses(1) })
}

impl Program {
    /// Compiles an expression whose only variable is `self`.
    ///
    /// # Errors
    ///
    /// If the expression is malformed, uses an unknown name, or calls a function with the wrong
    /// number of arguments.
    pub fn compile(source: &str) -> Result<Self, CompileError> {
        Self::knowing(Knows::Value, source)
    }

    /// Compiles an expression that may also use `oldSelf`, an optional (`optionalOldSelf`). It is
    /// evaluated for values that did not exist before.
    ///
    /// # Errors
    ///
    /// The same as those of [`compile`](Self::compile).
    pub fn compile_for_new(source: &str) -> Result<Self, CompileError> {
        Self::knowing(Knows::Before, source)
    }

    /// Compiles an expression with these variables, which can be of any type, as in an admission
    /// policy. Its types are checked, too: it must return true or false.
    ///
    /// # Errors
    ///
    /// If an API server would reject the expression.
    pub fn with_variables(names: &[&str], source: &str) -> Result<Self, CompileError> {
        let program = Self::named(Knows::Named(names.len()), names, source)?;
        infer::type_of(&program.root, vec![Type::Dyn; names.len()], Some(&Type::Bool))?;
        Ok(program)
    }

    fn knowing(knows: Knows, source: &str) -> Result<Self, CompileError> {
        let names: &[&str] = match knows {
            Knows::Value => &["self"],
            Knows::Before => &["self", "oldSelf"],
            Knows::Named(_) => unreachable!("`with_variables` has the names"),
        };
        Self::named(knows, names, source)
    }

    fn named(knows: Knows, names: &[&str], source: &str) -> Result<Self, CompileError> {
        let mut root = parse::parse(source)?;
        let pattern_bytes = check::check(&mut root, names)?;
        Ok(Self { source: source.to_owned(), root, knows, pattern_bytes })
    }

    /// Returns the size of the patterns in the expression, in bytes.
    pub fn pattern_bytes(&self) -> usize {
        self.pattern_bytes
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether the expression is true for a value, its `self`.
    ///
    /// # Errors
    ///
    /// If the expression does not fit the value, or exceeds [`STEP_LIMIT`].
    pub fn holds(&self, value: &Node) -> Result<bool, EvaluationError> {
        self.holds_as(value, None)
    }

    /// Like [`holds`](Self::holds), but also returns how many steps it took.
    pub fn holds_counted(&self, value: &Node) -> (Result<bool, EvaluationError>, u64) {
        let variables = self.variables(value, None);
        evaluate::holds_counted(&self.root, &self.source, variables, STEP_LIMIT)
    }

    /// Returns whether the expression is true for a value that a schema declares: strings with some
    /// formats have their own type, and the order of some lists does not matter.
    ///
    /// # Errors
    ///
    /// The same as those of [`holds`](Self::holds).
    pub fn holds_as(
        &self,
        value: &Node,
        declared: Option<&Declared>,
    ) -> Result<bool, EvaluationError> {
        let variables = self.variables(value, declared);
        evaluate::holds(&self.root, &self.source, variables, STEP_LIMIT)
    }

    /// Returns the message that the expression computes for a value. Returns `None` if the result
    /// is not a text, or if the evaluation fails.
    pub fn text_of(&self, value: &Node, declared: Option<&Declared>) -> Option<String> {
        let variables = self.variables(value, declared);
        match evaluate::result(&self.root, &self.source, variables, STEP_LIMIT) {
            Ok(Value::String(text)) => Some(text.to_string()),
            _ => None,
        }
    }

    fn variables<'a>(&self, value: &'a Node, declared: Option<&'a Declared>) -> Vec<Value<'a>> {
        let mut variables = vec![Value::declared(value, declared)];
        match self.knows {
            Knows::Value => {}
            Knows::Before => variables.push(Value::Optional(None)),
            Knows::Named(_) => unreachable!("an expression without `self` gets its variables"),
        }
        variables
    }

    /// Returns whether the expression is true for the values of its variables, in the order of
    /// their names.
    ///
    /// # Errors
    ///
    /// If the expression does not fit the values, or exceeds [`STEP_LIMIT`].
    ///
    /// # Panics
    ///
    /// If the number of values differs from the number of variables.
    pub fn holds_for(&self, values: &[&Node]) -> Result<bool, EvaluationError> {
        assert_eq!(self.knows, Knows::Named(values.len()), "every variable has a value");
        let variables = values.iter().map(|it| Value::of(it)).collect();
        evaluate::holds(&self.root, &self.source, variables, STEP_LIMIT)
    }
}
