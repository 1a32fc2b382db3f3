//! Schemas of data values in files, for commands that validate other documents against them.

use std::path::Path;
use std::sync::Arc;

use plumb_diagnostic::{Failure, Failures};
use plumb_library::{LibraryOptions, RootLibrary, Run, SchemaWork, Tree};
use plumb_schema::{Mismatch, Schema, Touched};
use plumb_source::{Sources, Text, World};

use plumb_template::{RuntimeOwner, Settings};
use plumb_validation::{Parents, Violation};
use plumb_value::Document;

use crate::ReadLimits;

/// A schema for validating documents.
#[derive(Debug)]
pub(super) struct DataSchema {
    schema: Schema,
    /// The runtime for the functions in the rules of the schema. It also counts the steps of
    /// checks.
    runtime: RuntimeOwner,
}

/// Returns the schema in the file at `path`, or in the files of the directory there. Returns `None`
/// if none of their documents is a schema. Their output is passed to `print`.
pub(super) fn data_schema(
    world: &Arc<dyn World>,
    path: &Path,
    sources: &Arc<Sources>,
    settings: Settings,
    print: impl Fn(&Text) + Send + Sync + 'static,
) -> Result<Option<DataSchema>, Failure> {
    let options = LibraryOptions { ignores_unknown_comments: true, ..LibraryOptions::default() };
    let paths = [path.to_string_lossy().into_owned()];
    let collected = plumb_library::collect(
        &**world,
        &paths,
        &plumb_library::SymlinkPolicy::default(),
        plumb_library::SilentDrops::Refuse,
    )?;
    let runtime = RuntimeOwner::new(Arc::clone(sources), settings, print);
    let tree = Arc::new(Tree::new(collected.files));
    let run = Run::new(Arc::clone(world), Arc::clone(&runtime), tree, ReadLimits::default(), None);
    let mut failures = Failures::default();
    let library = RootLibrary::new(run, options, &mut failures);
    failures.into_result()?;
    let declared = library.schema().filter(|it| it.defaults().is_some());
    Ok(declared.map(|it| DataSchema { schema: it.clone(), runtime }))
}

impl DataSchema {
    /// Returns the violations of a document, which is the `index`th of its file: values that do not
    /// have the declared types or, if there are none, values that break a rule. Missing values get
    /// their defaults.
    pub(super) fn violations(&self, document: &Document, index: usize) -> Vec<Violation> {
        let checked = plumb_library::check_within(self.runtime.budget(), SchemaWork::Try, |work| {
            let mut whole = document.clone();
            let mismatches =
                plumb_schema::conform(&self.schema, &mut whole, Touched::Everything, work);
            if !mismatches.is_empty() {
                return mismatches.iter().map(Mismatch::worded).collect();
            }
            // Only annotations of the document itself could be malformed, and it has none.
            let found =
                plumb_schema::validate(&self.schema, &mut whole, index, Parents::Wait, work);
            found.unwrap_or_default()
        });
        checked.unwrap_or_else(|failure| {
            let stopped = failure.findings().first().map(|it| it.message.clone());
            vec![Violation::stopped(document.origin, stopped.unwrap_or_default())]
        })
    }
}
