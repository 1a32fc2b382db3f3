//! The expressions in admission policies that an API server would reject.

use plumb_cel::{CompileError, Gives, PolicyVariables};
use plumb_source::Origin;
use plumb_value::{Map, Node};

/// An expression of an admission policy that an API server would reject.
#[derive(Clone, Debug)]
pub struct RejectedExpression {
    /// Its path in the policy, such as `spec.validations[0].expression`.
    pub path: String,
    pub expression: String,
    /// Where it was written.
    pub origin: Origin,
    pub error: CompileError,
}

/// Returns the expressions of a `ValidatingAdmissionPolicy` that an API server would reject.
/// Expressions that ask for permissions (`authorizer`) are not checked.
pub fn rejected_expressions(policy: &Node) -> Vec<RejectedExpression> {
    let Some(spec) = policy.as_map().and_then(|it| it.get_str("spec")?.as_map()) else {
        return Vec::new();
    };
    let mut variables = PolicyVariables::new();
    let mut rejected = Vec::new();
    for (at, item) in items(spec, "variables") {
        let name = item.get_str("name").and_then(Node::as_str).unwrap_or_default();
        let found = expression(item, "expression");
        if let Some((source, origin)) = found {
            let path = format!("spec.variables[{at}].expression");
            let result = variables.define(name, source);
            rejected.extend(finding(path, source, origin, result));
        }
    }
    let checked = [
        ("matchConditions", "expression", Gives::Truth),
        ("validations", "expression", Gives::Truth),
        ("validations", "messageExpression", Gives::Text),
        ("auditAnnotations", "valueExpression", Gives::Text),
    ];
    for (list, key, gives) in checked {
        for (at, item) in items(spec, list) {
            let Some((source, origin)) = expression(item, key) else { continue };
            let path = format!("spec.{list}[{at}].{key}");
            rejected.extend(finding(path, source, origin, variables.check(source, gives)));
        }
    }
    rejected
}

fn items<'n>(spec: &'n Map, key: &str) -> impl Iterator<Item = (usize, &'n Map)> {
    let items = spec.get_str(key).and_then(Node::as_array);
    let items = items.into_iter().flat_map(|it| &it.items);
    items.enumerate().filter_map(|(at, item)| Some((at, item.node.as_map()?)))
}

fn expression<'n>(item: &'n Map, key: &str) -> Option<(&'n str, Origin)> {
    let found = item.get(&key.into())?;
    Some((found.node.as_str()?, found.origin))
}

fn finding(
    path: String,
    source: &str,
    origin: Origin,
    result: Result<(), CompileError>,
) -> Option<RejectedExpression> {
    let error = result.err().filter(|_| !source.contains("authorizer"))?;
    Some(RejectedExpression { path, expression: source.to_owned(), origin, error })
}
