//! Checks files with virtual machines and templates as a whole: `plumb vm check` without the
//! command line.

mod found;

use std::collections::HashSet;

use plumb_diagnostic::pretty::Values;
use plumb_diagnostic::{Code, Diagnostic, Severity};
use plumb_source::message::plain;
use plumb_source::{FileId, Message, Sources, Span, message};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

use crate::machine::{self, Source};
use crate::object::{self, Object};
use crate::report::{self, Findings};
use crate::rule::Rules;
use crate::template::{Templates, VmTemplate};
use crate::verdict::{self, Verdict};

pub use found::{BrokenRule, Inspection, Summary, UncheckedRule};

/// The files contain neither a virtual machine nor a template.
///
/// A check without any object must not succeed. Name files with objects of `kind: VirtualMachine`
/// or `kind: Template`.
pub const NOTHING_TO_CHECK: Code = Code::new("kubevirt/nothing-to-check");

/// The virtual machine of a template cannot be checked.
///
/// A required parameter has no value, and it is used for something other than a string. Give it a
/// default (`value:`), so that the virtual machine can be checked before the parameter is set.
pub const UNFILLED: Code = Code::new("kubevirt/unfilled-parameter");

/// What to check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// Templates that virtual machines may name.
    pub templates: &'a [FileId],
    /// Virtual machines, and templates to check themselves. If it is `None`, the templates in
    /// `templates` are checked.
    pub files: Option<&'a [FileId]>,
    /// Messages about files that could not be read.
    pub unreadable: &'a [String],
}

/// A file does not exist, or cannot be read.
///
/// Check the path: it starts from the working directory. The other files are still checked.
pub const UNREADABLE: Code = Code::new("kubevirt/unreadable");

/// Checks the virtual machines and templates in files. Findings are reported in the order of the
/// files.
pub fn inspect(sources: &Sources, input: Input<'_>) -> Inspection {
    let mut inspector = Inspector::new(sources);
    inspector.unreadable(input.unreadable);
    let given: Vec<Document> = inspector.read(input.templates);
    let documents: Vec<Document> = inspector.read(input.files.unwrap_or_default());
    let mut known = Templates::default();
    for object in objects(&given) {
        known.add(VmTemplate::new(object));
    }
    let only = known.only().map(|it| it.object().name().to_owned());
    let alone: Vec<VmTemplate> = match input.files {
        None => objects(&given).map(VmTemplate::new).collect(),
        Some(_) => objects(&documents).filter(|it| is_template(*it)).map(VmTemplate::new).collect(),
    };
    for object in objects(&documents).filter(|it| is_template(*it)) {
        known.add(VmTemplate::new(object));
    }
    let fallback = only.and_then(|name| known.first(&name));
    for machine in objects(&documents).filter(|it| is_machine(*it)) {
        inspector.machine(machine, &known, fallback);
    }
    for template in &alone {
        inspector.template(template);
    }
    inspector.finish()
}

/// Returns whether files contain virtual machines or templates of them, by the kind that their
/// objects name. Files that cannot be read are ignored.
pub fn contains_machines(sources: &Sources, files: &[FileId]) -> bool {
    let documents = Inspector::new(sources).read(files);
    let mut kinds = objects(&documents).map(|it| it.kind().map(str::to_owned));
    kinds.any(|kind| {
        matches!(kind.as_deref(), Some("VirtualMachine" | "Template" | "VirtualMachineTemplate"))
    })
}

/// A message and its place.
type Said = (Message, Option<Span>);

pub(crate) struct Inspector<'s> {
    sources: &'s Sources,
    inspection: Inspection,
}

impl<'s> Inspector<'s> {
    pub(crate) fn new(sources: &'s Sources) -> Self {
        Self { sources, inspection: Inspection::default() }
    }

