//! The final check of a library's output: the rules that are annotated in its documents
//! (`@assert/validate`), and those for all documents together (`assert.output`).

use plumb_diagnostic::Failure;
use plumb_overlay::FileDocuments;
use plumb_source::Origin;
use plumb_validation::report::{self, Validated};
use plumb_validation::{
    AnnotationError, Validation, Violation, Work, carries_rules, check_documents, check_value,
    is_stopped,
};
use plumb_value::{Array, ArrayItem, Node};

use crate::run::{Run, SchemaWork, check_within};

/// The name of the value of a rule for all documents.
const KEY: &str = "output";

/// Checks all rules, and reports all violations.
pub(crate) fn check(
    files: &[FileDocuments],
    for_all: &[Validation],
    run: &Run,
) -> Result<(), Failure> {
    if for_all.is_empty() && !run.mentions_rules() {
        return Ok(());
    }
    let budget = run.runtime.budget();
    let checked = check_within(budget, SchemaWork::Output, |work| all(files, for_all, run, work));
    let violations = checked?.map_err(|problems| {
        report::malformed(Validated::Output, "assert/validate", &problems, &run.sources)
    })?;
    if violations.is_empty() {
        return Ok(());
    }
    Err(report::failure(Validated::Output, violations))
}

fn all(
    files: &[FileDocuments],
    for_all: &[Validation],
    run: &Run,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    let mut violations = check_annotated(files, run, work)?;
    let output = if for_all.is_empty() { Node::Null } else { all_documents(files) };
    for rules in for_all {
        if is_stopped(&violations) || work.is_stopped() {
            break;
        }
        violations.extend(check_value(KEY, &output, rules, work));
    }
    Ok(violations)
}

/// Checks the rules that are annotated in documents.
fn check_annotated(
    files: &[FileDocuments],
    run: &Run,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    if !run.mentions_rules() {
        return Ok(Vec::new());
    }
    let documents = files.iter().flat_map(|file| file.documents.iter().enumerate());
    let annotated = documents.filter(|(_, it)| carries_rules(it));
    check_documents(annotated, run.runtime.silent_drops().into(), work)
}

/// Returns the documents as one list. Empty ones, which are not printed either, are left out.
fn all_documents(files: &[FileDocuments]) -> Node {
    let documents = files.iter().flat_map(|file| &file.documents);
    let documents = documents.filter(|it| !it.node.is_null());
    let items = documents.map(|it| ArrayItem::new(it.node.clone(), it.origin)).collect();
    Node::array(Array::new(items, Origin::Unknown))
}
