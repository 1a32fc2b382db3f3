//! The data values of a run.
//!
//! So far they come from flags alone; no template reads them yet.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_library::{GivenValues, ValueSources};
use plumb_source::{Origin, Sources, World};
use plumb_value::{Document, Map, Node};

use crate::Options;

/// Several data values would have to be merged, or a schema shown, which this version cannot do.
pub(crate) const NOT_SUPPORTED_YET: Code = Code::new("data-values/not-supported-yet");

/// Data values are for a library that no template uses.
///
/// Check the name of the library in the flag or annotation.
pub(crate) const UNUSED_LIBRARY_VALUES: Code = Code::new("data-values/unused");

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

/// The data values of the root library as one document: an empty map if there are none.
pub(crate) fn of_root(values: Vec<GivenValues>) -> Result<Document, Failure> {
    let mut of_root = values.into_iter().filter(|it| it.library.is_none());
    let first = of_root.next().map(|it| it.document);
    if of_root.next().is_some() {
        return Err(not_supported("several data values cannot be merged by this version yet"));
    }
    let none = || Document::new(Node::map(Map::new(Vec::new(), Origin::Unknown)), Origin::Unknown);
    Ok(first.unwrap_or_else(none))
}

/// Refuses values for a library that were not used.
pub(crate) fn check_used(values: &[GivenValues], sources: &Sources) -> Result<(), Failure> {
    let of_libraries = values.iter().filter_map(|it| Some((it.library.as_ref()?, &it.document)));
    let unused: Vec<String> = of_libraries
        .map(|(library, document)| {
            let place = document.origin.span().map(|span| sources.place(span)).unwrap_or_default();
            format!("Data Value belonging to library '{library}' on line {place}")
        })
        .collect();
    if unused.is_empty() {
        return Ok(());
    }
    let message = format!(
        "Expected all provided library data values documents to be used but found unused: {}",
        unused.join(", ")
    );
    Err(Diagnostic::error(UNUSED_LIBRARY_VALUES, message).into())
}

pub(crate) fn no_schema_yet() -> Failure {
    not_supported("schemas of data values are not supported by this version yet")
}

fn not_supported(message: &str) -> Failure {
    Diagnostic::error(NOT_SUPPORTED_YET, message).into()
}
