//! Rendered output for editors: the request `plumb/preview`, and virtual documents.
//!
//! docs/src/guides/editor.md describes both for authors of clients.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr as _;

use lsp_server::{ErrorCode, Message, Notification};
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::lines::Lines;
use crate::params::Document;
use crate::paths::{MANUAL, PREVIEW, path_of, uri_of};
use crate::server::{self, RequestError, Server};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreviewParams {
    text_document: Document,
    target: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ContentParams {
    uri: String,
}

/// The answer to `plumb/preview`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreviewResult {
    /// The virtual document with the same text.
    uri: String,
    target: String,
    targets: Vec<String>,
    is_of_file: bool,
    text: String,
    /// The origin of each item of the output.
    items: Vec<ItemResult>,
}

#[derive(Serialize)]
struct ItemResult {
    output: Range,
    uri: Uri,
    source: Range,
}

impl Server {
    pub(crate) fn preview(&mut self, params: &PreviewParams) -> Result<Value, RequestError> {
        let (path, _) = self.document(&params.text_document.uri)?;
        let target = params.target.as_deref();
        let Some(found) = self.analysis(&path).preview(&path, target) else {
            return Ok(Value::Null);
        };
        let uri = preview_uri(&params.text_document.uri, &found.target);
        self.previewed.insert((path, params.target.clone()));
        let lines = Lines::new(found.text.clone(), self.encoding);
        let texts = self.texts();
        let mut items = Vec::new();
        let mut last: Option<(PathBuf, Uri, Lines)> = None;
        for item in &found.items {
            // Neighbours usually come from the same file.
            if last.as_ref().is_none_or(|it| it.0 != item.path) {
                let Some(uri) = uri_of(&item.path) else { continue };
                last = Some((item.path.clone(), uri, texts.lines(&item.path)));
            }
            let Some((_, uri, source)) = &last else { continue };
            items.push(ItemResult {
                output: lines.range(&item.output),
                uri: uri.clone(),
                source: source.range(&item.source),
            });
        }
        server::write(PreviewResult {
            uri,
            target: found.target,
            targets: found.targets,
            is_of_file: found.is_of_file,
            text: found.text,
            items,
        })
    }

    /// The text of a virtual document: rendered output, or the page about a code.
    pub(crate) fn virtual_document(
        &mut self,
        params: &ContentParams,
    ) -> Result<Value, RequestError> {
        let unknown = || {
            let message = format!("{} is not a document of plumb", params.uri);
            RequestError(ErrorCode::InvalidParams, message)
        };
        let (scheme, rest) = params.uri.split_once(':').ok_or_else(unknown)?;
        let text = match scheme {
            MANUAL => {
                let page = rest.strip_prefix("/findings/").and_then(|it| it.strip_suffix(".md"));
                page.and_then(plumb_report::page).ok_or_else(unknown)?.to_owned()
            }
            PREVIEW => {
                let (path, target) = rest.split_once('?').unwrap_or((rest, ""));
                let uri = Uri::from_str(&format!("file://{path}")).map_err(|_| unknown())?;
                let path = path_of(&uri).ok_or_else(unknown)?;
                let target =
                    (!target.is_empty()).then(|| plumb_jsonschema::percent_decoded(target));
                let found = self.analysis(&path).preview(&path, target.as_deref());
                self.previewed.insert((path, target));
                found.map(|it| it.text).unwrap_or_default()
            }
            _ => return Err(unknown()),
        };
        Ok(json!({ "text": text }))
    }

    /// Notifies the editor that each preview it has requested may have changed.
    pub(crate) fn preview_changes(&self, root: &std::path::Path) -> Vec<Message> {
        let is_affected =
            |path: &PathBuf| plumb_ide::project_root(&self.overlay(), path).as_path() == root;
        let affected = self.previewed.iter().filter(|it| is_affected(&it.0));
        affected
            .filter_map(|(path, target)| {
                let uri = uri_of(path)?;
                let document = preview_uri(&uri, target.as_deref().unwrap_or_default());
                let params = json!({ "uri": uri, "target": target, "document": document });
                let method = "plumb/previewChanged".to_owned();
                Some(Message::Notification(Notification::new(method, params)))
            })
            .collect()
    }
}

/// The virtual document with the output of a target for a file.
fn preview_uri(file: &Uri, target: &str) -> String {
    let path = file.as_str().trim_start_matches("file://");
    let mut uri = format!("{PREVIEW}:{path}");
    if !target.is_empty() {
        uri.push('?');
        for byte in target.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/') {
                uri.push(char::from(byte));
            } else {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
