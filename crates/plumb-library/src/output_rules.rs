//! The last look at what a library puts out: the rules that its documents carry
//! (`@assert/validate`), and those that it set for all of them together (`assert.output`).

use plumb_diagnostic::Failure;
use plumb_overlay::FileDocuments;
use plumb_source::{Origin, Sources};
use plumb_validation::{Undeclared, Validation, check_value, is_stopped, report};
use plumb_value::{Array, ArrayItem, Node};

/// What ytt's layout has above the violations.
const TITLE: &str = "Validating output documents";

/// What a rule for all documents speaks of.
const KEY: &str = "output";

/// Checks everything, and tells of all that is wrong.
pub(crate) fn check(
    files: &[FileDocuments],
    for_all: &[Validation],
    sources: &Sources,
) -> Result<(), Failure> {
    let mut violations = Vec::new();
    let mut problems = Vec::new();
    for file in files {
        for (index, document) in file.documents.iter().enumerate() {
            if is_stopped(&violations) || !plumb_validation::carries_rules(document) {
                continue;
            }
            match plumb_validation::check::<Undeclared>(document, index, None) {
                Ok(found) => violations.extend(found),
                Err(malformed) => problems.extend(malformed),
            }
        }
    }
    if !problems.is_empty() {
        return Err(report::malformed(TITLE, "assert/validate", &problems, sources));
    }
    if !for_all.is_empty() && !is_stopped(&violations) {
        let output = all_documents(files);
        violations.extend(for_all.iter().flat_map(|it| check_value(KEY, &output, it)));
    }
    if violations.is_empty() {
        return Ok(());
    }
    Err(report::failure(TITLE, &violations, sources))
}

/// The documents as one list. Empty ones, which are not printed either, are left out.
fn all_documents(files: &[FileDocuments]) -> Node {
    let documents = files.iter().flat_map(|file| &file.documents);
    let documents = documents.filter(|it| !it.node.is_null());
    let items = documents.map(|it| ArrayItem::new(it.node.clone(), it.origin)).collect();
    Node::array(Array::new(items, Origin::Unknown))
}
