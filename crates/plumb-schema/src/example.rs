//! Finds examples that break the rules of their field.

use plumb_diagnostic::Diagnostic;
use plumb_validation::{ALTERNATIVES, RULE_BROKEN, Validation, Work, check_declared};
use plumb_value::{DataPath, Node, Step};

use crate::compile::EXAMPLE_MISMATCH;
use crate::conform::conform_value;
use crate::field::{Example, Field, Schema, Type};

impl Schema {
    /// Returns a finding for each example that breaks a rule. ytt only compares their types.
    pub fn invalid_examples(&self, work: &Work<'_>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        find(self.root(), &mut DataPath::root(), work, &mut found);
        found
    }
}

fn find(field: &Field, path: &mut DataPath, work: &Work<'_>, found: &mut Vec<Diagnostic>) {
    // An example has no context that a condition could read.
    if !field.docs.examples.is_empty()
        && !field.any(&|it| it.validations.iter().any(Validation::looks_around))
    {
        let examples = field.docs.examples.iter();
        found.extend(examples.flat_map(|example| broken_rules(field, path, example, work)));
    }
    match &field.ty {
        Type::Map(ty) => {
            for (key, field) in ty.entries() {
                path.push(Step::of_key(key));
                find(field, path, work, found);
                path.pop();
            }
            if let Some(field) = ty.any_key() {
                find(field, path, work, found);
            }
        }
        Type::Array(ty) => {
            path.push(Step::Index(0));
            find(&ty.item, path, work, found);
            path.pop();
        }
        Type::Choice(choice) => {
            choice.alternatives.iter().for_each(|it| find(it, path, work, found));
        }
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
    }
}

fn broken_rules(
    field: &Field,
    path: &DataPath,
    example: &Example,
    work: &Work<'_>,
) -> Vec<Diagnostic> {
    let (filled, _) = conform_value(field, &example.value, field.origin, work);
    let value: &Node = filled.as_ref().unwrap_or(&example.value);
    let key = path.steps().last().map_or_else(|| "0".to_owned(), Step::to_string);
    let violations = check_declared(field, &key, path, value, work);
    let broken = violations.into_iter().filter(|it| [RULE_BROKEN, ALTERNATIVES].contains(&it.code));
    broken
        .map(|violation| {
            let message =
                plumb_source::message!("an example is not a valid value: {}", violation.message);
            let mut diagnostic = Diagnostic::error(EXAMPLE_MISMATCH, message);
            if let Some(span) = example.span.or_else(|| field.origin.span()) {
                diagnostic = diagnostic.label(span, "this example");
            }
            if let Some(span) = violation.rule.span() {
                diagnostic = diagnostic.label(span, "by this rule");
            }
            diagnostic
        })
        .collect()
}
