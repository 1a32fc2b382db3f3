//! One file as it is in the editor: its kind, and its outline, even if it has errors.

use std::path::Path;
use std::sync::Arc;

use plumb_diagnostic::Diagnostic;
use plumb_library::vocabulary;
use plumb_source::{FileId, SourceKind, Sources, Span};
use plumb_template::{TemplateOutline, outline_module, outline_text, outline_yaml};
use plumb_value::{Document, Node};
use plumb_yaml::{ReadOptions, parse_past_errors};

use crate::TextRange;
use crate::rendered::walk;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Yaml,
    /// A text template.
    Text,
    /// Plain code.
    Starlark,
    /// A file that Plumb does not read.
    Other,
}

impl FileKind {
    /// The kind of a file, by its name.
    pub(crate) fn of(path: &Path) -> Self {
        match path.extension().and_then(|it| it.to_str()) {
            Some("yml" | "yaml") => Self::Yaml,
            Some("txt") => Self::Text,
            Some("star") => Self::Starlark,
            _ => Self::Other,
        }
    }
}

/// A file that was read to its end despite errors.
pub(crate) struct File {
    pub(crate) kind: FileKind,
    pub(crate) text: Arc<[u8]>,
    pub(crate) sources: Sources,
    pub(crate) id: FileId,
    /// The documents of a YAML file.
    pub(crate) documents: Vec<Document>,
    pub(crate) outline: TemplateOutline,
    /// All syntax errors.
    pub(crate) findings: Vec<Diagnostic>,
}

impl File {
    pub(crate) fn read(path: &Path, text: Arc<[u8]>) -> Self {
        let kind = FileKind::of(path);
        let sources = Sources::new();
        let source_kind = match kind {
            FileKind::Yaml | FileKind::Other => SourceKind::File,
            FileKind::Text => SourceKind::Text,
            FileKind::Starlark => SourceKind::Module,
        };
        let id = sources.add(path.to_string_lossy(), source_kind, Arc::clone(&text));
        let mut documents = Vec::new();
        let mut findings = Vec::new();
        let outline = match kind {
            FileKind::Yaml => {
                let (read, errors) = parse_past_errors(id, &text, &ReadOptions::default());
                documents = read;
                findings.extend(errors.iter().map(plumb_yaml::SyntaxError::diagnostic));
                if plumb_template::is_template(&documents) {
                    outline_yaml(&documents, &sources, vocabulary())
                } else {
                    TemplateOutline::default()
                }
            }
            FileKind::Text => outline_text(id, &sources, vocabulary()),
            FileKind::Starlark => outline_module(id, &sources, vocabulary()),
            FileKind::Other => TemplateOutline::default(),
        };
        findings.extend(outline.findings.iter().cloned());
        Self { kind, text, sources, id, documents, outline, findings }
    }

    /// The text of a range. Empty if the range is not in this file, or the text is not UTF-8.
    pub(crate) fn slice(&self, span: Span) -> &str {
        if span.file != self.id {
            return "";
        }
        let bytes = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The line of an offset up to the offset.
    pub(crate) fn line_before(&self, offset: u32) -> &str {
        let end = (offset as usize).min(self.text.len());
        let start = self.text[..end].iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        std::str::from_utf8(&self.text[start..end]).unwrap_or_default()
    }

    /// Where the line of an offset begins.
    pub(crate) fn line_start(&self, offset: u32) -> u32 {
        let end = (offset as usize).min(self.text.len());
        let start = self.text[..end].iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        u32::try_from(start).unwrap_or(u32::MAX)
    }

    /// Where the line of an offset ends, before its line break.
    pub(crate) fn line_end(&self, offset: u32) -> u32 {
        let start = (offset as usize).min(self.text.len());
        let length = self.text[start..].iter().position(|it| *it == b'\n');
        let end = length.map_or(self.text.len(), |it| start + it);
        let has_return = end > start && self.text[end - 1] == b'\r';
        u32::try_from(end - usize::from(has_return)).unwrap_or(u32::MAX)
    }

    /// The number of the line of an offset, counted from 0.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        let end = (offset as usize).min(self.text.len());
        let n = self.text[..end].split(|it| *it == b'\n').count() - 1;
        u32::try_from(n).unwrap_or(u32::MAX)
    }

    /// The document around an offset.
    pub(crate) fn document_at(&self, offset: u32) -> Option<&Document> {
        let start = |it: &Document| it.origin.span().map_or(0, |it| it.start);
        self.documents.iter().rfind(|it| !it.is_injected && start(it) <= offset)
    }

    /// Whether the document around an offset has one of these annotations.
    pub(crate) fn declares(&self, offset: u32, names: &[&str]) -> bool {
        self.document_at(offset).is_some_and(|it| {
            plumb_template::annotation_names(&it.meta).any(|name| names.contains(&name))
        })
    }

    /// The value of the item that begins at an offset.
    pub(crate) fn node_at(&self, offset: u32) -> Option<&Node> {
        let mut found = None;
        for document in &self.documents {
            walk(&document.node, &mut |origin, node| {
                if found.is_none() && origin.span().is_some_and(|it| it.start == offset) {
                    found = Some(node);
                }
            });
        }
        found
    }

    /// The file as `plumb fmt` prints it, with the range of the text. Returns `None` if it would
    /// not change or has syntax errors.
    pub(crate) fn formatted(&self) -> Option<(TextRange, String)> {
        if self.kind != FileKind::Yaml || !self.findings.is_empty() {
            return None;
        }
        let text = plumb_yaml::reindent(self.id, &self.text, &ReadOptions::default()).ok()?;
        let text = String::from_utf8(text).ok()?;
        let end = u32::try_from(self.text.len()).ok()?;
        (text.as_bytes() != &*self.text).then_some((0..end, text))
    }
}

/// The annotations of schema documents.
pub(crate) const SCHEMA: [&str; 3] = ["data/values-schema", "schema", "schema/definition"];
/// The annotation of documents with data values.
pub(crate) const VALUES: [&str; 1] = ["data/values"];
