//! A library that can be evaluated: its files, and the options for reading them.
//!
//! The input of a run is the root library; others are below a `_ytt_lib`, and are evaluated when a
//! template requests them. The stages of an evaluation are in `schema`, `values` and `render`, in
//! this order.

use std::sync::Arc;

use plumb_diagnostic::{Failure, Failures, SilentDrops};
use plumb_value::Document;

use crate::activity::Order;
use crate::environment::{Documents, Environment, ModuleSource, Visible};
use crate::layer::Layer;
use crate::run::{LibraryOptions, Run};
use crate::tree::DirectoryId;

/// A library that can be evaluated.
#[derive(Clone)]
pub(crate) struct Library {
    run: Arc<Run>,
    modules: Arc<ModuleSource>,
    root: DirectoryId,
    options: LibraryOptions,
}

/// The layers of one library, and the layers for its inner libraries.
pub(crate) struct Split<T> {
    pub(crate) own: T,
    pub(crate) inner: Vec<Layer>,
}

impl Library {
    pub(crate) fn new(
        run: Arc<Run>,
        modules: Arc<ModuleSource>,
        root: DirectoryId,
        options: LibraryOptions,
    ) -> Self {
        Self { run, modules, root, options }
    }

    pub(crate) fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// The directory of the library.
    pub(crate) fn root(&self) -> DirectoryId {
        self.root
    }

    pub(crate) fn options(&self) -> LibraryOptions {
        self.options
    }

    /// Returns whether input that ytt drops silently is reported.
    pub(crate) fn is_strict(&self) -> bool {
        self.run.runtime.silent_drops() == SilentDrops::Refuse
    }

    /// Merges one document onto another.
    pub(crate) fn overlay(
        &self,
        left: Document,
        right: &Document,
        failures: &mut Failures,
    ) -> Option<Document> {
        let mut warnings = Vec::new();
        let sources = &self.run.sources;
        let merged = plumb_overlay::merge_document(left, right, sources, &mut warnings, failures);
        self.run.runtime.warn(warnings);
        merged
    }

    pub(crate) fn environment(&self, visible: Visible, documents: Documents) -> Arc<Environment> {
        let (run, modules) = (Arc::clone(&self.run), Arc::clone(&self.modules));
        let environment = Environment::new(run, modules, self.root, self.options, visible);
        Arc::new(match documents {
            Documents::ComeOut => environment.with_output_rules(),
            Documents::AreUsed => environment,
        })
    }

    /// Returns the documents that are merged: those of files, then overlays.
    pub(crate) fn order(&self, files: &[usize], overlays: &[Layer]) -> Order {
        let files = files.iter().map(|&at| self.run.file(at).path().to_owned());
        Order { files: files.collect(), has_more: !overlays.is_empty() }
    }
}

/// Returns whether a template exceeded a limit. No other templates are evaluated then, because each
/// may take as long.
pub(crate) fn has_met_limit(failure: &Failure) -> bool {
    failure.findings().iter().any(|it| it.code == plumb_template::LIMIT)
}
