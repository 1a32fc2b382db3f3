//! The capabilities of the editor, and the settings of its user.

use serde::Deserialize;

use crate::params::Initialize;
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
    pub(crate) fn new(params: &Initialize) -> Self {
        // Options that cannot be read are meant for another server.
        let choices = params.options().and_then(|it| Choices::deserialize(it).ok());
        Self {
            choices: choices.unwrap_or_default(),
            has_snippets: params.can("/textDocument/completion/completionItem/snippetSupport"),
            refreshes_hints: params.can("/workspace/inlayHint/refreshSupport"),
            refreshes_lenses: params.can("/workspace/codeLens/refreshSupport"),
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
