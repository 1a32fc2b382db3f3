//! The library that the input of a run is.

use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_schema::Schema;
use plumb_value::Document;

use crate::GivenValues;
use crate::layer::Layer;
use crate::library::{Library, LibraryOptions, Rendered};
use crate::run::Run;
use crate::tree::DirectoryId;

/// The root library of a run, whose stages follow each other: schema, data values, rendering.
pub struct RootLibrary {
    library: Library,
    schema: Schema,
    /// Schemas for libraries inside it.
    inner_schemas: Vec<Layer>,
}

impl RootLibrary {
    /// Reads the schema.
    pub fn new(run: Arc<Run>, options: LibraryOptions) -> Result<Self, Failure> {
        let library = Library::new(run, DirectoryId::ROOT, options);
        library.check_syntax()?;
        let schema = library.schema(Vec::new())?;
        Ok(Self { library, schema: schema.own, inner_schemas: schema.inner })
    }

    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Works out the data values; those for libraries inside it are set aside.
    pub fn values(&self, given: Vec<GivenValues>) -> Result<RootValues, Failure> {
        let given = given.into_iter().map(Layer::from_given).collect::<Result<Vec<_>, _>>()?;
        let (inner, own): (Vec<Layer>, Vec<Layer>) =
            given.into_iter().partition(Layer::is_for_another_library);
        let mut values = self.library.values(&self.schema, own)?;
        values.inner.extend(inner);
        Ok(RootValues { document: values.own, inner: values.inner })
    }

    /// Evaluates the files.
    pub fn render(self, values: RootValues) -> Result<Rendered, Failure> {
        self.library.render(values.document.node, values.inner, self.inner_schemas)
    }
}

/// The data values of a run.
pub struct RootValues {
    pub document: Document,
    inner: Vec<Layer>,
}
