//! Rules of templates as admission policies of Kubernetes, which the API server itself enforces.
//!
//! [`export`] groups templates by their rules ([`unit`]), translates each rule into CEL
//! ([`translate`], [`select`]) and writes policies with bindings and, if limits differ between
//! templates, parameters ([`manifest`]). [`compare`] evaluates them with Plumb's own CEL, to verify
//! that they decide as `vm check` does. A rule that cannot be translated is reported at its place.

mod chain;
mod compare;
mod condition;
mod manifest;
mod matching;
mod names;
mod pattern;
mod policy;
mod select;
mod stored;
mod translate;
mod unit;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Severity};
use plumb_source::message::plain;
use plumb_source::{FileId, Sources, message};
use plumb_value::Document;

use crate::inspect::{self, Inspector};
use crate::object::Object;
use crate::report;
use crate::template::{Templates, VmTemplate};
use unit::Units;

pub use compare::Comparison;

/// A rule is not part of the exported policies.
///
/// An admission policy cannot express everything that a rule can: for example, it has no
/// look-around in patterns and no filters in paths. The policies accept virtual machines that this
/// rule rejects. Write the rule in another way, or keep the webhook, which applies every rule.
pub const NOT_EXPORTED: Code = Code::new("kubevirt/not-exported");

/// The same template is given twice.
///
/// Both have the same name and namespace. Only the first one is used.
pub const GIVEN_TWICE: Code = Code::new("kubevirt/template-given-twice");

/// The exported policies do not cover a virtual machine.
///
/// The message says why. `vm check` and the webhook still check it.
pub const NOT_COVERED: Code = Code::new("kubevirt/not-covered");

/// The exported policies and `vm check` disagree about a virtual machine.
///
/// This is a bug in Plumb. Please report it with the template and the virtual machine, and use the
/// webhook until it is fixed.
pub const EXPORT_DIFFERS: Code = Code::new("kubevirt/export-differs");

/// The names and the namespace of the exported objects.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The prefix of the names of policies.
    pub prefix: String,
    /// The namespace of parameters.
    pub namespace: String,
}

/// The templates to export, and the virtual machines to test the export with.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Templates.
    pub templates: &'a [FileId],
    /// Virtual machines to compare verdicts for.
    pub machines: &'a [FileId],
    /// Messages about files that could not be read.
    pub unreadable: &'a [String],
    pub options: &'a ExportOptions,
}

/// The exported policies.
#[derive(Debug, Default)]
pub struct Export {
    /// Policies, bindings and parameters.
    pub documents: Vec<Document>,
    /// The number of policies.
    pub policies: usize,
    /// The number of templates that they are for.
    pub templates: usize,
    /// How the verdicts of the policies compare with those of the rules.
    pub comparison: Comparison,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A part of a rule that an admission policy cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UntranslatableError {
    /// The bytes of the annotation that contain that part.
    at: Range<usize>,
    why: String,
}

impl Export {
    /// Whether the rules have no errors, and no verdict differs.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|it| it.severity != Severity::Error)
    }
}

/// Exports the rules of templates as admission policies, and compares their verdicts on virtual
/// machines with those of `vm check`. Nothing is exported if a template cannot be read.
pub fn export(sources: &Sources, input: Input<'_>) -> Export {
    let mut inspector = Inspector::new(sources);
    inspector.unreadable(input.unreadable);
    let given = inspector.read(input.templates);
    let machines = inspector.read(input.machines);
    let mut export = Export { diagnostics: inspector.into_diagnostics(), ..Export::default() };
    let mut templates = Templates::default();
    for object in inspect::objects(&given) {
        if !object.is_template() {
            export.diagnostics.push(not_a_template(object));
            continue;
        }
        let template = VmTemplate::new(object);
        if templates.has(object.namespace(), object.name()) {
            export.diagnostics.push(given_twice(&template));
        } else {
            templates.add(template);
        }
    }
    if templates.is_empty() && export.is_ok() {
        let message = "nothing to export: there is no template";
        let diagnostic = Diagnostic::error(inspect::NOTHING_TO_CHECK, message);
        let help = "objects of kind Template and VirtualMachineTemplate are exported";
        export.diagnostics.push(diagnostic.help(help));
    }
    export.templates = templates.len();
    let units = Units::of(&templates);
    let mut reported = HashSet::new();
    for template in templates.iter() {
        let all_rules = template.all_rules();
        if all_rules.is_empty() {
            export.diagnostics.push(report::template_without_rules(template.object()));
        }
        for rules in all_rules {
            if reported.insert(rules.text.clone()) {
                export.diagnostics.extend(rules.diagnostics(sources));
            }
        }
    }
    let (mut policies, mut partial) = (Vec::new(), HashMap::new());
    if export.is_ok() {
        for unit in units.iter() {
            let (exported, left_out) = policy::policies(unit, &units, &input.options.prefix);
            if let Some(first) = left_out.first() {
                let texts = unit.texts().map(|it| (Arc::clone(it), first.rule().to_owned()));
                partial.extend(texts);
            }
            export.diagnostics.extend(left_out.into_iter().map(|it| it.diagnostic(sources)));
            policies.extend(exported);
        }
    }
    if export.is_ok() {
        policy::name_apart(&mut policies);
        export.documents = manifest::documents(&policies, &input.options.namespace);
        export.policies = policies.len();
        let machines = inspect::objects(&machines).filter(|it| inspect::is_machine(*it));
        let comparison = compare::compare(machines, &templates, &policies, &partial);
        export.comparison = comparison.0;
        export.diagnostics.extend(comparison.1);
    }
    export
}

fn not_a_template(object: Object<'_>) -> Diagnostic {
    let kind = plain(object.kind().unwrap_or("an object without a kind"));
    let name = object.full_name();
    let message = message!("{kind} `{}` is not exported: it is not a template", plain(name));
    let diagnostic = Diagnostic::warning(NOT_EXPORTED, message).at(object.origin, "");
    match object.kind() {
        Some("VirtualMachine") => diagnostic
            .help("use --check to compare the verdicts of the policies on virtual machines"),
        _ => diagnostic,
    }
}

fn given_twice(template: &VmTemplate) -> Diagnostic {
    let name = template.full_name();
    let message = message!("template `{}` is given twice; the first one is used", plain(name));
    Diagnostic::warning(GIVEN_TWICE, message).at(template.object().origin, "")
}
