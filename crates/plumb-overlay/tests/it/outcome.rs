//! Runs overlays on texts, and shows the results as text.

use plumb_diagnostic::{Diagnostic, Failure, Failures};
use plumb_overlay::{FileDocuments, apply_to_files, merge_document, merge_plain_document};
use plumb_peer as peer;
use plumb_source::Sources;
use plumb_value::{Datum, Document};

use crate::expression::Names;
use crate::notation;

/// The outcome of a run: documents, or a failure in ytt's layout; and the warnings.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) failure: Option<Failure>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Applies overlays to the documents of files; each file is a name and a text.
pub(crate) fn overlay_files(files: &[(&str, &str)], names: &Names) -> Outcome {
    let sources = Sources::new();
    let read = |&(name, text): &(&str, &str)| FileDocuments {
        name: name.to_owned(),
        documents: notation::documents(&sources, name, text, names),
    };
    let mut warnings = Vec::new();
    let result = apply_to_files(files.iter().map(read).collect(), &sources, &mut warnings);
    let show = |files: Vec<FileDocuments>| {
        let file = |it: &FileDocuments| show_documents(&it.documents);
        files.iter().map(file).collect::<Vec<_>>().join(" | ")
    };
    outcome(result.map(show), warnings, &sources)
}

/// Applies one file to another.
pub(crate) fn overlay(base: &str, right: &str, functions: &[(&'static str, Datum)]) -> Outcome {
    let names = functions.iter().cloned().collect();
    overlay_files(&[("base.yml", base), ("o.yml", right)], &names)
}

/// Merges one document of values over another.
pub(crate) fn merge(left: &str, right: &str, functions: &[(&'static str, Datum)]) -> Outcome {
    let sources = Sources::new();
    let names = functions.iter().cloned().collect();
    let left = one_document(&sources, "v1.yml", left, &names);
    let right = one_document(&sources, "v2.yml", right, &names);
    let mut warnings = Vec::new();
    let result = merged(left, &right, &sources, &mut warnings);
    outcome(result.map(|it| show_annotated(&it)), warnings, &sources)
}

/// Merges one document over another, and expects no error.
pub(crate) fn merged(
    left: Document,
    right: &Document,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Document, Failure> {
    let mut failures = Failures::default();
    let merged = merge_document(left, right, sources, warnings, &mut failures);
    failures.into_result().map(|()| merged.expect("a document that is removed is a failure"))
}

/// Merges one document of plain values over another.
pub(crate) fn merge_plain(left: &str, right: &str) -> Outcome {
    let sources = Sources::new();
    let left = one_document(&sources, "v1.yml", left, &Names::new());
    let right = one_document(&sources, "v2.yml", right, &Names::new());
    let mut failures = Failures::default();
    let merged = merge_plain_document(left, &right, &sources, &mut failures);
    let result = failures.into_result().map(|()| show_annotated(&merged));
    outcome(result, Vec::new(), &sources)
}

fn one_document(sources: &Sources, name: &str, text: &str, names: &Names) -> Document {
    let documents = notation::documents(sources, name, text, names);
    let [document] = <[Document; 1]>::try_from(documents).expect("one document");
    document
}

fn show_annotated(document: &Document) -> String {
    let meta = notation::show_meta(&document.meta);
    format!("{meta}{}", notation::show(&document.node, true))
}

pub(crate) fn show_documents(documents: &[Document]) -> String {
    let document = |it: &Document| notation::show(&it.node, false);
    documents.iter().map(document).collect::<Vec<_>>().join(" --- ")
}

fn outcome(
    result: Result<String, Failure>,
    warnings: Vec<Diagnostic>,
    sources: &Sources,
) -> Outcome {
    match result {
        Ok(text) => Outcome { text, failure: None, warnings },
        Err(failure) => {
            let text = peer::text(&failure, sources).shown().to_owned();
            Outcome { text, failure: Some(failure), warnings }
        }
    }
}

/// Asserts the result of applying `right`, whose documents match all, to `base`.
pub(crate) fn check(base: &str, right: &str, expected: &str) {
    check_with(base, right, &[], expected);
}

/// Like [`check`], with functions that the text names.
pub(crate) fn check_with(
    base: &str,
    right: &str,
    functions: &[(&'static str, Datum)],
    expected: &str,
) {
    let right = format!("#@overlay/match by=overlay.all\n---\n{right}");
    let outcome = overlay(base, &right, functions);
    let text = outcome.text.strip_prefix("Overlaying (in following order: o.yml): ");
    let text = text.unwrap_or(&outcome.text);
    let text = text.strip_prefix("Document on line o.yml:2: ").unwrap_or(text);
    assert_eq!(text, expected, "{right}");
}