    /// Reports files that could not be read.
    pub(crate) fn unreadable(&mut self, problems: &[String]) {
        for problem in problems {
            self.unchecked("", "", "file", plain(problem));
            let diagnostic = Diagnostic::error(UNREADABLE, plain(problem));
            self.inspection.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.inspection.diagnostics
    }

    pub(crate) fn read(&mut self, files: &[FileId]) -> Vec<Document> {
        let mut documents = Vec::new();
        for file in files {
            let source = self.sources.get(*file);
            let options = ReadOptions { comments: false, ..ReadOptions::default() };
            match plumb_yaml::parse(*file, source.bytes(), &options) {
                Ok(read) => documents.extend(read),
                Err(error) => {
                    let diagnostic = error.diagnostic();
                    let message = message!("{}: {}", plain(source.name()), diagnostic.message);
                    self.unchecked("", "", "yaml", message);
                    self.inspection.diagnostics.push(diagnostic);
                }
            }
        }
        documents
    }

    fn machine(&mut self, machine: Object<'_>, known: &Templates, fallback: Option<&VmTemplate>) {
        match machine::source(machine, known, fallback) {
            Source::Own(rules) => {
                self.validate(machine, Some(&rules));
            }
            Source::Template(_, rules) => {
                self.validate(machine, Some(rules));
            }
            Source::None(why) => {
                if self.validate(machine, None) {
                    self.inspection.diagnostics.extend(report::without_rules(machine, &why));
                }
            }
        }
    }

    /// Checks a virtual machine and returns whether it satisfies the rules.
    fn validate(&mut self, machine: Object<'_>, rules: Option<&Rules>) -> bool {
        let verdict = verdict::validate(machine, rules);
        let diagnostics = self.record(&verdict);
        self.inspection.diagnostics.extend(diagnostics);
        verdict.is_ok()
    }

    /// Counts a verdict, lists the broken rules, and returns the findings.
    fn record(&mut self, verdict: &Verdict<'_>) -> Vec<Diagnostic> {
        self.inspection.summary.machines += 1;
        self.inspection.summary.refused += usize::from(!verdict.is_ok());
        let machine = verdict.machine.full_name();
        let findings = Findings::of(verdict, self.sources);
        let broken = verdict.broken(Values::Masked).zip(verdict.broken(Values::Shown));
        let broken = broken.zip(findings.violations());
        self.inspection.broken.extend(broken.map(|((it, shown), violations)| BrokenRule {
            machine: machine.clone(),
            rule: it.rule.to_owned(),
            message: it.message,
            message_with_values: shown.message,
            is_warning: it.is_warning,
            violations,
        }));
        for it in verdict.unchecked() {
            self.unchecked(&machine, it.rule, &it.kind, it.message);
        }
        findings.diagnostics()
    }

    /// Checks a template by itself: its rules must be well-formed, and its virtual machines must
    /// satisfy them.
    fn template(&mut self, template: &VmTemplate) {
        self.inspection.summary.templates += 1;
        let mut said = HashSet::new();
        let first_row = self.inspection.unchecked.len();
        if let Some(rules) = &template.rules {
            self.say_once(rules.diagnostics(self.sources), &mut said);
            for (rule, rule_error) in rules.rule_errors() {
                let it = verdict::unchecked(rule, &rule_error);
                self.unchecked(&template.full_name(), rule, &it.kind, it.message);
            }
        } else {
            let diagnostic = report::template_without_rules(template.object());
            self.inspection.diagnostics.push(diagnostic);
        }
        for diagnostic in report::shared_names(&template.all_rules(), self.sources) {
            let message = diagnostic.message.clone();
            self.unchecked(&template.full_name(), "", "duplicate-name", message);
            self.inspection.diagnostics.push(diagnostic);
        }
        match template.machines() {
            Ok(machines) => {
                for (node, origin) in machines {
                    self.machine_of(template, Object { node: &node, origin }, &mut said);
                }
            }
            Err(unfilled) => {
                let diagnostic = unfilled_diagnostic(template, &unfilled.parameter);
                self.inspection.diagnostics.push(diagnostic);
            }
        }
        let mut rows = self.inspection.unchecked.split_off(first_row);
        rows.dedup_by(|one, other| one.reports_same(other));
        self.inspection.unchecked.extend(rows);
    }

    /// Checks a virtual machine that a template creates. Findings about the template are not
    /// repeated.
    fn machine_of(&mut self, template: &VmTemplate, machine: Object<'_>, said: &mut HashSet<Said>) {
        let own = machine::own_rules(machine);
        let verdict = verdict::validate(machine, own.as_ref().or(template.rules.as_ref()));
        let diagnostics = self.record(&verdict);
        self.say_once(diagnostics, said);
    }

    fn say_once(&mut self, diagnostics: Vec<Diagnostic>, said: &mut HashSet<Said>) {
        let place = |it: &Diagnostic| it.labels.first().map(|label| label.span);
        let new = diagnostics.into_iter().filter(|it| said.insert((it.message.clone(), place(it))));
        self.inspection.diagnostics.extend(new);
    }

    fn unchecked(&mut self, machine: &str, rule: &str, kind: &str, message: impl Into<Message>) {
        self.inspection.unchecked.push(UncheckedRule {
            machine: machine.to_owned(),
            rule: rule.to_owned(),
            kind: kind.to_owned(),
            message: message.into(),
        });
    }

    fn finish(mut self) -> Inspection {
        let Summary { machines, templates, .. } = self.inspection.summary;
        if machines + templates == 0 && self.inspection.unchecked.is_empty() {
            let message = "nothing to check: there is no virtual machine and no template";
            self.unchecked("", "", "nothing-to-check", message);
            let diagnostic = Diagnostic::error(NOTHING_TO_CHECK, message);
            let help =
                "objects of kind VirtualMachine, Template and VirtualMachineTemplate are checked";
            self.inspection.diagnostics.push(diagnostic.help(help));
        }
        let count = |severity| {
            self.inspection.diagnostics.iter().filter(|it| it.severity == severity).count()
        };
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        self.inspection.summary.errors = errors;
        self.inspection.summary.warnings = warnings;
        self.inspection
    }
}

pub(crate) fn objects(documents: &[Document]) -> impl Iterator<Item = Object<'_>> {
    let objects = documents.iter().flat_map(|it| object::objects(&it.node, it.origin));
    objects.filter(|it| !it.node.is_null())
}

fn is_template(object: Object<'_>) -> bool {
    object.is_template()
}

/// An object with a `spec` and without a kind counts as a virtual machine.
pub(crate) fn is_machine(object: Object<'_>) -> bool {
    match object.kind() {
        Some(kind) => kind == "VirtualMachine",
        None => object.node.as_map().is_none_or(|map| map.get_str("spec").is_some()),
    }
}

fn unfilled_diagnostic(template: &VmTemplate, parameter: &str) -> Diagnostic {
    let name = template.full_name();
    let (name, parameter) = (plain(name), plain(parameter));
    let message = message!(
        "the virtual machine of template `{name}` is not checked: parameter `{parameter}` has no value"
    );
    let diagnostic = Diagnostic::warning(UNFILLED, message);
    diagnostic.at(template.object().origin, "")
}
