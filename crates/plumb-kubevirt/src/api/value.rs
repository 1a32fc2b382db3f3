//! Values of the API: follows a path through a virtual machine, even if values are not written.

use plumb_value::{Map, Node};

use super::table::{Field, Held, Struct, TABLE, Type};
use crate::jsonpath::{Scalar, Tree};

/// A value of a virtual machine, or of the reference object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ApiValue<'t> {
    pub(super) ty: Type,
    pub(super) at: At<'t>,
    /// The last written object on the path to this value.
    near: Option<&'t Node>,
    defaults: Defaults,
    /// Whether this is an inlined struct: the node contains its fields and those of others.
    is_inlined: bool,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum At<'t> {
    /// Written in the document, and not null.
    Written(&'t Node),
    /// Left out: zero, or missing if it may be absent.
    Absent,
    /// Left out, but treated as present.
    Assumed,
    /// Missing or zero, and KubeVirt sets this default.
    Default(i64),
    /// The part of the reference object outside the domain: it has only the path to the domain.
    Outline,
    /// A value of the reference object.
    Reference { value: Option<&'static str>, len: usize },
}

/// Whether missing objects that contain fields with defaults are treated as present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defaults {
    AsWritten,
    /// A missing `cpu` or `machine` is treated as an empty one.
    Assumed,
}

/// The length of lists within lists of the reference object.
const NESTED_LEN: usize = 64;

impl<'t> ApiValue<'t> {
    pub(crate) fn machine(document: &'t Node, defaults: Defaults) -> Self {
        Self::new(TABLE.named("VirtualMachine"), At::of(document), defaults)
    }

    /// The virtual machine in which everything is present and zero.
    pub(crate) fn reference() -> Self {
        Self::new(TABLE.named("VirtualMachine"), At::Outline, Defaults::AsWritten)
    }

    /// The node of the value. Returns `None` if the value is not written.
    pub(crate) fn node(self) -> Option<&'t Node> {
        match self.at {
            At::Written(node) => Some(node),
            At::Absent | At::Assumed | At::Default(_) | At::Outline | At::Reference { .. } => None,
        }
    }

    /// The nearest written object around the value.
    pub(crate) fn near(self) -> Option<&'t Node> {
        self.near
    }

    fn new(ty: Type, at: At<'t>, defaults: Defaults) -> Self {
        Self { ty, at, near: None, defaults, is_inlined: false }
    }

    /// The same value, with the object through which it was reached.
    fn from(self, parent: Self) -> Self {
        Self { near: parent.node().or(parent.near), ..self }
    }

    /// The value that a pointer points to. Returns `None` if it is absent.
    pub(super) fn target(self) -> Option<Self> {
        let Type::Pointer(held) = self.ty else { return Some(self) };
        match self.at {
            At::Absent => None,
            _ => Self { ty: TABLE.held(held), ..self }.target(),
        }
    }

    fn held(self, held: Held, at: At<'t>) -> Self {
        Self::new(TABLE.held(held), at, self.defaults).from(self)
    }

    /// A field of this object, which is of a struct type.
    fn member(self, field: &'static Field) -> Self {
        let at = match self.at {
            at if field.name.is_empty() => at,
            At::Written(node) => {
                let written = node.as_map().and_then(|map| find_key(map, field.name));
                match written.map_or(At::Absent, At::of) {
                    At::Written(node) if field.in_document.is_none() || !is_zero(node) => {
                        At::Written(node)
                    }
                    _ => self.left_out(field),
                }
            }
            At::Assumed | At::Absent | At::Default(_) => self.left_out(field),
            At::Outline => outline(field),
            At::Reference { .. } => {
                At::Reference { value: field.in_reference, len: field.reference_len }
            }
        };
        let member = Self::new(field.ty, at, self.defaults).from(self);
        Self { is_inlined: field.name.is_empty(), ..member }
    }

    /// The written members of this object that its type `ty` does not have.
    fn unknown_members(self, ty: &'static Struct) -> impl Iterator<Item = (&'t str, Self)> {
        let map = self.node().filter(|_| !self.is_inlined).and_then(Node::as_map);
        let items = map.map_or(&[][..], Map::items);
        items.iter().filter_map(move |item| {
            let key = item.key.as_str().filter(|key| !ty.has_key(key))?;
            Some((key, self.any(&item.node)))
        })
    }

    /// A written member of this object that its type `ty` does not have.
    fn unknown_member(self, ty: &'static Struct, name: &str) -> Option<Self> {
        let map = self.node().filter(|_| !self.is_inlined)?.as_map()?;
        let node = map.get_str(name).filter(|_| !ty.has_key(name))?;
        Some(self.any(node))
    }

    /// A part of this value that the API does not describe.
    fn any(self, node: &'t Node) -> Self {
        Self::new(Type::Any, At::of(node), self.defaults).from(self)
    }

    fn left_out(self, field: &Field) -> At<'t> {
        let holds_defaults = match field.ty {
            Type::Pointer(held) => match TABLE.held(held) {
                Type::Struct(at) => matches!(TABLE.get(at).name, "CPU" | "Machine"),
                _ => false,
            },
            _ => false,
        };
        match field.in_document {
            Some(default) => At::Default(default),
            None if holds_defaults && self.defaults == Defaults::Assumed => At::Assumed,
            None => At::Absent,
        }
    }
}

