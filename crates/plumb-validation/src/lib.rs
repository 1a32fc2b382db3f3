//! Rules, and their violations.
//!
//! A [`Rule`] defines what a valid value is; a [`Validation`] binds rules to a node, as
//! `@schema/validation` and `@assert/validate` do; a [`Violation`] is one value that breaks one
//! rule. [`check`] runs the validations of a document, from the leaves upward, and collects every
//! violation.
//!
//! Every front end that validates values produces [`Violation`]s, and every output format renders a
//! list of them. Functions that users write are
//! [`Callable`](plumb_value::Callable)s; this crate does not depend on their language.
//!
//! Documents are walked by recursion: 10,000 levels need a few megabytes of stack.

mod assertion;
mod carried;
mod cel;
mod check;
mod choice;
mod compare;
mod constraint;
mod contradiction;
mod expression;
mod message;
mod mistyped;
mod multiple;
mod no_rule;
mod parse;
pub mod report;
mod rule;
mod rule_check;
mod value_kind;
mod violation;
mod work;

pub use assertion::{AssertionObject, CheckFailed};
pub use carried::{carries_rules, drop_rules};
pub use cel::{CelImport, CelRule, CelSubject, import_cel};
pub use check::{
    Choice, Declared, Mode, Parents, Undeclared, check, check_declared, check_documents,
    check_rest, check_value, is_stopped, satisfying,
};
pub use choice::{ALTERNATIVES, AlternativeViolations, notes, shortfall};
pub use compare::{Incomparable, compare, is_same_value};
pub use constraint::{Choices, Constraint, Counted, Inapplicable, Shortfall, ValueType, Verdict};
pub use expression::{Expression, Fractions};
pub use message::Message;
pub use mistyped::MistypedPaths;
pub use multiple::Multiple;
pub use no_rule::{NO_RULE, conditions_alone, has_no_rule};
pub use parse::{
    ANNOTATIONS, ASSERT_VALIDATE, AnnotationError, AnnotationErrorKind, LargeInt, MALFORMED,
    RULE_ARGUMENTS, WrongAnnotation,
};
pub use plumb_format::Format;
pub use rule::{
    Assertion, CONDITION_FAILED, CheckedValue, Condition, RULE_BROKEN, RULE_FAILED, RULE_STOPPED,
    Rule, Validation,
};
pub use rule_check::steps;
pub use value_kind::ValueKind;
pub use violation::{Cause, ConditionErrorKind, MISSING_VALUE, Violation};
pub use work::{Cost, Fit, Work};
