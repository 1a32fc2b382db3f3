//! Rules that are functions of two parameters, like those of `@overlay/assert`: the left argument
//! is the value, the right one is the value of the node in the schema.

use std::any::Any;
use std::sync::Arc;

use plumb_source::Span;
use plumb_validation::{Assertion, Validation};
use plumb_value::{CallError, Callable, Datum, Node};

/// Passes the value of the annotated node to the rules of a validation that take two parameters.
pub(super) fn bind(validation: &mut Validation, sample: &Node) {
    for rule in &mut validation.rules {
        if let Assertion::Function(function) = &mut rule.assertion
            && function.required_arity() == Some(2)
        {
            let of_two = Arc::clone(function);
            *function = Arc::new(WithSample { of_two, sample: sample.clone() });
        }
    }
}

/// A function of two parameters. The second argument is known.
#[derive(Debug)]
struct WithSample {
    of_two: Arc<dyn Callable>,
    sample: Node,
}

impl Callable for WithSample {
    fn name(&self) -> &str {
        self.of_two.name()
    }

    fn arity(&self) -> Option<usize> {
        Some(1)
    }

    fn call(&self, mut args: Vec<Datum>) -> Result<Datum, CallError> {
        args.push(Datum::Node(self.sample.clone()));
        self.of_two.call(args)
    }

    fn span(&self) -> Option<Span> {
        self.of_two.span()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
