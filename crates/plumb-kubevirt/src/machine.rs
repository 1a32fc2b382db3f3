//! Finds the rules that apply to a virtual machine.

use std::sync::Arc;

use plumb_source::Origin;
use plumb_value::MapItem;

use crate::object::Object;
use crate::rule::Rules;
use crate::template::{Templates, VmTemplate};

/// The annotation of a virtual machine with its own rules.
pub(crate) const RULES: &str = "vm.kubevirt.io/validations";

/// No rules apply to a virtual machine with this annotation, whatever its value is.
pub(crate) const SKIP: &str = "vm.kubevirt.io/skip-validations";

/// The label or annotation that names the template of a virtual machine.
pub(crate) const TEMPLATE: &str = "vm.kubevirt.io/template";
pub(crate) const TEMPLATE_NAMESPACE: &str = "vm.kubevirt.io/template.namespace";
pub(crate) const OLD_TEMPLATE_NAMESPACE: &str = "vm.kubevirt.io/template-namespace";

/// The source of the rules of a virtual machine.
#[derive(Debug)]
pub enum Source<'t> {
    Own(Arc<Rules>),
    Template(&'t VmTemplate, &'t Rules),
    None(NoRulesReason),
}

/// Why no rules apply to a virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRulesReason {
    BeingDeleted,
    Skipped,
    /// It does not name a template, and has no rules itself.
    Unbound,
    /// It names a template without a namespace, or a namespace without a template.
    IncompleteName,
    /// It names a template that is not known.
    UnknownTemplate(String),
    /// It names a template that has no rules.
    NoRules(String),
}

/// The rules for a virtual machine: its own, else those of the template that it names. If it does
/// not name a template, the rules of `fallback` apply.
pub fn source<'t>(
    machine: Object<'_>,
    templates: &'t Templates,
    fallback: Option<&'t VmTemplate>,
) -> Source<'t> {
    let parse = |text: &str, origin: Origin| Arc::new(Rules::parse(text, origin));
    source_by(machine, templates, fallback, parse)
}

/// Like [`source`], but `read` reads the rules in the virtual machine's own annotation.
pub(crate) fn source_by<'t>(
    machine: Object<'_>,
    templates: &'t Templates,
    fallback: Option<&'t VmTemplate>,
    read: impl FnOnce(&str, Origin) -> Arc<Rules>,
) -> Source<'t> {
    if machine.is_being_deleted() {
        return Source::None(NoRulesReason::BeingDeleted);
    }
    if machine.annotation(SKIP).is_some() {
        return Source::None(NoRulesReason::Skipped);
    }
    if let Some((text, origin)) = own_text(machine) {
        return Source::Own(read(text, origin));
    }
    let template = match binding(machine) {
        Binding::Complete { namespace, name } => {
            let found = templates.get(namespace, name);
            found.ok_or_else(|| NoRulesReason::UnknownTemplate(format!("{namespace}/{name}")))
        }
        Binding::Incomplete => Err(NoRulesReason::IncompleteName),
        Binding::None => fallback.ok_or(NoRulesReason::Unbound),
    };
    match template {
        Ok(template) => match &template.rules {
            Some(rules) => Source::Template(template, rules),
            None => Source::None(NoRulesReason::NoRules(template.full_name())),
        },
        Err(why) => Source::None(why),
    }
}

/// The rules in the virtual machine's own annotation. Returns `None` if it is missing or empty.
pub(crate) fn own_rules(machine: Object<'_>) -> Option<Rules> {
    own_text(machine).map(|(text, origin)| Rules::parse(text, origin))
}

fn own_text(machine: Object<'_>) -> Option<(&str, Origin)> {
    let item = machine.annotation(RULES)?;
    let text = item.node.as_str().filter(|text| !text.is_empty())?;
    Some((text, item.origin))
}

/// Whether the virtual machine would lose its rules if the template was deleted.
pub(crate) fn depends_on(machine: Object<'_>, namespace: &str, name: &str) -> bool {
    let is_bound = matches!(
        binding(machine),
        Binding::Complete { namespace: its_namespace, name: its_name }
            if its_namespace == namespace && its_name == name
    );
    is_bound && machine.annotation(RULES).is_none()
}

/// How a virtual machine names its template.
enum Binding<'t> {
    Complete { namespace: &'t str, name: &'t str },
    Incomplete,
    None,
}

/// Labels take precedence over annotations, and the two are never mixed.
fn binding(machine: Object<'_>) -> Binding<'_> {
    let labels = named(|key| machine.label(key));
    let annotations = named(|key| machine.annotation(key));
    match (labels, annotations) {
        (complete @ Binding::Complete { .. }, _) | (_, complete @ Binding::Complete { .. }) => {
            complete
        }
        (Binding::None, Binding::None) => Binding::None,
        (Binding::Incomplete | Binding::None, Binding::Incomplete | Binding::None) => {
            Binding::Incomplete
        }
    }
}

fn named<'t>(get: impl Fn(&str) -> Option<&'t MapItem>) -> Binding<'t> {
    let text = |key| get(key).and_then(|item| item.node.as_str()).unwrap_or("");
    let name = text(TEMPLATE);
    let namespace = match text(TEMPLATE_NAMESPACE) {
        "" => text(OLD_TEMPLATE_NAMESPACE),
        namespace => namespace,
    };
    match (name, namespace) {
        ("", "") => Binding::None,
        ("", _) | (_, "") => Binding::Incomplete,
        (name, namespace) => Binding::Complete { namespace, name },
    }
}
