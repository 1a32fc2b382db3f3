//! The output of `helm template`: documents, and the templates that they come from.

use std::collections::{BTreeMap, BTreeSet};

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_source::Origin;
use plumb_value::{Comment, Document, Map, Node};

use super::NOT_RENDERED;
use super::scan::Scanned;

/// The file for documents whose template Helm does not name.
const NAMELESS: &str = "templates/rendered.yaml";

/// Documents by the file that they are imported to.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    pub(crate) files: BTreeMap<String, Vec<&'a Document>>,
    documents: &'a [Document],
}

impl<'a> Output<'a> {
    pub(crate) fn of(documents: &'a [Document], chart: &str) -> Self {
        let mut files: BTreeMap<String, Vec<&Document>> = BTreeMap::new();
        for document in documents.iter().filter(|it| !it.node.is_null()) {
            let source = comments(document).find_map(source);
            let path = source.and_then(|it| path(it, chart));
            files.entry(path.unwrap_or_else(|| NAMELESS.to_owned())).or_default().push(document);
        }
        Self { files, documents }
    }

    /// Fails if the documents are not resources.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let origin = self.documents.first().map_or(Origin::Unknown, |it| it.origin);
        if self.files.is_empty() {
            return Err(not_rendered("the output of Helm contains no documents", origin));
        }
        for document in self.documents() {
            // The braces of a template are parsed as maps in YAML.
            let mut keys = document.node.maps().flat_map(Map::items);
            if let Some(item) = keys.find(|it| it.key.is_collection()) {
                let message = "expected the output of Helm, found a template of Helm";
                return Err(not_rendered(message, item.origin));
            }
            if super::text_at(&document.node, &["kind"]).is_none() {
                let message = "expected a resource, found a document without a kind";
                return Err(not_rendered(message, document.origin));
            }
        }
        Ok(())
    }

    pub(crate) fn documents(&self) -> impl Iterator<Item = &'a Document> {
        self.files.values().flatten().copied()
    }

    /// The templates without output.
    pub(crate) fn silent(&self, scanned: &[Scanned<'_>]) -> BTreeSet<String> {
        let files = scanned.iter().filter(|it| !it.is_helper());
        let silent = files.filter(|it| !self.files.contains_key(&renamed(it.path)));
        silent.map(|it| it.path.to_owned()).collect()
    }
}

fn not_rendered(message: &'static str, origin: Origin) -> Failure {
    let finding = Diagnostic::error(NOT_RENDERED, message).at(origin, "");
    finding.help("create the output with helm template NAME CHART > rendered.yaml").into()
}

/// The comments before the first key of a document.
fn comments(document: &Document) -> impl Iterator<Item = &Comment> {
    let first = document.node.children().next().map(|(meta, _)| meta.comments());
    document.meta.comments().iter().chain(first.unwrap_or_default())
}

/// The template that a comment names, as Helm writes it.
pub(crate) fn source(comment: &Comment) -> Option<&str> {
    comment.text.as_str()?.trim().strip_prefix("Source: ")
}

/// The path of the file for a template of the chart. Returns `None` if it would be outside the
/// directory.
fn path(source: &str, chart: &str) -> Option<String> {
    let path = source.strip_prefix(chart).and_then(|it| it.strip_prefix('/')).unwrap_or(source);
    let is_step = |it: &str| !it.is_empty() && !it.starts_with('.') && !it.contains(['\\', ':']);
    path.split('/').all(is_step).then(|| renamed(path))
}

/// A path with an extension that is rendered as a YAML template.
pub(crate) fn renamed(path: &str) -> String {
    let path = path.replace(".lib.", "-lib.").replace("_ytt_lib", "ytt-lib");
    let is_below = ["templates/", "crds/", "charts/"].iter().any(|it| path.starts_with(it));
    let folder = if is_below { "" } else { "templates/" };
    let is_yaml = [".yaml", ".yml"].iter().any(|it| path.ends_with(it));
    let end = if is_yaml { "" } else { ".yml" };
    format!("{folder}{path}{end}")
}

/// The hook type of a document, if Helm runs the document as a hook.
pub(crate) fn hook(node: &Node) -> Option<&str> {
    super::text_at(node, &["metadata", "annotations", "helm.sh/hook"])
}
