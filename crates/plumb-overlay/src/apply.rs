//! The entry points: output documents, data values and schemas, and `overlay.apply`.

use std::collections::HashSet;

use plumb_diagnostic::{Diagnostic, Failure, Failures};
use plumb_source::{Origin, Sources};
use plumb_value::{Array, Datum, Document, Map, Node};

use crate::annotation::MATCH;
use crate::clean::{Cleaner, clean_meta, cleaned};
use crate::error::OverlayError;
use crate::expectation::Expectation;
use crate::finding::{Activity, BAD_ARGUMENT, NO_DOCUMENT, WITHOUT_EFFECT, WRONG_TYPE};
use crate::item::Item;
use crate::left::{ArrayLeft, Choice, DocumentsLeft, MapLeft};
use crate::level::{Level, Manner, Run};
use crate::{duplicate, engine};

/// The documents that one file evaluated to.
#[derive(Clone, Debug)]
pub struct FileDocuments {
    /// The name of the file, as messages show it.
    pub name: String,
    /// The documents, in the order in which they are output.
    pub documents: Vec<Document>,
}

/// Returns whether a document is an overlay: it is merged into other documents and not output
/// itself.
pub fn is_overlay(document: &Document) -> bool {
    document.meta.annotation(MATCH).is_some()
}

/// Takes the overlays out of the evaluated files and applies each to all other documents, in the
/// order of files and then of documents. Empty documents are dropped, and so are files without
/// other documents.
///
/// `files` must be sorted. `overlay.index` counts documents in this order. An appended document
/// goes to the last file; a document that should replace a missing one goes to the first.
pub fn apply_to_files(
    files: Vec<FileDocuments>,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<FileDocuments>, Failure> {
    let mut overlays = Vec::new();
    let mut overlay_files = Vec::new();
    let mut names = Vec::new();
    let mut sets = Vec::new();
    for file in files {
        let (right, mut left): (Vec<_>, Vec<_>) = file.documents.into_iter().partition(is_overlay);
        left.retain(|document| !document.node.is_empty_document());
        if !right.is_empty() {
            overlay_files.push(file.name.clone());
            overlays.extend(right);
        }
        if !left.is_empty() {
            names.push(file.name);
            sets.push(left);
        }
    }
    let is_overlaid = !overlays.is_empty();
    if is_overlaid {
        for document in overlays.iter_mut().chain(sets.iter_mut().flatten()) {
            forget_expression(document);
        }
    }
    let sets = apply_to_documents(sets, &overlays, sources, warnings)
        .map_err(|failure| failure.within(Activity::Apply { files: overlay_files }))?;
    let files = names.into_iter().zip(sets).map(|(name, mut documents)| {
        for document in &mut documents {
            document.is_overlaid |= is_overlaid;
        }
        FileDocuments { name, documents }
    });
    Ok(files.collect())
}

/// Treats a document whose expression returned an empty map or array like a document that was
/// written empty. If there are overlays, ytt prints such a document only if an overlay adds to it.
fn forget_expression(document: &mut Document) {
    match &document.node {
        Node::Map(map) if map.is_empty() => {
            document.node = Node::map(Map::new(Vec::new(), Origin::Unknown));
        }
        Node::Array(array) if array.items.is_empty() => {
            document.node = Node::array(Array::new(Vec::new(), Origin::Unknown));
        }
        _ => {}
    }
}

/// Applies overlays to sets of documents, one set per file. Documents that no overlay matches are
/// returned unchanged and share their content with the input.
pub fn apply_to_documents(
    sets: Vec<Vec<Document>>,
    overlays: &[Document],
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Vec<Document>>, Failure> {
    let left = DocumentsLeft::open(sets, Choice::Matched);
    let mut failures = Failures::default();
    let sets = overlaid(left, overlays, &mut Run::new(sources, warnings), &mut failures);
    failures.into_result().map(|()| sets)
}

/// Merges one document into another and ignores its own `@overlay/match`: this is for data values
/// and schemas. Items with a mistake are left out and reported in `failures`. Returns `None` if the
/// document was removed.
pub fn merge_document(
    left: Document,
    right: &Document,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
    failures: &mut Failures,
) -> Option<Document> {
    let left = DocumentsLeft::open(vec![vec![left]], Choice::Exact);
    let right_side = std::slice::from_ref(right);
    let sets = overlaid(left, right_side, &mut Run::new(sources, warnings), failures);
    let mut documents = sets.into_iter().flatten();
    let Some(first) = documents.next() else {
        failures.add(Failure::from(removed(right)).within(right.merging()));
        return None;
    };
    if documents.next().is_some() {
        warnings.push(dropped(right));
    }
    Some(first)
}

/// Merges a document of plain data into a document of data values: maps are merged, any other value
/// replaces the existing one, and missing keys are added. An empty document would replace
/// everything, so callers skip it, as ytt does. Items with a mistake are left out and reported in
/// `failures`.
pub fn merge_plain_document(
    left: Document,
    right: &Document,
    sources: &Sources,
    failures: &mut Failures,
) -> Document {
    let left = DocumentsLeft::open(vec![vec![left]], Choice::Exact);
    let mut warnings = Vec::new();
    let mut run = Run { manner: Manner::Plain, ..Run::new(sources, &mut warnings) };
    let sets = overlaid(left, std::slice::from_ref(right), &mut run, failures);
    sets.into_iter().flatten().next().expect("plain data removes no document")
}

/// `overlay.apply(left, right, …)`: applies overlays to a value and returns the result. The value
/// itself is not changed.
pub fn apply(
    left: Datum,
    rights: Vec<Datum>,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Datum, Failure> {
    if rights.is_empty() {
        return Value::of(left).map(Value::into_datum);
    }
    let mut result = Value::of(left)?;
    for right in rights {
        result = result.overlaid(&Value::of(right)?, sources, warnings)?;
    }
    Ok(match result {
        Value::Node(node) => Datum::Node(cleaned(node)),
        Value::Documents(documents) => {
            Datum::Documents(documents.into_iter().map(cleaned_document).collect())
        }
    })
}

/// A value that an overlay can be applied to.
enum Value {
    Node(Node),
    Documents(Vec<Document>),
}

impl<'a> Run<'_, 'a> {
    fn new(sources: &'a Sources, warnings: &'a mut Vec<Diagnostic>) -> Self {
        let (cleaner, warned) = (Cleaner::default(), HashSet::new());
        let (reported, manner) = (HashSet::new(), Manner::Annotated);
        Self { sources, warnings, cleaner, warned, reported, has_rivals: false, manner }
    }

    /// Looks for a key that occurs twice in one map, if the overlay may have caused this.
    fn check_keys<'n>(&self, nodes: impl IntoIterator<Item = &'n Node>, failures: &mut Failures) {
        let nodes = nodes.into_iter().filter(|_| self.has_rivals);
        if let Some(twins) = duplicate::find(nodes) {
            failures.add(twins.report(self.sources).into());
        }
    }
}

fn overlaid<'r>(
    left: DocumentsLeft,
    right: &'r [Document],
    run: &mut Run<'r, '_>,
    failures: &mut Failures,
) -> Vec<Vec<Document>> {
    let level = Level::new(left, right, Expectation::default());
    let sets = engine::run(level, run, failures).close();
    run.check_keys(sets.iter().flatten().map(|document| &document.node), failures);
    sets
}

