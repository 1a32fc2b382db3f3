//! Virtual machines of KubeVirt, and the rules of their templates.

mod read;

use std::path::Path;
use std::sync::Arc;

use plumb_kubevirt::export;
use plumb_kubevirt::inspect::{self, Input};
use plumb_source::{Sources, World, on_deep_stack};

use crate::{Outcome, Session, Stage};
use read::Reader;

pub use plumb_kubevirt::export::{
    Comparison, EXPORT_DIFFERS, Export, ExportOptions, GIVEN_TWICE, NOT_COVERED, NOT_EXPORTED,
};
pub use plumb_kubevirt::inspect::{
    BrokenRule, Inspection, NOTHING_TO_CHECK, Summary, UNFILLED, UNREADABLE, UncheckedRule,
};
pub use plumb_kubevirt::report::{DOUBTFUL, IGNORED, NO_RULES};

/// The files that [`check_machines`] checks.
///
/// Paths name files, directories, or standard input as `-`. Files in a directory are read if their
/// names end in `.yaml`, `.yml` or `.json`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MachineOptions {
    /// Templates that virtual machines may name. If there is only one, it also applies to virtual
    /// machines that do not name a template.
    pub templates: Vec<String>,
    /// Virtual machines, and templates to be checked themselves. If there are none, the templates
    /// in `templates` are checked.
    pub files: Vec<String>,
    /// The session that the run shares with others.
    pub session: Option<Session>,
}

impl MachineOptions {
    /// Options without any file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds templates that virtual machines may name.
    #[must_use]
    pub fn template(mut self, path: impl Into<String>) -> Self {
        self.templates.push(path.into());
        self
    }

    /// Adds virtual machines, or templates to be checked themselves.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>) -> Self {
        self.files.push(path.into());
        self
    }
}

/// Validates virtual machines of KubeVirt against the rules of their templates.
///
/// All findings are in the result, including those about files that cannot be read. The run itself
/// does not fail.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{MachineOptions, World, check_machines};
///
/// let machine = r#"
/// apiVersion: kubevirt.io/v1
/// kind: VirtualMachine
/// metadata:
///   name: small
///   annotations:
///     vm.kubevirt.io/validations: |
///       [{"name": "cores", "rule": "integer", "min": 2, "message": "expected 2 cores",
///         "path": "jsonpath::.spec.template.spec.domain.cpu.cores"}]
/// spec: {template: {spec: {domain: {cpu: {cores: 1}}}}}
/// "#;
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new().file("vm.yaml", machine));
/// let outcome = check_machines(&world, &MachineOptions::new().file("vm.yaml"));
///
/// let inspection = outcome.result.expect("findings do not make it fail");
/// assert!(!inspection.is_ok());
/// assert_eq!(inspection.broken[0].rule, "cores");
/// ```
pub fn check_machines(world: &Arc<dyn World>, options: &MachineOptions) -> Outcome<Inspection> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        let sources = &*outcome.sources;
        let mut reader = Reader::new(&**world, sources);
        let templates = reader.read(&options.templates);
        let files = reader.read(&options.files);
        let input = Input {
            templates: &templates,
            files: (!options.files.is_empty()).then_some(&*files),
            unreadable: &reader.problems,
        };
        outcome.result = Ok(inspect::inspect(sources, input));
        outcome.reached = Stage::Render;
        outcome
    })
}

/// Exports the rules of the templates in [`MachineOptions::templates`] as admission policies of
/// Kubernetes. The policies' verdicts on the virtual machines in [`MachineOptions::files`] are
/// compared with those of [`check_machines`].
///
/// All findings are in the result, including those about files that cannot be read. The run itself
/// does not fail.
pub fn export_policies(
    world: &Arc<dyn World>,
    options: &MachineOptions,
    how: &ExportOptions,
) -> Outcome<Export> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        let sources = &*outcome.sources;
        let mut reader = Reader::new(&**world, sources);
        let templates = reader.read(&options.templates);
        let machines = reader.read(&options.files);
        let input = export::Input {
            templates: &templates,
            machines: &machines,
            unreadable: &reader.problems,
            options: how,
        };
        outcome.result = Ok(export::export(sources, input));
        outcome.reached = Stage::Render;
        outcome
    })
}

/// Returns whether a file contains virtual machines, or templates of them. Only files whose names
/// end in `.yaml`, `.yml` or `.json` are read.
pub fn contains_machines(world: &Arc<dyn World>, path: &str) -> bool {
    if !read::is_wanted(Path::new(path)) {
        return false;
    }
    on_deep_stack(|| {
        let sources = Sources::new();
        let files = Reader::new(&**world, &sources).read(&[path.to_owned()]);
        inspect::contains_machines(&sources, &files)
    })
}
