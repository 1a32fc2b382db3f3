//! Explains why a field in a path does not exist in the API.

use super::table::{Field, TABLE, Type};
use crate::spell;

/// Why a path cannot be followed to the named field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingReason {
    /// There is no such field, but one with a similar name.
    Misspelt(&'static str),
    /// There is no such field, but exactly one other field here contains it. This is its name.
    Below(&'static str),
    /// There is no such field.
    Field,
    /// The key is chosen by the author of a virtual machine, and this virtual machine does not have
    /// it.
    Key,
}

/// Follows the fields of `way` from the virtual machine, with `*` for elements of lists, and
/// explains why `name` is missing there.
pub(crate) fn missing(way: &[&str], name: &str) -> Option<MissingReason> {
    let mut ty = TABLE.named("VirtualMachine");
    for step in way {
        ty = match (TABLE.target(ty), *step) {
            (Type::List(held), "*") => TABLE.held(held),
            (ty, name) => field(ty, name)?.ty,
        };
    }
    match TABLE.target(ty) {
        Type::Map(_) => Some(MissingReason::Key),
        Type::Struct(_) => {
            let ty = TABLE.target(ty);
            let names: Vec<&'static str> = fields(ty).map(|it| it.name).collect();
            let misspelt = spell::nearest(name, names.into_iter()).map(MissingReason::Misspelt);
            let below = || holder(ty, name).map(MissingReason::Below);
            Some(misspelt.or_else(below).unwrap_or(MissingReason::Field))
        }
        _ => None,
    }
}

/// Follows a path from the virtual machine to the first field that the API lacks. Returns the
/// number of steps before it, and why it is missing.
pub(crate) fn first_missing(path: &[&str]) -> Option<(usize, MissingReason)> {
    let mut ty = TABLE.named("VirtualMachine");
    for (at, step) in path.iter().enumerate() {
        ty = match (TABLE.target(ty), *step) {
            (Type::List(held), "*") => TABLE.held(held),
            (ty, name) => match field(ty, name) {
                Some(field) => field.ty,
                None => return missing(&path[..at], name).map(|why| (at, why)),
            },
        };
    }
    None
}

/// The only field of a struct that itself contains a field with this name.
fn holder(ty: Type, name: &str) -> Option<&'static str> {
    let mut holders = fields(ty).filter(|it| field(TABLE.target(it.ty), name).is_some());
    let only = holders.next()?;
    holders.next().is_none().then_some(only.name)
}

fn field(ty: Type, name: &str) -> Option<&'static Field> {
    fields(ty).find(|it| it.name == name)
}

/// The fields of a struct, including those of inlined structs.
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
        let check = |way: &str, expected: Option<MissingReason>| {
            let way: Vec<&str> = way.split('.').collect();
            let (name, way) = way.split_last().expect("a way has a last step");
            assert_eq!(missing(way, name), expected, "{way:?}");
        };
        check("spec.template.spec.domain.cpu.core", Some(MissingReason::Misspelt("cores")));
        check(
            "spec.template.spec.domain.devices.disks.*.sieral",
            Some(MissingReason::Misspelt("serial")),
        );
        check(
            "spec.template.spec.domain.devices.disks.*.cdRom",
            Some(MissingReason::Misspelt("cdrom")),
        );
        check("spec.template.spec.domain.colour", Some(MissingReason::Field));
        check("spec.template.spec.devices", Some(MissingReason::Below("domain")));
        check("spec.template.spec.domain.cores", Some(MissingReason::Below("cpu")));
        check("spec.template.spec.domain.resources.requests.memory", Some(MissingReason::Key));
        check("spec.template.spec.nowhere.at.all", None);
        check("spec.template.spec.hostname.x", None);
    }
}
