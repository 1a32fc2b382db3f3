//! Built-in rules as values of the template language: the results of functions such as
//! `assert.min(5)`.

use std::any::Any;
use std::sync::Arc;

use plumb_diagnostic::Facts;
use plumb_source::message::{Positional, WantedCount, WrongCall, argument_count};
use plumb_source::{Limit, LimitError, Message, Origin, message};
use plumb_value::{Array, ArrayItem, CallError, Callable, Datum, Node, Opaque};

use crate::{Constraint, Cost, Shortfall, Verdict, Work};

/// An assertion object. Used as a rule, it has its own messages, and exports can translate it. Its
/// `check` can be called from the language like any other function.
#[derive(Clone, Debug)]
pub struct AssertionObject {
    pub constraint: Arc<Constraint>,
    size: usize,
}

impl From<Constraint> for AssertionObject {
    fn from(constraint: Constraint) -> Self {
        let size = constraint.size();
        Self { constraint: Arc::new(constraint), size }
    }
}

/// The `check` of an [`AssertionObject`]: returns `True`, or fails with a [`CheckFailed`].
#[derive(Debug)]
struct Check(Arc<Constraint>);

/// The failure of an [`AssertionObject`] whose rule is broken by the checked value.
#[derive(Clone, Debug)]
pub struct CheckFailed {
    pub constraint: Arc<Constraint>,
    pub shortfall: Shortfall,
}

impl CheckFailed {
    /// What was expected, and what was found.
    pub(crate) fn message(&self) -> Message {
        let Self { constraint, shortfall } = self;
        message!("expected {}; {}", constraint.description(), constraint.failure(shortfall))
    }
}

impl Opaque for AssertionObject {
    fn type_name(&self) -> &'static str {
        "@ytt:assert.assertion"
    }

    fn method(&self, name: &str) -> Option<Arc<dyn Callable>> {
        self.as_function().filter(|_| name == "check")
    }

    /// An assertion is a function that validates a value, so calling it calls its `check`.
    fn as_function(&self) -> Option<Arc<dyn Callable>> {
        Some(Arc::new(Check(Arc::clone(&self.constraint))))
    }

    fn method_names(&self) -> &[&'static str] {
        &["check"]
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn size(&self) -> usize {
        self.size
    }

    fn repr(&self) -> String {
        "struct(...)".to_owned()
    }
}

impl Check {
    /// All checks except one look like functions of the language, so their messages differ.
    fn wrong_count(&self, given: usize) -> Message {
        let Some(parameter) = self.parameter() else {
            return message!("check: {}", argument_count(WantedCount::Of(1), given));
        };
        let function = "lambda".to_owned();
        let call = match given {
            0 => WrongCall::Missing { function, parameters: vec![parameter.to_owned()] },
            _ => WrongCall::TooMany { function, wanted: Positional::Exactly(1), found: given },
        };
        call.into()
    }

    /// A value whose type the rule does not support is a mistake of the caller.
    fn failed(&self, shortfall: Shortfall) -> CallError {
        let is_mistake =
            matches!(shortfall, Shortfall::NoLength(_) | Shortfall::Incomparable { .. });
        let failed = CheckFailed { constraint: Arc::clone(&self.0), shortfall };
        let message = failed.message();
        CallError {
            is_deliberate: !is_mistake,
            facts: Some(Facts::new(failed)),
            ..CallError::new(message)
        }
    }
}

/// Returns the value to validate. Documents are converted to a list of their values.
fn plain(value: &Datum) -> Option<Node> {
    let Datum::Documents(documents) = value else {
        return value.to_node();
    };
    let items = documents.iter().map(|it| ArrayItem::new(it.node.clone(), it.origin));
    Some(Node::array(Array::new(items.collect(), Origin::Unknown)))
}