impl Value {
    fn of(datum: Datum) -> Result<Self, Failure> {
        match datum {
            Datum::Documents(documents) => Ok(Self::Documents(documents)),
            other => other.to_node().map(Self::Node).ok_or_else(|| {
                let error = OverlayError::ArgumentNotData { found: other.type_name() };
                Diagnostic::error(BAD_ARGUMENT, error.message()).into()
            }),
        }
    }

    fn into_datum(self) -> Datum {
        match self {
            Self::Node(node) => Datum::Node(node),
            Self::Documents(documents) => Datum::Documents(documents),
        }
    }

    fn overlaid(
        self,
        right: &Self,
        sources: &Sources,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Self, Failure> {
        let mut run = Run::new(sources, warnings);
        let inherited = Expectation::default();
        let mut failures = Failures::default();
        let result = match (self, right) {
            (Self::Documents(left), Self::Documents(right)) => {
                let left = DocumentsLeft::open(vec![left], Choice::Matched);
                let sets = overlaid(left, right, &mut run, &mut failures);
                Self::Documents(sets.into_iter().flatten().collect())
            }
            (Self::Node(Node::Map(left)), Self::Node(Node::Map(right))) => {
                let level = Level::new(MapLeft::open(left), right.items(), inherited);
                let node = engine::run(level, &mut run, &mut failures).close();
                run.check_keys([&node], &mut failures);
                Self::Node(node)
            }
            (Self::Node(Node::Array(left)), Self::Node(Node::Array(right))) => {
                let level = Level::new(ArrayLeft::open(left), &right.items, inherited);
                let node = engine::run(level, &mut run, &mut failures).close();
                run.check_keys([&node], &mut failures);
                Self::Node(node)
            }
            (left, right) => match right.collection_kind() {
                // A scalar at the top replaces nothing, as in ytt.
                None => left,
                Some(expected) => {
                    let message =
                        OverlayError::WrongType { expected, found: left.kind() }.message();
                    return Err(Diagnostic::error(WRONG_TYPE, message).into());
                }
            },
        };
        failures.into_result().map(|()| result)
    }

    fn kind(&self) -> String {
        match self {
            Self::Node(node) => node.kind().to_string(),
            Self::Documents(_) => "document set".to_owned(),
        }
    }

    /// Returns the kind of a collection, or `None` for a scalar.
    fn collection_kind(&self) -> Option<String> {
        let is_scalar =
            matches!(self, Self::Node(node) if !matches!(node, Node::Map(_) | Node::Array(_)));
        (!is_scalar).then(|| self.kind())
    }
}

fn cleaned_document(mut document: Document) -> Document {
    clean_meta(&mut document.meta);
    document.node = cleaned(document.node);
    document
}

fn removed(right: &Document) -> Diagnostic {
    let message = "expected a document of values to remain, but this removes it";
    Diagnostic::error(NO_DOCUMENT, message).at(right.origin, "")
}

fn dropped(right: &Document) -> Diagnostic {
    let message = "A document is added here that nothing uses: there is one document of values";
    Diagnostic::warning(WITHOUT_EFFECT, message)
        .at(right.origin, "")
        .help("remove @overlay/append or @overlay/insert to merge the document instead")
}
