//! Our rules as values of the template language: what `assert.min(5)` returns.

use std::any::Any;
use std::sync::Arc;

use plumb_value::{CallError, Callable, Datum, Node, Opaque};

use crate::{Constraint, Verdict};

/// An assertion object. Where it is used as a rule it brings its own words, and exports keep its
/// meaning; its `check` can be called from the language like any other function.
#[derive(Clone, Debug)]
pub struct AssertionObject(pub Constraint);

/// The `check` of an [`AssertionObject`]: returns `True`, or fails.
#[derive(Debug)]
struct Check(Constraint);

impl Opaque for AssertionObject {
    fn type_name(&self) -> &'static str {
        "@ytt:assert.assertion"
    }

    fn method(&self, name: &str) -> Option<Arc<dyn Callable>> {
        (name == "check").then(|| Arc::new(Check(self.0.clone())) as Arc<dyn Callable>)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Callable for Check {
    fn name(&self) -> &'static str {
        "check"
    }

    fn arity(&self) -> Option<usize> {
        Some(1)
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        let [Datum::Node(value)] = args.as_slice() else {
            let message = format!("check: got {} arguments, want 1", args.len());
            return Err(CallError::new(message));
        };
        match self.0.judge(value) {
            Verdict::Holds => Ok(Datum::Node(Node::Bool(true))),
            Verdict::Broken { failure, raised_as: "" } => Err(CallError::new(failure.as_peer())),
            Verdict::Broken { failure, raised_as } => {
                Err(CallError::deliberate(format!("{raised_as}{}", failure.as_peer())))
            }
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
