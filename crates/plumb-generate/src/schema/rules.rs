//! Rules in another language, judged by the one core that judges all rules.

use std::sync::Arc;

use plumb_validation::{Assertion, Rule, Validation, Violation, check_value};
use plumb_value::{Callable, DataPath, Node};

use crate::Complaint;

/// What the rules say about a value.
pub(super) fn complaints(rules: &[Arc<dyn Callable>], value: &Node) -> Vec<Complaint> {
    let rules = rules.iter().enumerate().map(|(at, function)| Rule {
        assertion: Assertion::Function(Arc::clone(function)),
        description: None,
        message: None,
        ordinal: at + 1,
    });
    let validation = Validation { rules: rules.collect(), when: None, span: None };
    check_value("value", value, &validation).iter().map(complaint).collect()
}

fn complaint(violation: &Violation) -> Complaint {
    let message = match violation.found.own.as_str() {
        "" => "value not valid",
        found => found,
    };
    // The first step is the name of the value itself.
    let mut field = DataPath::root();
    violation.path.steps().iter().skip(1).for_each(|step| field.push(step.clone()));
    let field = (!field.is_root()).then(|| field.to_string());
    Complaint { field, ..Complaint::new(message) }
}
