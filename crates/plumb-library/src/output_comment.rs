//! `@output/comment` and `--keep-comments`: comments in the output.
//!
//! A comment stays with its node: a plain comment in the metadata of the node, a computed one as an
//! annotation. Only the YAML printer prints comments.

use std::collections::BTreeSet;

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures};
use plumb_overlay::FileDocuments;
use plumb_template::UNKNOWN_ANNOTATION;
use plumb_value::{Annotation, Document, OUTPUT_COMMENT, OutputComment};

/// The arguments of `@output/comment` are not texts.
///
/// Write one text, which is printed above the node, or name the place: `#@output/comment above="…",
/// beside="…"`. Use `str(x)` for other values. `None` means no comment.
pub const COMMENT: Code = Code::new("output/comment");

/// Checks the arguments of each `@output/comment`.
pub fn check_comments(files: &[FileDocuments]) -> Result<(), Failure> {
    let mut failures = Failures::default();
    let mut reported = BTreeSet::new();
    for annotation in annotations(files) {
        let Err(message) = OutputComment::read(annotation) else { continue };
        if annotation.span.is_none_or(|span| reported.insert(span)) {
            let finding = Diagnostic::error(COMMENT, message).at(annotation.span, "").help(
                "write one text, or above=\"…\" and beside=\"…\"; str(x) converts x to a text",
            );
            failures.add(finding.into());
        }
    }
    failures.into_result()
}

/// Warns about each `@output/comment` that is not printed, as in ytt.
pub fn unprinted_comments(files: &[FileDocuments]) -> Vec<Diagnostic> {
    let mut reported = BTreeSet::new();
    let spans = annotations(files).filter_map(|it| it.span).filter(|span| reported.insert(*span));
    let warning = |span| {
        let message = "@output/comment has no effect when Plumb is called as ytt";
        Diagnostic::warning(UNKNOWN_ANNOTATION, message)
            .label(span, "")
            .help("call it as plumb, or pass --keep-comments")
    };
    spans.map(warning).collect()
}

fn annotations(files: &[FileDocuments]) -> impl Iterator<Item = &Annotation> {
    let documents = files.iter().flat_map(|it| &it.documents);
    documents.flat_map(|document| {
        let below = document.node.descendants().map(|(meta, _)| meta);
        let metas = std::iter::once(&document.meta).chain(below);
        metas.filter_map(|it| it.annotation(OUTPUT_COMMENT))
    })
}

/// Moves the comments after the last node of a file to the document that contains this node.
pub(crate) fn move_to_foot(documents: &mut Vec<Document>) {
    if documents.last().is_some_and(|it| it.is_injected)
        && let Some(injected) = documents.pop()
        && let Some(last) = documents.last_mut()
    {
        last.foot = injected.meta;
    }
}