impl<'t> At<'t> {
    fn of(node: &'t Node) -> Self {
        if node.is_null() { Self::Absent } else { Self::Written(node) }
    }
}

impl<'t> Tree<'t> for ApiValue<'t> {
    fn is_null(self) -> bool {
        self.target().is_none()
    }

    /// Whether the value exists: a pointer may be absent, a plain field always exists.
    fn exists(self) -> bool {
        match self.at {
            At::Absent => {
                !matches!(self.ty, Type::Pointer(_) | Type::List(_) | Type::Map(_) | Type::Any)
            }
            At::Written(_) | At::Assumed | At::Default(_) | At::Outline | At::Reference { .. } => {
                true
            }
        }
    }

    fn field(self, name: &str) -> Option<Self> {
        let object = self.target()?;
        match object.ty {
            Type::Struct(at) => {
                let ty = TABLE.get(at);
                let known = field_named(object, ty, name, Struct::field);
                known
                    .or_else(|| object.unknown_member(ty, name))
                    .or_else(|| field_named(object, ty, name, Struct::field_by_go_name))
            }
            Type::Map(held) => {
                let node = object.node()?.as_map()?.get_str(name)?;
                Some(object.held(held, At::of(node)))
            }
            Type::Any => {
                let node = object.node()?.as_map()?.get_str(name)?;
                Some(object.any(node))
            }
            Type::String
            | Type::Bool
            | Type::Integer(_)
            | Type::Quantity
            | Type::IntOrString
            | Type::Time
            | Type::Pointer(_)
            | Type::List(_) => None,
        }
    }

    fn breadth(self) -> usize {
        self.node().and_then(Node::as_map).map_or(0, Map::len)
    }

    fn length(self) -> Option<usize> {
        let list = self.target()?;
        match (list.ty, list.at) {
            (Type::List(_), At::Reference { len, .. }) => Some(len),
            (Type::List(_), At::Written(node)) => node.as_array().map(|array| array.items.len()),
            (Type::List(_), At::Absent | At::Assumed | At::Default(_) | At::Outline) => Some(0),
            (Type::Any, At::Written(node)) => node.as_array().map(|array| array.items.len()),
            _ => None,
        }
    }

    fn element(self, at: usize) -> Option<Self> {
        let list = self.target()?;
        let element = match list.at {
            At::Written(node) => At::of(&node.as_array()?.items.get(at)?.node),
            At::Reference { .. } => At::Reference { value: None, len: NESTED_LEN },
            At::Absent | At::Assumed | At::Default(_) | At::Outline => return None,
        };
        match list.ty {
            Type::List(held) => Some(list.held(held, element)),
            _ => Some(Self::new(Type::Any, element, list.defaults).from(list)),
        }
    }

    fn children(self, visit: &mut dyn FnMut(Self)) {
        let Some(value) = self.target() else { return };
        match value.ty {
            Type::Struct(at) => {
                let ty = TABLE.get(at);
                ty.fields.iter().for_each(|field| visit(value.member(field)));
                value.unknown_members(ty).for_each(|(_, member)| visit(member));
            }
            Type::Map(_) | Type::Any => {
                let ty = match value.ty {
                    Type::Map(held) => TABLE.held(held),
                    _ => Type::Any,
                };
                let Some(node) = value.node() else { return };
                for (_, child) in node.children() {
                    visit(Self::new(ty, At::of(child), value.defaults).from(value));
                }
            }
            Type::List(_) => {
                let len = value.length().unwrap_or(0);
                (0..len).filter_map(|at| value.element(at)).for_each(visit);
            }
            Type::String
            | Type::Bool
            | Type::Integer(_)
            | Type::Quantity
            | Type::IntOrString
            | Type::Time
            | Type::Pointer(_) => {}
        }
    }

    fn scalar(self) -> Option<Scalar<'t>> {
        let value = self.target()?;
        match (value.ty, value.at) {
            (Type::Bool | Type::Integer(_) | Type::String | Type::Any, At::Written(node)) => {
                Scalar::of(node)
            }
            (Type::Bool, At::Reference { value, .. }) => Some(Scalar::Bool(value == Some("true"))),
            (Type::Bool, _) => Some(Scalar::Bool(false)),
            (Type::Integer(_), At::Default(value)) => Some(Scalar::Int(value.into())),
            (Type::Integer(_), _) => Some(Scalar::Int(0)),
            (Type::String, At::Reference { value, .. }) => {
                Some(Scalar::Text(value.unwrap_or_default().as_bytes()))
            }
            (Type::String, _) => Some(Scalar::Text(b"")),
            _ => None,
        }
    }
}

