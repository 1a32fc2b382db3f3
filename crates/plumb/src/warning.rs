//! Finds results that are valid, but certainly not intended.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_library::{FileType, SilentDrops, Tree};
use plumb_source::{Origin, Sources, Span};
use plumb_value::Node;

use crate::{Content, OutputFile};

/// A map has a map as its key, because of `{{ … }}` without quotes.
///
/// Plumb does not run templates of Helm, Jinja or Go: to YAML, `{{ .Values.name }}` is a map within
/// a map. Write `#@ data.values.name` instead, or put the text in quotes if another program
/// replaces it.
const BRACES: Code = Code::new("template/braces");

/// The maximum number of places that are reported in one run.
const MAX_REPORTED: usize = 10;

/// The findings that only `plumb` reports. ytt does not report them.
const OURS: [Code; 3] = [BRACES, plumb_overlay::SET_TO_NULL, plumb_overlay::SECOND_ITEM];

/// Drops the warnings that users of ytt do not expect.
pub(crate) fn keep_expected(warnings: &mut Vec<Diagnostic>, drops: SilentDrops) {
    if drops == SilentDrops::Warn {
        warnings.retain(|it| !OURS.contains(&it.code));
    }
}

/// Finds keys that were written as `{{ … }}`.
pub(crate) fn braces(tree: &Tree, files: &[OutputFile], sources: &Sources) -> Vec<Diagnostic> {
    // Almost no file has such braces. Without them, the results do not have to be searched.
    let has_braces = tree
        .files()
        .iter()
        .filter(|it| it.file_type() == FileType::Yaml)
        .any(|it| it.known_source().is_some_and(|it| sources.get(it).contains(b"{{")));
    if !has_braces {
        return Vec::new();
    }
    let documents = files.iter().filter_map(|it| match &it.content {
        Content::Yaml(documents) => Some(documents),
        Content::Text(_) => None,
    });
    let mut found = Vec::new();
    let mut ahead: Vec<&Node> = documents.flatten().map(|it| &it.node).collect();
    ahead.reverse();
    while let Some(node) = ahead.pop() {
        match node {
            Node::Map(map) => {
                for item in map.items() {
                    let span = Some(item.origin).and_then(written);
                    if let Some(span) = span.filter(|_| matches!(item.key, Node::Map(_)))
                        && is_in_braces(span, sources)
                    {
                        found.push(span);
                    }
                }
                ahead.extend(map.items().iter().rev().map(|it| &it.node));
            }
            Node::Array(array) => ahead.extend(array.items.iter().rev().map(|it| &it.node)),
            _ => {}
        }
    }
    found.truncate(MAX_REPORTED);
    found.into_iter().map(warning).collect()
}

fn written(origin: Origin) -> Option<Span> {
    match origin {
        Origin::Written(span) => Some(span),
        Origin::Computed(_) | Origin::Default(_) | Origin::Unknown => None,
    }
}

/// Returns whether the key begins with a brace, directly after another one.
fn is_in_braces(span: Span, sources: &Sources) -> bool {
    let source = sources.get(span.file);
    let (before, key) = source.bytes().split_at(span.start as usize);
    key.starts_with(b"{") && before.ends_with(b"{")
}

fn warning(span: Span) -> Diagnostic {
    Diagnostic::warning(BRACES, "`{{ … }}` is not replaced: YAML reads it as a map within a map")
        .label(span, "")
        .help("write `#@ data.values.NAME` to use a data value; Plumb does not run Helm templates")
        .help("if another program replaces it, put the text in quotes")
}
