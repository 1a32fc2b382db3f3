//! The documents of a library that are declarations instead of output: data values and schemas.
//!
//! Files that contain them are evaluated first. A file mark can also declare every document of a
//! file.

use std::sync::Arc;

use memchr::memmem;
use plumb_diagnostic::{Code, Diagnostic, Failure, Failures};
use plumb_source::{Message, Origin, lexical};
use plumb_value::{Annotation, Datum, Document, Node};

use crate::activity::Activity;
use crate::environment::{Documents, Environment, Visible};
use crate::input_error::InputError;
use crate::layer::{self, Layer};
use crate::library::{Library, has_met_limit};
use crate::purpose::{DATA_VALUES, DEFINITION, Purpose};
use crate::{FileType, keys};

/// A file with data values (or a schema) also has another document.
///
/// Move the other document to a separate file.
pub(crate) const MIXED_DOCUMENTS: Code = Code::new("data-values/mixed-documents");

/// `@schema/definition` does not state what it defines.
///
/// Write `#@schema/definition data_values=True`, or `#@data/values-schema`, which is the same.
pub(crate) const BAD_DEFINITION: Code = Code::new("schema/bad-definition");

/// The files of a library that declare something.
pub(crate) struct Declaring {
    /// In the order of input.
    pub(crate) files: Vec<usize>,
    /// Whether the list is complete. A file that cannot be read may contain declarations too.
    pub(crate) is_complete: bool,
}

/// Parses all templates, and reports all syntax errors and all misplaced annotations of schemas,
/// in the order of the files.
pub(crate) fn check_files(library: &Library, failures: &mut Failures) {
    let mut files = library.run().tree.visited(library.root());
    files.retain(|&at| is_yaml_template(library, at));
    library.run().parse_ahead(&files, library.options().is_strict);
    for &at in &files {
        if failures.keep(library.run().parsed(at, library.options().is_strict)).is_some() {
            failures.keep(declares(library, at, Purpose::Schema));
        }
    }
}

/// Returns the files of the library that contain declarations. Mistakes in these are added to
/// `failures`, unless [`check_files`] reports them.
pub(crate) fn declaring(library: &Library, purpose: Purpose, failures: &mut Failures) -> Declaring {
    let mut declaring = Declaring { files: Vec::new(), is_complete: true };
    for at in library.run().tree.visited(library.root()) {
        if is_broken(library, at) {
            declaring.is_complete &= !may_declare(library, at, purpose);
            continue;
        }
        match declares(library, at, purpose) {
            Ok(true) => declaring.files.push(at),
            Ok(false) => {}
            Err(failure) => {
                if purpose != Purpose::Schema {
                    failures.add(failure);
                }
                declaring.is_complete = false;
            }
        }
    }
    declaring.files.sort_unstable();
    declaring
}

/// Returns whether a file contains declarations, valid or not, and therefore is not output.
pub(crate) fn is_declaring(library: &Library, at: usize) -> bool {
    Purpose::ALL.into_iter().any(|purpose| declares(library, at, purpose).unwrap_or(true))
}

/// Returns whether a file is a YAML template that cannot be parsed.
pub(crate) fn is_broken(library: &Library, at: usize) -> bool {
    is_yaml_template(library, at) && library.run().parsed(at, library.options().is_strict).is_err()
}

fn declares(library: &Library, at: usize, purpose: Purpose) -> Result<bool, Failure> {
    if !is_yaml_template(library, at) {
        return Ok(false);
    }
    let is_marked = purpose == Purpose::Values && library.run().file(at).is_data_values();
    Ok(library.run().is_declared(at, library.options().is_strict, purpose)? || is_marked)
}

fn is_yaml_template(library: &Library, at: usize) -> bool {
    let input = library.run().file(at);
    input.file_type() == FileType::Yaml && input.is_template()
}

/// Returns whether a file that cannot be parsed seems to contain a declaration.
fn may_declare(library: &Library, at: usize, purpose: Purpose) -> bool {
    let run = library.run();
    let has = |bytes: &[u8], name: &str| {
        let annotation = [b"#@", name.as_bytes()].concat();
        memmem::find(bytes, &annotation).is_some()
    };
    // A file that cannot be read may contain declarations.
    run.source(at).map_or(true, |file| {
        let source = run.sources.get(file);
        let is_marked = purpose == Purpose::Values && run.file(at).is_data_values();
        is_marked || purpose.annotations().iter().any(|name| has(source.bytes(), name))
    })
}