/// The field of the API with this name, including fields of inlined structs.
fn field_named<'t>(
    object: ApiValue<'t>,
    ty: &'static Struct,
    name: &str,
    find: for<'s> fn(&'s Struct, &str) -> Option<&'s Field>,
) -> Option<ApiValue<'t>> {
    if let Some(field) = find(ty, name) {
        return Some(object.member(field));
    }
    ty.inlined().find_map(|field| {
        let inlined = object.member(field).target()?;
        let Type::Struct(at) = inlined.ty else { return None };
        field_named(inlined, TABLE.get(at), name, find)
    })
}

/// The content of the reference object outside the domain: only the path to the domain.
fn outline<'t>(field: &Field) -> At<'t> {
    let ty = match field.ty {
        Type::Pointer(held) => TABLE.held(held),
        ty => ty,
    };
    let Type::Struct(at) = ty else { return At::Absent };
    match TABLE.get(at).name {
        "DomainSpec" => At::Reference { value: None, len: NESTED_LEN },
        "VirtualMachineSpec"
        | "VirtualMachineInstanceTemplateSpec"
        | "VirtualMachineInstanceSpec" => At::Outline,
        _ => At::Absent,
    }
}

/// The value of a key. If it is missing, the value of a key that differs only in case.
fn find_key<'t>(map: &'t Map, name: &str) -> Option<&'t Node> {
    let is_similar = |key: &Node| key.as_str().is_some_and(|it| it.eq_ignore_ascii_case(name));
    map.get_str(name).or_else(|| {
        let similar = map.items().iter().rev().find(|item| is_similar(&item.key));
        similar.map(|item| &item.node)
    })
}

