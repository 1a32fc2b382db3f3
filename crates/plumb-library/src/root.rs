//! The root library: the input of a run.

use std::sync::Arc;

use plumb_diagnostic::Failures;
use plumb_schema::Schema;
use plumb_value::Document;

use crate::environment::Visible;
use crate::layer::Layer;
use crate::library::Library;
use crate::render::{Rendered, render};
use crate::run::{LibraryOptions, Run};
use crate::tree::DirectoryId;
use crate::{GivenValues, declared, modules, schema, values};

/// The root library of a run. Its stages are called in this order: schema, data values, rendering.
///
/// Mistakes are added to `failures`, and each stage continues as far as possible, so that all
/// mistakes are reported. A stage returns `None` if its result cannot be used.
pub struct RootLibrary {
    library: Library,
    /// `None` if there is a mistake in it.
    schema: Option<Schema>,
    /// Schemas for inner libraries.
    inner_schemas: Vec<Layer>,
}

impl RootLibrary {
    /// Reads the files and the schema. Mistakes are added to `failures`.
    pub fn new(run: Arc<Run>, options: LibraryOptions, failures: &mut Failures) -> Self {
        let modules = modules::of_run(&run);
        let library = Library::new(run, modules, DirectoryId::ROOT, options);
        declared::check_files(&library, failures);
        let (schema, inner_schemas) = match schema::schema(&library, Vec::new(), failures) {
            Some(schema) => (Some(schema.own), schema.inner),
            None => (None, Vec::new()),
        };
        Self { library, schema, inner_schemas }
    }

    /// The schema of the data values, or `None` if there is a mistake in it.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// Computes the data values. Those for inner libraries are stored for later. `are_all_given` is
    /// false if some values were left out of `given` because of a mistake. Returns `None` if there
    /// is a mistake in the values.
    pub fn values(
        &self,
        given: Vec<GivenValues>,
        are_all_given: bool,
        failures: &mut Failures,
    ) -> Option<RootValues> {
        let n_given = given.len();
        let layers = given.into_iter().filter_map(|it| failures.keep(Layer::from_given(it)));
        let layers: Vec<Layer> = layers.collect();
        let are_all_given = are_all_given && layers.len() == n_given;
        let (inner, own): (Vec<Layer>, Vec<Layer>) =
            layers.into_iter().partition(Layer::is_for_another_library);
        let schema = self.schema.as_ref();
        let mut values = values::values(&self.library, schema, own, are_all_given, failures)?;
        values.inner.extend(inner);
        Some(RootValues { document: values.own, inner: values.inner })
    }

    /// Evaluates the files; without data values, only those that do not need them. Returns `None`
    /// if there is a mistake.
    pub fn render(self, values: Option<RootValues>, failures: &mut Failures) -> Option<Rendered> {
        let (values, library_values) = match values {
            Some(values) => (Some(values.document.node), values.inner),
            None => (None, Vec::new()),
        };
        let visible = Visible { values, library_values, library_schemas: self.inner_schemas };
        render(&self.library, visible, failures)
    }
}

/// The data values of a run.
pub struct RootValues {
    /// The data values of the root library itself.
    pub document: Document,
    inner: Vec<Layer>,
}