/// Returns the documents of declaring files as layers, in the order of the files.
pub(crate) fn layers(
    library: &Library,
    files: &[usize],
    purpose: Purpose,
    failures: &mut Failures,
) -> Vec<Layer> {
    let values = Some(layer::empty_values().node);
    let visible = Visible { values, ..Visible::default() };
    let environment = library.environment(visible, Documents::AreUsed);
    let mut layers = Vec::new();
    for &at in files {
        let path = library.run().file(at).path();
        let documents = declaring_documents(library, &environment, at, purpose)
            .map_err(|it| it.within(Activity::EvaluateDeclaring(path.to_owned())));
        let has_met_limit = documents.as_ref().is_err_and(has_met_limit);
        for document in failures.keep(documents).into_iter().flatten() {
            layers.extend(failures.keep(Layer::from_document(document, &library.run().sources)));
        }
        if has_met_limit {
            break;
        }
    }
    layers
}

fn declaring_documents(
    library: &Library,
    environment: &Arc<Environment>,
    at: usize,
    purpose: Purpose,
) -> Result<Vec<Document>, Failure> {
    let mut documents = environment.documents(at)?;
    let input = library.run().file(at);
    if purpose == Purpose::Values && input.is_data_values() {
        documents.iter().try_for_each(keys::check_unique)?;
        documents.iter_mut().for_each(mark_as_values);
    }
    let (mut declaring, others): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|it| purpose.is_of(it));
    if let Some(other) = others.iter().find(|it| !it.node.is_empty_document()) {
        return Err(mixed(input.path(), purpose, other.origin));
    }
    if purpose == Purpose::Schema {
        declaring.iter_mut().try_for_each(prepare_schema)?;
    }
    Ok(declaring)
}

/// Prepares a schema document to be merged with others.
pub(crate) fn prepare_schema(document: &mut Document) -> Result<(), Failure> {
    if let Some(annotation) = document.meta.annotation(DEFINITION) {
        check_definition(annotation)?;
    }
    plumb_schema::prepare(document).map_err(|diagnostic| Failure::from(*diagnostic))
}

fn check_definition(annotation: &Annotation) -> Result<(), Failure> {
    let [(name, Datum::Node(Node::Bool(true)))] = annotation.kwargs.as_slice() else {
        return Err(bad_definition(annotation));
    };
    if &**name != "data_values" || !annotation.args.is_empty() {
        return Err(bad_definition(annotation));
    }
    Ok(())
}

fn bad_definition(annotation: &Annotation) -> Failure {
    let message = "expected @schema/definition to say what it defines: data_values=True";
    at(annotation.span.map_or(Origin::Unknown, Origin::Written), BAD_DEFINITION, message, "")
}

/// Applies the file mark to a document without the annotation: it contains data values, and may add
/// undeclared keys. Annotated and empty documents are not changed.
fn mark_as_values(document: &mut Document) {
    let is_declared = Purpose::ALL.iter().any(|purpose| purpose.is_of(document));
    if is_declared || document.node.is_empty_document() {
        return;
    }
    let annotation = |name: &str, kwargs| Annotation::new(name.into(), Vec::new(), kwargs, None);
    let missing_ok = vec![("missing_ok".into(), Datum::Node(Node::Bool(true)))];
    let annotations = document.meta.annotations_mut();
    annotations.set(annotation(DATA_VALUES, Vec::new()));
    if !annotations.has("overlay/match-child-defaults") {
        annotations.set(annotation("overlay/match-child-defaults", missing_ok));
    }
}

fn mixed(path: &str, purpose: Purpose, origin: Origin) -> Failure {
    let path = lexical::one_line(path).into();
    let error = InputError::Mixed { purpose: purpose.words(), path };
    let finding = Diagnostic::error(MIXED_DOCUMENTS, error.message());
    let finding = finding.at(origin, "this is another kind of document");
    finding.help("move it to a separate file").into()
}

fn at(origin: Origin, code: Code, message: impl Into<Message>, label: &'static str) -> Failure {
    let diagnostic = Diagnostic::error(code, message);
    diagnostic.at(origin, label).into()
}
