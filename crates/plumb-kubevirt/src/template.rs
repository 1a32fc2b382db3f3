//! Templates: the virtual machines that they create, and the rules for them.

mod process;

use std::collections::{BTreeMap, HashSet};

use plumb_source::Origin;
use plumb_value::Node;

use crate::machine;
use crate::object::Object;
use crate::rule::Rules;

pub use process::ParameterError;

/// The annotation of a template with rules for its virtual machines.
const RULES: &str = "validations";

/// A template that was read.
#[derive(Debug)]
pub struct VmTemplate {
    node: Node,
    origin: Origin,
    /// The rules in the metadata of the template, else those of the virtual machine among its
    /// objects.
    pub rules: Option<Rules>,
}

/// The templates that virtual machines may name.
#[derive(Debug, Default)]
pub struct Templates {
    /// By name, then in the order given.
    by_name: BTreeMap<String, Vec<VmTemplate>>,
}

impl VmTemplate {
    /// Reads an object as a template. A virtual machine counts as its own template.
    pub fn new(object: Object<'_>) -> Self {
        let own = object.annotation(RULES).and_then(Rules::of);
        let machine_rules = |it: Object<'_>| it.annotation(machine::RULES).and_then(Rules::of);
        let rules = if object.is_template() {
            own.or_else(|| machines(object).into_iter().find_map(machine_rules))
        } else {
            machine_rules(object).or(own)
        };
        Self { node: object.node.clone(), origin: object.origin, rules }
    }

    /// The rules of every annotation of the template: its own, and those of its virtual machines as
    /// written. Duplicates are left out.
    pub(crate) fn all_rules(&self) -> Vec<Rules> {
        let object = self.object();
        let own = object.annotation(RULES).and_then(Rules::of);
        let of_machines = machines(object);
        let of_machines =
            of_machines.into_iter().filter_map(|it| Rules::of(it.annotation(machine::RULES)?));
        let mut texts = HashSet::new();
        own.into_iter().chain(of_machines).filter(|it| texts.insert(it.text.clone())).collect()
    }

    /// The key of the annotation that the rules are in.
    pub(crate) fn rules_annotation(&self) -> &'static str {
        let is_own = self.object().is_template()
            && self.object().annotation(RULES).is_some_and(|it| Rules::of(it).is_some());
        if is_own { RULES } else { machine::RULES }
    }

    /// `namespace/name`, or the name alone if there is no namespace.
    pub fn full_name(&self) -> String {
        self.object().full_name()
    }

    /// The object that the template was read from.
    pub fn object(&self) -> Object<'_> {
        Object { node: &self.node, origin: self.origin }
    }

    /// The virtual machines that the template creates, with its parameters filled in: each with its
    /// default, or with an example if its value is generated.
    ///
    /// # Errors
    ///
    /// If a required parameter without a value is used for something other than a string.
    pub fn machines(&self) -> Result<Vec<(Node, Origin)>, ParameterError> {
        let machines = machines(self.object());
        let parameters = process::parameters(&self.node);
        let filled = machines.iter().map(|machine| {
            process::fill(machine.node, &parameters).map(|node| (node, machine.origin))
        });
        filled.collect()
    }
}

impl Templates {
    /// Adds a template. If two templates have the same namespace and name, the first one is used.
    pub fn add(&mut self, template: VmTemplate) {
        let name = template.object().name().to_owned();
        self.by_name.entry(name).or_default().push(template);
    }

    /// The template with this name. A template without a namespace is found for every namespace.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&VmTemplate> {
        let named = self.by_name.get(name)?;
        let of = |wanted: &str| named.iter().find(|it| it.object().namespace() == wanted);
        of(namespace).or_else(|| of(""))
    }

    /// Whether there is a template of exactly this namespace and name.
    pub(crate) fn has(&self, namespace: &str, name: &str) -> bool {
        let named = self.by_name.get(name);
        named.is_some_and(|it| it.iter().any(|it| it.object().namespace() == namespace))
    }

    /// The first template of this name that was added.
    pub(crate) fn first(&self, name: &str) -> Option<&VmTemplate> {
        self.by_name.get(name)?.first()
    }

    /// The only template. Returns `None` if there is not exactly one.
    pub fn only(&self) -> Option<&VmTemplate> {
        let mut all = self.iter();
        all.next().filter(|_| all.next().is_none())
    }

    /// All templates, sorted by name; those of one name are in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &VmTemplate> {
        self.by_name.values().flatten()
    }

    /// The number of templates.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are no templates.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// The virtual machines among the objects of a template, as written.
fn machines(template: Object<'_>) -> Vec<Object<'_>> {
    if template.kind() == Some("VirtualMachineTemplate") {
        // The only virtual machine of this kind of template has no `kind`.
        let spec = template.node.as_map().and_then(|it| it.get_str("spec")?.as_map());
        let machine = spec.and_then(|it| it.get(&"virtualMachine".into()));
        let machine = machine.map(|it| Object { node: &it.node, origin: it.origin });
        return machine.into_iter().collect();
    }
    let objects = template.node.as_map().and_then(|map| map.get_str("objects"));
    let items = objects.and_then(Node::as_array).map_or(&[][..], |array| &array.items);
    let objects = items.iter().map(|item| Object { node: &item.node, origin: item.origin });
    objects.filter(|object| object.kind() == Some("VirtualMachine")).collect()
}
