//! The data values of a run.
//!
//! So far they come from flags alone; no template reads them yet.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_library::{GivenValues, ValueSources};
use plumb_source::{Origin, Sources, World};
use plumb_value::{Document, Map, Node};

use crate::Options;

/// A schema is to be shown, which this version cannot do yet.
pub(crate) const NOT_SUPPORTED_YET: Code = Code::new("data-values/not-supported-yet");

/// Data values are for a library that no template uses.
///
/// Check the name of the library in the flag or annotation.
pub(crate) const UNUSED_LIBRARY_VALUES: Code = Code::new("data-values/unused");

/// The data values of a run.
#[derive(Debug)]
pub(crate) struct DataValues {
    /// An empty map if there are none.
    pub(crate) of_root: Document,
    /// For whom they are is found out when libraries are used.
    pub(crate) of_libraries: Vec<GivenValues>,
}

/// Reads the data values that flags give.
pub(crate) fn given(
    world: &dyn World,
    options: &Options,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<GivenValues>, Failure> {
    let from = ValueSources {
        world,
        sources,
        symlinks: &options.symlinks,
        drops: options.silent_drops,
        reading: &options.dialect.read_options(),
    };
    plumb_library::given_values(&options.data_values, from, warnings)
}

/// Lays given values over each other, those of the root library.
pub(crate) fn merge(
    given: Vec<GivenValues>,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<DataValues, Failure> {
    let (of_root, of_libraries): (Vec<_>, Vec<_>) =
        given.into_iter().partition(|it| it.library.is_none());
    let mut documents = of_root.into_iter().map(|it| it.document);
    let first = documents.next().unwrap_or_else(no_values);
    let lay_over =
        |left, right: Document| plumb_overlay::merge_document(left, &right, sources, warnings);
    let of_root = documents.try_fold(first, lay_over).map_err(|failure| {
        failure.within("Overlaying data values (in following order: additional data values)")
    })?;
    Ok(DataValues { of_root, of_libraries })
}

fn no_values() -> Document {
    Document::new(Node::map(Map::new(Vec::new(), Origin::Unknown)), Origin::Unknown)
}

/// Refuses values for libraries that were not used.
pub(crate) fn check_used(unused: &[GivenValues], sources: &Sources) -> Result<(), Failure> {
    if unused.is_empty() {
        return Ok(());
    }
    let described: Vec<String> = unused.iter().map(|it| describe(it, sources)).collect();
    let message = format!(
        "Expected all provided library data values documents to be used but found unused: {}",
        described.join(", ")
    );
    Err(Diagnostic::error(UNUSED_LIBRARY_VALUES, message).into())
}

fn describe(values: &GivenValues, sources: &Sources) -> String {
    let library = values.library.as_deref().unwrap_or_default();
    let place = values.document.origin.span().map(|span| sources.place(span)).unwrap_or_default();
    format!("Data Value belonging to library '{library}' on line {place}")
}

pub(crate) fn no_schema_yet() -> Failure {
    let message = "schemas of data values are not supported by this version yet";
    Diagnostic::error(NOT_SUPPORTED_YET, message).into()
}