impl Callable for Check {
    fn name(&self) -> &'static str {
        "check"
    }

    fn arity(&self) -> Option<usize> {
        Some(1)
    }

    fn parameter(&self) -> Option<&'static str> {
        Some(match &*self.0 {
            Constraint::OneNotNull(_) => return None,
            Constraint::MinLen(_) | Constraint::MaxLen(_) | Constraint::Len(_) => "sequence",
            Constraint::Min(_) | Constraint::Max(_) | Constraint::OneOf(_) => "val",
            _ => "value",
        })
    }

    fn built_in_code(&self) -> Option<&'static str> {
        Some(match &*self.0 {
            Constraint::Min(_) => "assert.min",
            Constraint::Max(_) => "assert.max",
            Constraint::MinLen(_) => "assert.min_len",
            Constraint::MaxLen(_) => "assert.max_len",
            Constraint::NotNull => "assert.not_null",
            Constraint::OneOf(_) => "assert.one_of",
            _ => return None,
        })
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        self.call_counted(args, &|_| Ok(()))
    }

    fn call_counted(
        &self,
        args: Vec<Datum>,
        pay: &dyn Fn(u64) -> Result<(), LimitError>,
    ) -> Result<Datum, CallError> {
        let [value] = args.as_slice() else {
            return Err(CallError::new(self.wrong_count(args.len())));
        };
        let Some(value) = plain(value) else {
            // Everything else is not null either.
            if let Constraint::NotNull = *self.0 {
                return Ok(Datum::Node(Node::Bool(true)));
            }
            let message =
                message!("check: expected a value, {}", message::found(value.type_name()));
            return Err(CallError::new(message));
        };
        let meter = |cost: Cost| pay(cost.steps);
        let verdict = Work::within(&meter, |work| self.0.check_within(&value, work))
            .map_err(CallError::limit)?;
        match verdict {
            Verdict::Holds => Ok(Datum::Node(Node::Bool(true))),
            Verdict::Inapplicable(inapplicable) if inapplicable.is_limit => {
                let message = inapplicable.problem;
                Err(CallError::limit(LimitError { limit: Limit::Fixed, message }))
            }
            Verdict::Inapplicable(inapplicable) => Err(CallError::new(inapplicable.problem)),
            Verdict::Broken(shortfall) => Err(self.failed(shortfall)),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, args: &[Node]) -> Result<AssertionObject, String> {
        let args: Vec<Datum> = args.iter().cloned().map(Datum::Node).collect();
        AssertionObject::new(name, &args).map_err(|it| it.shown().to_owned())
    }

    fn checked(name: &str, args: &[Node], value: Node) -> Result<(), String> {
        let check = made(name, args)?.method("check").expect("an assertion has a check");
        check
            .call(vec![Datum::Node(value)])
            .map(drop)
            .map_err(|error| error.message.shown().to_owned())
    }

    #[test]
    fn a_check_passes_or_fails() {
        assert_eq!(checked("min", &[Node::Int(5)], Node::Int(5)), Ok(()));
        assert_eq!(
            checked("min", &[Node::Int(5)], Node::Int(4)),
            Err("expected at least 5; found a smaller value".into())
        );
        assert_eq!(
            checked("max", &["b".into()], "c".into()),
            Err("expected at most \"b\"; found a larger value".into())
        );
        assert_eq!(
            checked("min_len", &[Node::Int(3)], "ab".into()),
            Err("expected a length of at least 3; found a shorter value".into())
        );
        assert_eq!(
            checked("not_null", &[], Node::Null),
            Err("expected a value that is not null; found null".into())
        );
        assert_eq!(
            checked("one_of", &["a".into(), "b".into()], "c".into()),
            Err("expected one of (\"a\", \"b\"); found another value".into())
        );
        assert_eq!(
            checked("one_not_null", &[], "c".into()),
            Err("expected exactly one of its keys to be not null; found a string".into())
        );
        assert_eq!(
            checked("min", &[Node::Int(5)], "x".into()),
            Err("expected at least 5; found a string, which cannot be compared with it".into())
        );
        assert_eq!(
            checked("odd", &[], Node::Int(2)),
            Err("expected an odd number; found a number that is not".into())
        );
        let check = AssertionObject::from(Constraint::NotNull).method("check").expect("a check");
        let error = check.call(Vec::new()).map(drop).expect_err("no argument");
        assert_eq!(error.message.shown(), "function lambda: expected 1 more argument: value");
    }

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        let refused = |name, args: &[Node]| made(name, args).map(drop).expect_err("a refusal");
        assert_eq!(refused("min", &[]), "expected 1 argument, found 0");
        assert_eq!(
            refused("min_len", &["x".into()]),
            "expected value to be a number, found string"
        );
        assert_eq!(refused("one_of", &["x".into()]), "expected a sequence, found string");
        assert_eq!(refused("one_of", &[]), "expected at least 1 argument, found 0");
        assert_eq!(refused("one_not_null", &[Node::Bool(false)]), "one_not_null() cannot be False");
        assert_eq!(
            refused("one_not_null", &[Node::Int(1)]),
            "expected a sequence of keys, found int"
        );
        assert_eq!(refused("even", &[Node::Int(1)]), "expected 0 arguments, found 1");
    }
}
