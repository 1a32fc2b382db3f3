//! Fields of Kubernetes resources in templates, by the schemas that the targets name.

use crate::TextRange;
use crate::completion::{Completion, CompletionKind};
use crate::data_path::{Cursor, Step};
use crate::file::{File, FileKind};
use crate::knowledge::Knowledge;
use crate::overlay::Overlay;

/// The fields that a resource may have at an offset, without those that it has.
pub(crate) fn fields(
    file: &File,
    offset: u32,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Completion> {
    let mut with_schemas = knowledge.targets.iter().filter_map(|it| it.kube_options.as_deref());
    let Some(options) = with_schemas.next().filter(|_| file.kind == FileKind::Yaml) else {
        return Vec::new();
    };
    let Some(cursor) = Cursor::at(file, offset).filter(|it| !it.is_in_value) else {
        return Vec::new();
    };
    let Some(document) = file.document_at(offset) else { return Vec::new() };
    let path: Vec<Option<&str>> = cursor
        .parents
        .iter()
        .map(|it| match it {
            Step::Key(key) => Some(key.as_str()),
            Step::Item => None,
        })
        .collect();
    let fields = plumb::kube_fields(overlay, options, document, &path);
    let given = crate::completion::given_keys(file, offset, &cursor.parents);
    let range = cursor.key_start..offset;
    fields
        .into_iter()
        .filter(|it| it.name == cursor.key || !given.contains(&it.name))
        .map(|it| completion(it, &range))
        .collect()
}

fn completion(field: plumb::KubeField, range: &TextRange) -> Completion {
    let needed = if field.is_required { ", required" } else { "" };
    let is_block = matches!(field.type_name.as_str(), "object" | "array");
    let after = if is_block { ":" } else { ": " };
    Completion {
        text: format!("{}{after}", field.name),
        label: field.name,
        kind: CompletionKind::Key,
        detail: format!("{}{needed}", field.type_name).trim_start_matches(", ").to_owned(),
        documentation: field.description,
        range: range.clone(),
    }
}
