//! Templates: the machine that they make, and the rules for it.

mod process;

use std::collections::{BTreeMap, HashSet};

use plumb_source::Origin;
use plumb_value::Node;

use crate::machine;
use crate::object::Object;
use crate::rule::Rules;

pub use process::Unfilled;

/// The annotation of a template with rules for its machines.
const RULES: &str = "validations";

/// A template that was read.
#[derive(Debug)]
pub struct Template {
    node: Node,
    origin: Origin,
    /// Those in the metadata of the template, else those on the machine among its objects.
    pub rules: Option<Rules>,
}

/// The templates that machines may name.
#[derive(Debug, Default)]
pub struct Templates {
    /// By name, then in the order given.
    by_name: BTreeMap<String, Vec<Template>>,
}

impl Template {
    /// Takes an object for a template. One that is a machine is a template of itself.
    pub fn new(object: Object<'_>) -> Self {
        let own = object.annotation(RULES).and_then(Rules::of);
        let machine_rules = |it: Object<'_>| it.annotation(machine::RULES).and_then(Rules::of);
        let rules = match object.kind() {
            Some("Template") => {
                own.or_else(|| machines(object).into_iter().find_map(machine_rules))
            }
            _ => machine_rules(object).or(own),
        };
        Self { node: object.node.clone(), origin: object.origin, rules }
    }

    /// The rules of every annotation of the template: its own, and those of its machines as written.
    /// A copy of another annotation is left out.
    pub(crate) fn all_rules(&self) -> Vec<Rules> {
        let object = self.object();
        let own = object.annotation(RULES).and_then(Rules::of);
        let of_machines = machines(object);
        let of_machines =
            of_machines.into_iter().filter_map(|it| Rules::of(it.annotation(machine::RULES)?));
        let mut texts = HashSet::new();
        own.into_iter().chain(of_machines).filter(|it| texts.insert(it.text.clone())).collect()
    }

    pub fn full_name(&self) -> String {
        self.object().full_name()
    }

    pub fn object(&self) -> Object<'_> {
        Object { node: &self.node, origin: self.origin }
    }

    /// The machines that the template makes, with its parameters filled in: each with its default,
    /// or with an example where it is to be generated.
    pub fn machines(&self) -> Result<Vec<(Node, Origin)>, Unfilled> {
        let machines = machines(self.object());
        let parameters = process::parameters(&self.node);
        let filled = machines.iter().map(|machine| {
            process::fill(machine.node, &parameters).map(|node| (node, machine.origin))
        });
        filled.collect()
    }
}

impl Templates {
    pub fn add(&mut self, template: Template) {
        let name = template.object().name().to_owned();
        self.by_name.entry(name).or_default().push(template);
    }

    /// The template of this name. One without a namespace may be used in any.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Template> {
        let named = self.by_name.get(name)?;
        let of = |wanted: &str| named.iter().find(|it| it.object().namespace() == wanted);
        of(namespace).or_else(|| of(""))
    }

    /// The first of this name that was added.
    pub(crate) fn first(&self, name: &str) -> Option<&Template> {
        self.by_name.get(name)?.first()
    }

    /// The template, if there is just one.
    pub fn only(&self) -> Option<&Template> {
        let mut all = self.iter();
        all.next().filter(|_| all.next().is_none())
    }

    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.by_name.values().flatten()
    }

    pub fn len(&self) -> usize {
        self.iter().count()
    }

    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// The machines among the objects of a template, as written.
fn machines(template: Object<'_>) -> Vec<Object<'_>> {
    let objects = template.node.as_map().and_then(|map| map.get_str("objects"));
    let items = objects.and_then(Node::as_array).map_or(&[][..], |array| &array.items);
    let objects = items.iter().map(|item| Object { node: &item.node, origin: item.origin });
    objects.filter(|object| object.kind() == Some("VirtualMachine")).collect()
}
