//! The library that the input of a run is.

use std::sync::Arc;

use plumb_diagnostic::Failures;
use plumb_schema::Schema;
use plumb_value::Document;

use crate::GivenValues;
use crate::layer::Layer;
use crate::library::{Library, LibraryOptions, Rendered};
use crate::run::Run;
use crate::tree::DirectoryId;

/// The root library of a run, whose stages follow each other: schema, data values, rendering.
///
/// What is wrong is added to `failures`, and each stage goes on as far as it makes sense, so that
/// all of it is reported. A stage returns `None` if its result is not what was asked for.
pub struct RootLibrary {
    library: Library,
    /// None if something is wrong with it.
    schema: Option<Schema>,
    /// Schemas for libraries inside it.
    inner_schemas: Vec<Layer>,
}

impl RootLibrary {
    /// Reads the files and the schema.
    pub fn new(run: Arc<Run>, options: LibraryOptions, failures: &mut Failures) -> Self {
        let library = Library::new(run, DirectoryId::ROOT, options);
        library.check_syntax(failures);
        let (schema, inner_schemas) = match library.schema(Vec::new(), failures) {
            Some(schema) => (Some(schema.own), schema.inner),
            None => (None, Vec::new()),
        };
        Self { library, schema, inner_schemas }
    }

    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// Works out the data values; those for libraries inside it are set aside. Some of the values
    /// that were given may be missing, since something is wrong with them: `are_all_given` says so.
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
        let mut values = self.library.values(self.schema.as_ref(), own, are_all_given, failures)?;
        values.inner.extend(inner);
        Some(RootValues { document: values.own, inner: values.inner })
    }

    /// Evaluates the files: without data values, those that do not need them.
    pub fn render(self, values: Option<RootValues>, failures: &mut Failures) -> Option<Rendered> {
        let (values, inner) = match values {
            Some(values) => (Some(values.document.node), values.inner),
            None => (None, Vec::new()),
        };
        self.library.render(values, inner, self.inner_schemas, failures)
    }
}

/// The data values of a run.
pub struct RootValues {
    pub document: Document,
    inner: Vec<Layer>,
}
