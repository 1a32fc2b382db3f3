//! Names in exported expressions.

use std::collections::HashSet;

/// The virtual machine.
pub(super) const OBJECT: &str = "object";

/// The limits and templates of a policy that has parameters.
pub(super) const PARAMETERS: &str = "params";

/// Names that a variable must not have, because they have a meaning in expressions.
const TAKEN: [&str; 14] = [
    "object", "params", "type", "string", "int", "uint", "double", "bool", "bytes", "list", "map",
    "size", "optional", "request",
];

/// The names of variables of one expression.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A name that no other variable of the expression has.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let wanted = if is_identifier(wanted) { wanted } else { "value" };
        let numbered = (2..).map(|it| format!("{wanted}{it}"));
        let name = std::iter::once(wanted.to_owned())
            .filter(|it| !TAKEN.contains(&it.as_str()))
            .chain(numbered)
            .find(|it| !self.0.contains(it))
            .expect("there is always another number");
        self.0.insert(name.clone());
        name
    }
}

/// Reads a field of a map that may lack it.
pub(super) fn optional_field(name: &str) -> String {
    if is_identifier(name) {
        format!(".?{name}")
    } else {
        format!("[?{}]", plumb_cel::quoted(name))
    }
}

/// Whether a name can be written after a dot, or name a variable.
fn is_identifier(name: &str) -> bool {
    // Kubernetes escapes reserved words, so these differ.
    let is_plain = plumb_cel::field_name(name).is_some_and(|it| it == name);
    is_plain && !name.is_empty()
}
