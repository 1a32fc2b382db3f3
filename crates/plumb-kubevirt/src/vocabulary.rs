//! The words that can occur in a rule, for editors.

use crate::api::{Field, TABLE, Type};
use crate::rule;

/// The keys of a rule.
pub fn keys() -> &'static [&'static str] {
    &rule::KEYS
}

/// The kinds of rules, and the keys that each of them uses.
pub fn kinds() -> &'static [(&'static str, &'static [&'static str])] {
    &rule::KINDS
}

/// The fields that may follow a path of a rule, such as `.spec.domain.cpu`, which starts at the
/// template of a virtual machine or at the virtual machine. Empty if the path does not exist.
pub fn fields(path: &str) -> Vec<&'static str> {
    let steps: Vec<&str> = path.split('.').filter(|it| !it.is_empty()).collect();
    let starts = ["VirtualMachine", "VirtualMachineInstanceTemplateSpec"];
    let mut names: Vec<&'static str> = starts
        .iter()
        .filter_map(|it| follow(TABLE.named(it), &steps))
        .flat_map(|ty| fields_of(ty, 0))
        .map(|it| it.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn follow(mut ty: Type, steps: &[&str]) -> Option<Type> {
    for step in steps {
        let (name, index) = step.split_once('[').map_or((*step, None), |(a, b)| (a, Some(b)));
        if !name.is_empty() {
            ty = match TABLE.target(ty) {
                Type::Map(held) => TABLE.held(held),
                ty => fields_of(ty, 0).into_iter().find(|it| it.name == name)?.ty,
            };
        }
        if index.is_some() {
            ty = match TABLE.target(ty) {
                Type::List(held) => TABLE.held(held),
                _ => return None,
            };
        }
    }
    Some(ty)
}

/// The fields of a struct, with those that are inlined.
fn fields_of(ty: Type, depth: usize) -> Vec<&'static Field> {
    let Type::Struct(at) = TABLE.target(ty) else { return Vec::new() };
    let mut fields = Vec::new();
    for field in &TABLE.get(at).fields {
        if !field.name.is_empty() {
            fields.push(field);
        } else if depth < 8 {
            fields.extend(fields_of(field.ty, depth + 1));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_continued_from_the_template_and_from_the_machine() {
        assert!(fields(".spec.domain").contains(&"cpu"));
        assert!(fields(".spec.template.spec.domain.cpu").contains(&"cores"));
        assert!(fields(".spec.domain.devices.disks[*]").contains(&"disk"));
        assert!(fields(".").contains(&"spec"));
        assert_eq!(fields(".spec.nonsense"), Vec::<&str>::new());
    }
}
