//! What to say about a field that a path asks for and the API does not have.

use super::table::{Field, TABLE, Type};
use crate::spell;

/// What is at the end of a way, where something is asked for that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// There is no such field; another is spelt much like it.
    Misspelt(&'static str),
    /// There is no such field.
    Field,
    /// Keys are for the author of a machine to choose, and this one has none of that name.
    Key,
}

/// Follows a way of fields, with `*` for elements of lists, from the machine on.
pub(crate) fn missing(way: &[&str], name: &str) -> Option<Missing> {
    let mut ty = TABLE.named("VirtualMachine");
    for step in way {
        ty = match (TABLE.target(ty), *step) {
            (Type::List(held), "*") => TABLE.held(held),
            (ty, name) => field(ty, name)?.ty,
        };
    }
    match TABLE.target(ty) {
        Type::Map(_) => Some(Missing::Key),
        Type::Struct(_) => {
            let names: Vec<&'static str> = fields(TABLE.target(ty)).map(|it| it.name).collect();
            Some(spell::nearest(name, names.into_iter()).map_or(Missing::Field, Missing::Misspelt))
        }
        _ => None,
    }
}

fn field(ty: Type, name: &str) -> Option<&'static Field> {
    fields(ty).find(|it| it.name == name)
}

/// The fields of a struct, and those that stand among them.
fn fields(ty: Type) -> Box<dyn Iterator<Item = &'static Field>> {
    let Type::Struct(at) = ty else { return Box::new(std::iter::empty()) };
    let own = TABLE.get(at).fields.iter().filter(|it| !it.name.is_empty());
    let inlined = TABLE.get(at).inlined().flat_map(|it| fields(TABLE.target(it.ty)));
    Box::new(own.chain(inlined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_misspelt_is_found() {
        let check = |way: &str, expected: Option<Missing>| {
            let way: Vec<&str> = way.split('.').collect();
            let (name, way) = way.split_last().expect("a way has a last step");
            assert_eq!(missing(way, name), expected, "{way:?}");
        };
        check("spec.template.spec.domain.cpu.core", Some(Missing::Misspelt("cores")));
        check(
            "spec.template.spec.domain.devices.disks.*.sieral",
            Some(Missing::Misspelt("serial")),
        );
        check("spec.template.spec.domain.devices.disks.*.cdRom", Some(Missing::Misspelt("cdrom")));
        check("spec.template.spec.domain.colour", Some(Missing::Field));
        check("spec.template.spec.domain.resources.requests.memory", Some(Missing::Key));
        check("spec.template.spec.nowhere.at.all", None);
        check("spec.template.spec.hostname.x", None);
    }
}
