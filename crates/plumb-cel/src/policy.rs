//! Expressions of admission policies, checked before there is a request.

use std::sync::Arc;

use crate::declared::{Declared, DeclaredKey};
use crate::types::Type;
use crate::{CompileError, Gives, check, infer, parse};

/// The variables that the expressions of one policy may use.
#[derive(Debug)]
pub struct PolicyVariables {
    request: Arc<Declared>,
    /// The policy's own variables, by name, with their types.
    own: Vec<(String, Type)>,
}

/// The variables of every policy. `variables` has the policy's own.
const NAMES: [&str; 6] =
    ["object", "oldObject", "request", "params", "namespaceObject", "variables"];

impl PolicyVariables {
    /// The variables of a policy that does not define any itself.
    pub fn new() -> Self {
        Self { request: Arc::new(request()), own: Vec::new() }
    }

    /// Adds a variable of the policy, which later expressions can use.
    ///
    /// # Errors
    ///
    /// If an API server would reject the expression. The variable is then known with any type.
    pub fn define(&mut self, name: &str, source: &str) -> Result<(), CompileError> {
        let found = self.infer(source, None);
        let ty = found.as_ref().map_or(Type::Dyn, Type::clone);
        self.own.push((name.to_owned(), ty));
        found.map(drop)
    }

    /// Checks the names, calls and types of an expression.
    ///
    /// # Errors
    ///
    /// If an API server would reject the expression.
    pub fn check(&self, source: &str, gives: Gives) -> Result<(), CompileError> {
        let wanted = match gives {
            Gives::Truth => Type::Bool,
            Gives::Text => Type::String,
        };
        self.infer(source, Some(&wanted)).map(drop)
    }

    fn infer(&self, source: &str, wanted: Option<&Type>) -> Result<Type, CompileError> {
        let mut root = parse::parse(source)?;
        check::check(&mut root, &NAMES)?;
        let own = self.own.iter().map(|(name, ty)| DeclaredKey {
            name: name.clone(),
            value: declared(ty),
            is_sent: false,
        });
        let own = Type::of(&Arc::new(Declared::object(own)));
        let types = NAMES.map(|name| match name {
            "request" => Type::of(&self.request),
            "variables" => own.clone(),
            _ => Type::Dyn,
        });
        infer::type_of(&root, types.into(), wanted)
    }
}

impl Default for PolicyVariables {
    fn default() -> Self {
        Self::new()
    }
}

/// What is known about the values of a type. Types that no schema can declare are checked at run
/// time.
fn declared(ty: &Type) -> Declared {
    match ty {
        Type::Bool => Declared::boolean(),
        Type::Int => Declared::integer(),
        Type::Double => Declared::number(),
        Type::String => Declared::string(None, &[]),
        Type::List(item) => Declared::list(declared(item), None),
        Type::Map(entry) if matches!(entry.0, Type::String) => {
            Declared::map(declared(&entry.1), None)
        }
        _ => Declared::dynamic(None),
    }
}

/// The admission request, with the fields of Kubernetes.
fn request() -> Declared {
    let text = || Declared::string(None, &[]);
    let of = |keys: Vec<(&str, Declared)>| {
        let keys = keys.into_iter();
        Declared::object(keys.map(|(name, value)| DeclaredKey {
            name: name.to_owned(),
            value,
            is_sent: false,
        }))
    };
    let kind = || of(vec![("group", text()), ("version", text()), ("kind", text())]);
    let resource = || of(vec![("group", text()), ("version", text()), ("resource", text())]);
    let user = of(vec![
        ("username", text()),
        ("uid", text()),
        ("groups", Declared::list(text(), None)),
        ("extra", Declared::map(Declared::list(text(), None), None)),
    ]);
    of(vec![
        ("kind", kind()),
        ("resource", resource()),
        ("subResource", text()),
        ("requestKind", kind()),
        ("requestResource", resource()),
        ("requestSubResource", text()),
        ("name", text()),
        ("namespace", text()),
        ("operation", text()),
        ("userInfo", user),
        ("dryRun", Declared::boolean()),
        ("options", Declared::dynamic(None)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_policies_are_checked() {
        let mut variables = PolicyVariables::new();
        variables.define("name", "object.metadata.name").expect("it compiles");
        variables.define("many", "size(object.spec.items) > 3").expect("it compiles");
        let check = |source: &str| variables.check(source, Gives::Truth);
        for source in [
            "object.spec.replicas <= 5",
            "variables.many",
            "variables.name.startsWith('a')",
            "request.userInfo.username == 'admin' || request.dryRun",
            "request.dryRun",
            "oldObject == null || params.data['x'] == namespaceObject.metadata.name",
        ] {
            check(source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
        }
        for source in [
            "object.spec.replicas",
            "objekt.spec == 1",
            "request.user == 'a'",
            "variables.nmae == 'a'",
            "self == 1",
            "object.x == ",
            "variables.name + 1 == 2 && variables.many == 1",
        ] {
            assert!(check(source).is_err(), "{source}");
        }
        variables.check("'at most ' + string(5)", Gives::Text).expect("it is a text");
        assert!(variables.check("object.metadata.name", Gives::Text).is_err());
    }
}
