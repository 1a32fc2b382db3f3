//! The capabilities of the editor, and the settings of its user.

use lsp_types::InitializeParams;
use serde::Deserialize;

use crate::paths::MANUAL;

/// The initialization options of a client. All of them may be missing.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Choices {
    /// Whether computed values are shown as inlay hints.
    pub(crate) inlay_hints: bool,
    /// The commands that the client has. Lenses with other commands are not sent.
    pub(crate) commands: Vec<String>,
    /// The address of the manual. Without it, codes of findings link to virtual documents.
    pub(crate) manual: Option<String>,
}

impl Default for Choices {
    fn default() -> Self {
        Self { inlay_hints: true, commands: Vec::new(), manual: None }
    }
}

/// The relevant parts of the editor's first request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) choices: Choices,
    /// Whether completions may have places to fill in.
    pub(crate) has_snippets: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_lenses: bool,
}

impl Client {
    pub(crate) fn new(params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let workspace = capabilities.workspace.as_ref();
        let completion = capabilities.text_document.as_ref().and_then(|it| it.completion.as_ref());
        let item = completion.and_then(|it| it.completion_item.as_ref());
        let options = params.initialization_options.clone().filter(|it| !it.is_null());
        // Options that cannot be read are meant for another server.
        let choices = options.and_then(|it| serde_json::from_value(it).ok());
        Self {
            choices: choices.unwrap_or_default(),
            has_snippets: item.and_then(|it| it.snippet_support).unwrap_or_default(),
            refreshes_hints: workspace
                .and_then(|it| it.inlay_hint.as_ref()?.refresh_support)
                .unwrap_or_default(),
            refreshes_lenses: workspace
                .and_then(|it| it.code_lens.as_ref()?.refresh_support)
                .unwrap_or_default(),
        }
    }

    /// The address of the page about a code.
    pub(crate) fn page(&self, code: &str) -> String {
        match &self.choices.manual {
            Some(manual) => format!("{}/findings/{code}.html", manual.trim_end_matches('/')),
            None => format!("{MANUAL}:/findings/{code}.md"),
        }
    }
}