fn is_zero(node: &Node) -> bool {
    matches!(node, Node::Int(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::jsonpath::{Budget, JsonPath, SelectErrorKind, Selected};

    const MACHINE: &str = r#"{"spec": {"template": {"spec": {"hostname": "h", "domain": {
        "cpu": {"cores": 4, "threads": 0},
        "flavour": {"size": 3, "DiskDevice": "x"},
        "devices": {"disks": [
            {"name": "a", "disk": {"bus": "virtio"}, "bootOrder": 1, "rack": {"row": 7}},
            {"name": "b", "CDROM": {"bus": "sata"}}
        ]}
    }}}}}"#;

    fn select(value: ApiValue<'_>, path: &str) -> Result<Vec<String>, SelectErrorKind> {
        let template = format!("{{.spec.template{path}}}");
        let template = JsonPath::parse(&template).expect("the template is well-formed");
        let found = template.select(value, &Budget::new(200_000)).map_err(|error| error.kind)?;
        let values = found.iter().filter_map(Selected::value);
        Ok(values.map(|it| it.text().into_owned()).collect())
    }

    fn check(path: &str, expected: &[&str]) {
        let node = json::read_document(MACHINE).expect("the machine is JSON");
        let found = select(ApiValue::machine(&node, Defaults::AsWritten), path);
        assert_eq!(found.unwrap_or_default(), expected, "{path}");
    }

    fn check_reference(path: &str, n_values: usize, value: &str) {
        let found = select(ApiValue::reference(), path).expect("the reference object has it all");
        assert_eq!(found.len(), n_values, "{path}");
        assert!(found.iter().all(|it| it == value), "{path}: {found:?}");
    }

    #[test]
    fn a_field_left_out_is_zero_or_its_default() {
        check(".spec.domain.cpu.cores", &["4"]);
        check(".spec.domain.cpu['threads','sockets','maxSockets']", &["1", "1", "0"]);
        check(".spec.domain.devices.disks[*].serial", &["", ""]);
        check(".spec.domain.devices.disks[*].bootOrder", &["1", "null"]);
        check(".spec.domain.firmware", &["null"]);
        check(".spec.domain.devices.disableHotplug", &["false"]);
        check(".spec.domain.devices.inputs[*].bus", &[]);
    }

    #[test]
    fn names_are_those_of_documents_or_of_go() {
        check(".Spec.Domain.CPU.Cores", &["4"]);
        check(".spec.domain.devices.disks[0].DiskDevice.disk.bus", &["virtio"]);
        check(".spec.domain.devices.disks[*].disk.bus", &["virtio"]);
        check(".spec.domain.devices.disks[*].cdrom.bus", &["sata"]);
        check("..bus", &["virtio", "sata"]);
    }

    #[test]
    fn fields_that_the_api_does_not_have_are_found() {
        check(".spec.domain.flavour.size", &["3"]);
        check(".spec.domain.flavour.DiskDevice", &["x"]);
        check(".spec.domain.devices.disks[*].rack.row", &["7"]);
        check(".spec.domain.devices.disks[?(@.rack)].name", &["a"]);
        check("..row", &["7"]);
        check(".spec.domain.devices.disks[0].DiskDevice.rack", &[]);
        check(".spec.domain.devices.disks[0].DiskDevice.name", &[]);
        check(".spec.domain.flavour.*", &["3", "x"]);
    }

    #[test]
    fn what_is_absent_as_a_whole_does_not_exist() {
        check(".spec.domain.devices.disks[?(@.cdrom)].name", &["b"]);
        check(".spec.domain.devices.disks[?(@.serial)].name", &["a", "b"]);
    }

    #[test]
    fn the_reference_object_has_everything_in_the_domain_and_nothing_outside() {
        check_reference(".spec.domain.cpu.cores", 1, "0");
        check_reference(".spec.domain.memory.guest", 1, "0");
        check_reference(".spec.domain.devices.disks[*].disk.bus", 64, "");
        check_reference(".spec.domain.devices.disks[*].cdrom.tray", 64, "closed");
        check_reference(".spec.domain.devices.interfaces[0].ports[*].port", 16, "0");
        check_reference(".spec.hostname", 1, "");
        assert_eq!(
            select(ApiValue::reference(), ".spec.affinity.nodeAffinity"),
            Err(SelectErrorKind::NotFound)
        );
        assert_eq!(
            select(ApiValue::reference(), ".spec.domain.nope"),
            Err(SelectErrorKind::NotFound)
        );
        let everything = JsonPath::parse("{..}").expect("the template is well-formed");
        let found =
            everything.select(ApiValue::reference(), &Budget::new(200_000)).map(|it| it.len());
        assert!(found.is_ok_and(|it| it > 1000), "the reference object can be walked through");
    }

    #[test]
    fn defaults_can_be_assumed() {
        let node = json::read_document(r#"{"spec": {"template": {"spec": {}}}}"#);
        let node = node.expect("the machine is JSON");
        let cores = ".spec.domain.cpu.cores";
        assert!(select(ApiValue::machine(&node, Defaults::AsWritten), cores).is_err());
        let assumed = select(ApiValue::machine(&node, Defaults::Assumed), cores);
        assert_eq!(assumed, Ok(vec!["1".to_owned()]));
    }
}
