//! The table of KubeVirt's API types (`kubevirt.txt`), read once.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The types of the API, in the order of the table.
pub(crate) struct Table {
    structs: Vec<Struct>,
    /// The element types of pointers, lists and maps.
    held: Vec<Type>,
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub name: &'static str,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub(crate) struct Field {
    /// The name in documents; empty if the fields of `ty` are inlined into those of the parent.
    pub name: &'static str,
    pub go_name: &'static str,
    pub ty: Type,
    /// The value of the field if its object omits it or sets it to zero.
    pub in_document: Option<i64>,
    /// The value of the field if its object is absent.
    pub in_reference: Option<&'static str>,
    /// How many elements a list has if its object is absent.
    pub reference_len: usize,
}

/// A type of the API: four bytes, looked up in the [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Not described further: the value in the document is used without a type.
    Any,
    String,
    Bool,
    Integer(Width),
    Quantity,
    IntOrString,
    Time,
    Struct(u16),
    Pointer(Held),
    List(Held),
    Map(Held),
}

/// The type that a pointer, a list or a map contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held(u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    I32,
    I64,
    U32,
    U64,
}

/// The length of a list in the reference object, unless the table names another.
const REFERENCE_LEN: usize = 64;

pub(crate) static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("kubevirt.txt")));

impl Table {
    pub(crate) fn get(&self, at: u16) -> &Struct {
        &self.structs[at as usize]
    }

    pub(crate) fn held(&self, held: Held) -> Type {
        self.held[held.0 as usize]
    }

    /// The type that a pointer points to. Other types are returned unchanged.
    pub(crate) fn target(&self, ty: Type) -> Type {
        match ty {
            Type::Pointer(held) => self.target(self.held(held)),
            ty => ty,
        }
    }

    /// The struct of this name.
    ///
    /// # Panics
    ///
    /// If the table has no such struct. Callers only name types that are in the table.
    pub(crate) fn named(&self, name: &str) -> Type {
        let at =
            self.structs.iter().position(|it| it.name == name).expect("the type is in the table");
        Type::Struct(u16::try_from(at).expect("the table is small"))
    }
}

impl Struct {
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|it| it.name == name && !name.is_empty())
    }

    /// Whether a key of a document is a field of this type, ignoring case.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        let is_own = |it: &Field| !it.name.is_empty() && it.name.eq_ignore_ascii_case(key);
        let is_inlined = |it: &Field| match TABLE.target(it.ty) {
            Type::Struct(at) => TABLE.get(at).has_key(key),
            _ => false,
        };
        self.fields.iter().any(is_own) || self.inlined().any(is_inlined)
    }

    pub(crate) fn field_by_go_name(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|it| it.go_name == name)
    }

    /// The fields whose own fields are inlined into this type.
    pub(crate) fn inlined(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| it.name.is_empty())
    }
}

impl Width {
    pub(crate) fn holds(self, value: i128) -> bool {
        match self {
            Self::I32 => i32::try_from(value).is_ok(),
            Self::I64 => i64::try_from(value).is_ok(),
            Self::U32 => u32::try_from(value).is_ok(),
            Self::U64 => u64::try_from(value).is_ok(),
        }
    }
}

fn read(text: &'static str) -> Table {
    let lines = || text.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    let names = lines().filter(|it| !it.starts_with(' ')).enumerate();
    let numbers: HashMap<&str, u16> =
        names.map(|(at, name)| (name, u16::try_from(at).expect("the table is small"))).collect();
    let mut table = Table { structs: Vec::new(), held: Vec::new() };
    for line in lines() {
        if line.starts_with(' ') {
            let field = read_field(line, &numbers, &mut table.held);
            table.structs.last_mut().expect("fields come after a type").fields.push(field);
        } else {
            table.structs.push(Struct { name: line, fields: Vec::new() });
        }
    }
    table
}

fn read_field(line: &'static str, numbers: &HashMap<&str, u16>, held: &mut Vec<Type>) -> Field {
    let mut words = line.split_whitespace();
    let mut word = || words.next().expect("a field has a name, a Go name and a type");
    let (name, go_name, ty) = (word(), word(), word());
    let mut field = Field {
        name: if name == "-" { "" } else { name },
        go_name,
        ty: read_type(ty, numbers, held),
        in_document: None,
        in_reference: None,
        reference_len: REFERENCE_LEN,
    };
    for extra in words {
        let (key, value) = extra.split_once('=').expect("an extra is `key=value`");
        match key {
            "document" => field.in_document = Some(value.parse().expect("a number")),
            "length" => field.reference_len = value.parse().expect("a number"),
            "reference" => field.in_reference = Some(value),
            _ => unreachable!("the table has no `{key}`"),
        }
    }
    field
}

fn read_type(text: &str, numbers: &HashMap<&str, u16>, held: &mut Vec<Type>) -> Type {
    let mut hold = |rest: &str| {
        let ty = read_type(rest, numbers, held);
        let at = held.iter().position(|it| *it == ty).unwrap_or_else(|| {
            held.push(ty);
            held.len() - 1
        });
        Held(u16::try_from(at).expect("the table is small"))
    };
    if let Some(rest) = text.strip_prefix('*') {
        return Type::Pointer(hold(rest));
    }
    if let Some(rest) = text.strip_prefix("[]") {
        return Type::List(hold(rest));
    }
    if let Some(rest) = text.strip_prefix("map:") {
        return Type::Map(hold(rest));
    }
    match text {
        "any" => Type::Any,
        "bool" => Type::Bool,
        "int" | "int64" => Type::Integer(Width::I64),
        "int32" => Type::Integer(Width::I32),
        "intOrString" => Type::IntOrString,
        "quantity" => Type::Quantity,
        "string" => Type::String,
        "time" => Type::Time,
        "uint" | "uint64" => Type::Integer(Width::U64),
        "uint32" => Type::Integer(Width::U32),
        name => Type::Struct(numbers[name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_table_can_be_read() {
        let Type::Struct(machine) = TABLE.named("VirtualMachine") else {
            unreachable!("a machine is a struct")
        };
        let spec = TABLE.get(machine).field("spec").expect("a machine has a spec");
        assert_eq!(spec.ty, TABLE.named("VirtualMachineSpec"));
        assert!(TABLE.structs.len() > 150);
    }

    #[test]
    fn no_type_contains_itself_without_a_list_or_pointer() {
        for (at, _) in TABLE.structs.iter().enumerate() {
            let mut inner = vec![u16::try_from(at).expect("the table is small")];
            for _ in 0..TABLE.structs.len() {
                let fields = inner.iter().flat_map(|it| &TABLE.get(*it).fields);
                inner = fields
                    .filter_map(|it| match it.ty {
                        Type::Struct(at) => Some(at),
                        _ => None,
                    })
                    .collect();
            }
            assert!(inner.is_empty(), "{} contains itself", TABLE.structs[at].name);
        }
    }
}
