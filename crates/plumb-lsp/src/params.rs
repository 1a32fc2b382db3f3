//! What is read of the editor's messages.
//!
//! `lsp-types` has types of whole messages. Reading them took most of the code of this crate, mainly
//! for capabilities of editors that we do not use. So messages are read into types that have only
//! the parts we need. Answers have the types of `lsp-types`.

use lsp_types::{Position, Range, Uri};
use serde::Deserialize;
use serde_json::Value;

/// A document, as it is named in all messages about an existing one.
#[derive(Debug, Deserialize)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
}

/// A request or notification about a whole document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InDocument {
    pub(crate) text_document: Document,
}

/// A request about a place in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AtPosition {
    pub(crate) text_document: Document,
    pub(crate) position: Position,
}

/// A request about several places in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AtPositions {
    pub(crate) text_document: Document,
    pub(crate) positions: Vec<Position>,
}

/// A request about a part of a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InRange {
    pub(crate) text_document: Document,
    pub(crate) range: Range,
}

/// `textDocument/rename`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rename {
    pub(crate) text_document: Document,
    pub(crate) position: Position,
    pub(crate) new_name: String,
}

/// `workspace/symbol`.
#[derive(Debug, Deserialize)]
pub(crate) struct SymbolQuery {
    pub(crate) query: String,
}

/// `textDocument/didOpen`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    pub(crate) text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OpenedDocument {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
}

/// `textDocument/didChange`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    pub(crate) text_document: ChangedDocument,
    pub(crate) content_changes: Vec<TextChange>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ChangedDocument {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
}

/// A new text for a part of a document, or for all of it.
#[derive(Debug, Deserialize)]
pub(crate) struct TextChange {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

/// `workspace/didChangeWatchedFiles`.
#[derive(Debug, Deserialize)]
pub(crate) struct FilesChanged {
    pub(crate) changes: Vec<Document>,
}

/// `initialize`: parts of a large message, which may all be missing.
pub(crate) struct Initialize(pub(crate) Value);

impl Initialize {
    /// Whether the editor has a capability, such as `/workspace/codeLens/refreshSupport`.
    pub(crate) fn can(&self, pointer: &str) -> bool {
        self.capability(pointer).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Whether a list of capabilities contains a name.
    pub(crate) fn lists(&self, pointer: &str, name: &str) -> bool {
        let list = self.capability(pointer).and_then(Value::as_array);
        list.is_some_and(|it| it.iter().any(|it| it == name))
    }

    fn capability(&self, pointer: &str) -> Option<&Value> {
        self.0.get("capabilities")?.pointer(pointer)
    }

    /// The options of the client, for this server.
    pub(crate) fn options(&self) -> Option<&Value> {
        self.0.get("initializationOptions").filter(|it| !it.is_null())
    }
}
