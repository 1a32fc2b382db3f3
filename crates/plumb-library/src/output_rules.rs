//! The final check of a library's output: the rules that are annotated in its documents
//! (`@assert/validate`), and those for all documents together (`assert.output`).

use plumb_diagnostic::Failure;
use plumb_overlay::FileDocuments;
use plumb_source::{Origin, Sources};
use plumb_validation::report::{self, Validated};
use plumb_validation::{
    Parents, Validation, carries_rules, check_documents, check_value, is_stopped,
};
use plumb_value::{Array, ArrayItem, Node};

/// The name of the value of a rule for all documents.
const KEY: &str = "output";

/// Checks all rules, and reports all violations.
pub(crate) fn check(
    files: &[FileDocuments],
    for_all: &[Validation],
    parents: Parents,
    sources: &Sources,
) -> Result<(), Failure> {
    let documents = files.iter().flat_map(|file| file.documents.iter().enumerate());
    let mut violations = check_documents(documents.filter(|(_, it)| carries_rules(it)), parents)
        .map_err(|problems| {
            report::malformed(Validated::Output, "assert/validate", &problems, sources)
        })?;
    let output = if for_all.is_empty() { Node::Null } else { all_documents(files) };
    for rules in for_all {
        if is_stopped(&violations) {
            break;
        }
        violations.extend(check_value(KEY, &output, rules));
    }
    if violations.is_empty() {
        return Ok(());
    }
    Err(report::failure(Validated::Output, violations))
}

/// Returns the documents as one list. Empty ones, which are not printed either, are left out.
fn all_documents(files: &[FileDocuments]) -> Node {
    let documents = files.iter().flat_map(|file| &file.documents);
    let documents = documents.filter(|it| !it.node.is_null());
    let items = documents.map(|it| ArrayItem::new(it.node.clone(), it.origin)).collect();
    Node::array(Array::new(items, Origin::Unknown))
}
