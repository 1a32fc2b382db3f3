//! Rules in the Common Expression Language (CEL), with what Kubernetes adds to it for the
//! `x-kubernetes-validations` of its resources.
//!
//! A [`Program`] is an expression that was read and checked: its names are known, its functions get
//! as many arguments as they take, its regular expressions compile. [`Program::holds`] evaluates it
//! with a value as `self`, in place, nothing copied. Both tell what is wrong by a range of the
//! expression's text, and never quote a value, which may be secret.
//!
//! **Invariant:** whatever the expression and the value, evaluation ends: each step of it, and each
//! character or item that a function looks at, is paid for from a budget. An expression nests only
//! so deep, so that neither reading nor evaluating it takes much stack.

mod ast;
mod check;
mod comprehension;
mod error;
mod evaluate;
mod functions;
mod macros;
mod operate;
mod parse;
mod quote;
mod token;
mod value;

pub use error::{CompileError, Fault, FaultKind};
pub use quote::{field_name, literal, quoted};

use plumb_value::Node;

use crate::value::Value;

/// The steps that one evaluation may take: what Kubernetes lets one rule cost.
pub const STEP_LIMIT: u64 = 1_000_000;

/// An expression that is ready to be evaluated.
#[derive(Debug)]
pub struct Program {
    source: String,
    root: ast::Expr,
    knows: Knows,
}

/// Which variables an expression knows besides `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knows {
    Value,
    /// `oldSelf` too, an optional: what the value was before.
    Before,
}

impl Program {
    pub fn compile(source: &str) -> Result<Self, CompileError> {
        Self::knowing(Knows::Value, source)
    }

    /// An expression that also knows `oldSelf`, an optional (`optionalOldSelf`). It is evaluated
    /// for values that were not there before.
    pub fn compile_for_new(source: &str) -> Result<Self, CompileError> {
        Self::knowing(Knows::Before, source)
    }

    fn knowing(knows: Knows, source: &str) -> Result<Self, CompileError> {
        let names: &[&str] = match knows {
            Knows::Value => &["self"],
            Knows::Before => &["self", "oldSelf"],
        };
        let mut root = parse::parse(source)?;
        check::check(&mut root, names)?;
        Ok(Self { source: source.to_owned(), root, knows })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the expression is true of a value, its `self`.
    pub fn holds(&self, value: &Node) -> Result<bool, Fault> {
        let mut variables = vec![Value::of(value)];
        if self.knows == Knows::Before {
            variables.push(Value::Optional(None));
        }
        evaluate::holds(&self.root, &self.source, variables, STEP_LIMIT)
    }
}
