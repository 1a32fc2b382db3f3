//! What the server can do.

use serde_json::{Value, json};

use crate::answer;
use crate::lines::Encoding;
use crate::options::Client;
use crate::paths::{MANUAL, PREVIEW};

/// The number for "changes of a document are sent as edits".
const INCREMENTAL: u8 = 2;

pub(crate) fn capabilities(encoding: Encoding, client: &Client) -> Value {
    let encoding = match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    let mut capabilities = json!({
        "positionEncoding": encoding,
        "textDocumentSync": { "openClose": true, "change": INCREMENTAL, "save": true },
        "completionProvider": { "triggerCharacters": [".", "\"", "@", "/"] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","], "retriggerCharacters": ["="] },
        "hoverProvider": true,
        "definitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "renameProvider": { "prepareProvider": true },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": answer::TOKEN_TYPES, "tokenModifiers": [] },
            "full": true,
        },
        "workspace": { "textDocumentContent": { "schemes": [PREVIEW, MANUAL] } },
    });
    if client.choices.inlay_hints {
        capabilities["inlayHintProvider"] = json!({ "resolveProvider": false });
    }
    if !client.choices.commands.is_empty() {
        capabilities["codeLensProvider"] = json!({ "resolveProvider": false });
    }
    capabilities
}
