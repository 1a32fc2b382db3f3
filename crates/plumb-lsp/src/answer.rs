//! Converts answers of the analysis to types of the protocol.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr as _;

use lsp_types::{
    CodeAction, CodeActionKind, CodeDescription, CodeLens, Command, CompletionItem,
    CompletionItemKind, CompletionTextEdit, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DocumentLink, DocumentSymbol, Documentation, FoldingRange,
    InlayHint, InlayHintLabel, InsertTextFormat, MarkupContent, MarkupKind, NumberOrString, OneOf,
    ParameterInformation, ParameterLabel, SelectionRange, SemanticToken, SignatureHelp,
    SignatureInformation, SymbolKind as ProtocolKind, TextEdit, Uri, WorkspaceEdit,
    WorkspaceSymbol,
};
use plumb_ide::{
    Completion, CompletionKind, Edit, FileFinding, Fix, Fold, Hint, Lens, LensAction, Link,
    Overlay, Signature, Symbol, SymbolKind, Tag, TextRange, Token, TokenKind,
};

use crate::lines::{Encoding, Lines};
use crate::options::Client;
use crate::paths::uri_of;

/// The types of semantic tokens, in the order of their numbers.
pub(crate) const TOKEN_TYPES: [&str; 10] = [
    "keyword",
    "number",
    "string",
    "operator",
    "variable",
    "parameter",
    "function",
    "namespace",
    "property",
    "decorator",
];

fn token_number(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Keyword => 0,
        TokenKind::Number => 1,
        TokenKind::String => 2,
        TokenKind::Operator => 3,
        TokenKind::Variable => 4,
        TokenKind::Parameter => 5,
        TokenKind::Function => 6,
        TokenKind::Namespace => 7,
        TokenKind::Property => 8,
        TokenKind::Decorator => 9,
    }
}

/// Tokens relative to each other, as the protocol requires. Tokens that span several lines are left
/// out.
pub(crate) fn tokens(found: &[Token], lines: &Lines) -> Vec<SemanticToken> {
    let mut last = lsp_types::Position::default();
    let mut tokens = Vec::new();
    for token in found {
        let range = lines.range(&token.range);
        if range.start.line != range.end.line || range.start < last {
            continue;
        }
        let delta_line = range.start.line - last.line;
        let before = if delta_line == 0 { last.character } else { 0 };
        tokens.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - before,
            length: range.end.character - range.start.character,
            token_type: token_number(token.kind),
            token_modifiers_bitset: 0,
        });
        last = range.start;
    }
    tokens
}

pub(crate) fn markdown(text: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: text }
}

pub(crate) fn completion(found: Completion, order: usize, lines: &Lines) -> CompletionItem {
    let kind = match found.kind {
        CompletionKind::DataValue => CompletionItemKind::FIELD,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Module => CompletionItemKind::MODULE,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Annotation => CompletionItemKind::INTERFACE,
        CompletionKind::Key => CompletionItemKind::PROPERTY,
        CompletionKind::Parameter => CompletionItemKind::TYPE_PARAMETER,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::File => CompletionItemKind::FILE,
    };
    let edit = TextEdit { range: lines.range(&found.range), new_text: found.text };
    let is_snippet = found.kind == CompletionKind::Snippet;
    let has_docs = !found.documentation.is_empty();
    CompletionItem {
        label: found.label.clone(),
        kind: Some(kind),
        detail: Some(found.detail),
        documentation: has_docs
            .then(|| Documentation::MarkupContent(markdown(found.documentation))),
        sort_text: Some(format!("{order:04}")),
        filter_text: Some(found.label),
        text_edit: Some(CompletionTextEdit::Edit(edit)),
        insert_text_format: is_snippet.then_some(InsertTextFormat::SNIPPET),
        ..CompletionItem::default()
    }
}

/// The names and ranges of symbols come from the source. The range of a symbol contains those of
/// its children.
#[expect(deprecated, reason = "the struct still requires the deprecated field")]
pub(crate) fn symbol(found: &Symbol, lines: &Lines) -> DocumentSymbol {
    let kind = symbol_kind(found.kind);
    let children: Vec<DocumentSymbol> = found.children.iter().map(|it| symbol(it, lines)).collect();
    DocumentSymbol {
        name: if found.name.is_empty() { "?".to_owned() } else { found.name.clone() },
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: lines.range(&found.range),
        selection_range: lines.range(&found.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn symbol_kind(kind: SymbolKind) -> ProtocolKind {
    match kind {
        SymbolKind::Document => ProtocolKind::FILE,
        SymbolKind::Key => ProtocolKind::PROPERTY,
        SymbolKind::Item => ProtocolKind::ARRAY,
        SymbolKind::Function => ProtocolKind::FUNCTION,
        SymbolKind::Variable => ProtocolKind::VARIABLE,
    }
}

pub(crate) fn workspace_symbol(found: &Symbol, location: lsp_types::Location) -> WorkspaceSymbol {
    WorkspaceSymbol {
        name: if found.name.is_empty() { "?".to_owned() } else { found.name.clone() },
        kind: symbol_kind(found.kind),
        tags: None,
        container_name: None,
        location: OneOf::Left(location),
        data: None,
    }
}

/// Ranges from the smallest to the largest as a chain.
pub(crate) fn selection(ranges: Vec<TextRange>, lines: &Lines) -> SelectionRange {
    let mut chain: Option<SelectionRange> = None;
    for range in ranges.into_iter().rev() {
        chain = Some(SelectionRange { range: lines.range(&range), parent: chain.map(Box::new) });
    }
    let empty = SelectionRange { range: lines.range(&(0..0)), parent: None };
    chain.unwrap_or(empty)
}

pub(crate) fn link(found: &Link, lines: &Lines) -> DocumentLink {
    DocumentLink {
        range: lines.range(&found.range),
        target: uri_of(&found.path),
        tooltip: None,
        data: None,
    }
}

pub(crate) fn hint(found: Hint, lines: &Lines) -> InlayHint {
    InlayHint {
        position: lines.position(found.offset),
        label: InlayHintLabel::String(found.label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

pub(crate) fn lens(found: &Lens, uri: &Uri, lines: &Lines) -> CodeLens {
    let (title, command, argument) = match &found.action {
        LensAction::RunTest(name) => ("Run test".to_owned(), "plumb.runTest", Some(name)),
        LensAction::RunTests => ("Run all tests".to_owned(), "plumb.runTest", None),
        LensAction::ShowOutput(target) => {
            (format!("Show output: {target}"), "plumb.showPreview", Some(target))
        }
    };
    let mut arguments = vec![serde_json::json!(uri)];
    arguments.extend(argument.map(|it| serde_json::json!(it)));
    let command = Command { title, command: command.to_owned(), arguments: Some(arguments) };
    CodeLens { range: lines.range(&found.range), command: Some(command), data: None }
}

pub(crate) fn signature(found: Signature) -> SignatureHelp {
    let parameter = |label: String| ParameterInformation {
        label: ParameterLabel::Simple(label),
        documentation: None,
    };
    let active_parameter = found.active.and_then(|it| u32::try_from(it).ok());
    let documentation = (!found.documentation.is_empty())
        .then(|| Documentation::MarkupContent(markdown(found.documentation)));
    let information = SignatureInformation {
        label: found.label,
        documentation,
        parameters: Some(found.parameters.into_iter().map(parameter).collect()),
        active_parameter,
    };
    SignatureHelp { signatures: vec![information], active_signature: Some(0), active_parameter }
}

pub(crate) fn fold(found: Fold) -> FoldingRange {
    FoldingRange { start_line: found.first, end_line: found.last, ..FoldingRange::default() }
}

/// Texts of files, to convert places in them.
pub(crate) struct Texts<'a> {
    pub(crate) overlay: &'a Overlay,
    pub(crate) encoding: Encoding,
    pub(crate) client: &'a Client,
}

impl Texts<'_> {
    pub(crate) fn lines(&self, path: &Path) -> Lines {
        let text = self.overlay.text(path).unwrap_or_default();
        Lines::new(String::from_utf8_lossy(&text).into_owned(), self.encoding)
    }

    pub(crate) fn location(
        &self,
        path: &Path,
        range: &std::ops::Range<u32>,
    ) -> Option<lsp_types::Location> {
        Some(lsp_types::Location { uri: uri_of(path)?, range: self.lines(path).range(range) })
    }

    pub(crate) fn diagnostic(&self, found: &FileFinding, lines: &Lines) -> Diagnostic {
        let related = found.related.iter().filter_map(|it| {
            let location = self.location(&it.path, &it.range)?;
            Some(DiagnosticRelatedInformation { location, message: it.message.clone() })
        });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        let severity =
            if found.is_error { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING };
        let mut message = found.message.clone();
        if found.targets.len() > 1 {
            message = format!("{message}\nin {}", found.targets.join(", "));
        }
        Diagnostic {
            range: lines.range(&found.range),
            severity: Some(severity),
            code: Some(NumberOrString::String(found.code.to_owned())),
            source: Some("plumb".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            tags: found.tag.map(|it| match it {
                Tag::Deprecated => vec![DiagnosticTag::DEPRECATED],
                Tag::Unused => vec![DiagnosticTag::UNNECESSARY],
            }),
            code_description: self.page(found.code),
            ..Diagnostic::default()
        }
    }

    fn page(&self, code: &str) -> Option<CodeDescription> {
        Some(CodeDescription { href: Uri::from_str(&self.client.page(code)).ok()? })
    }

    pub(crate) fn fix(&self, fix: &Fix, diagnostic: Diagnostic) -> CodeAction {
        CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(self.workspace_edit(&fix.edits)),
            is_preferred: Some(true),
            ..CodeAction::default()
        }
    }

    #[expect(clippy::mutable_key_type, reason = "the protocol's type has URIs as keys")]
    pub(crate) fn workspace_edit(&self, edits: &[Edit]) -> WorkspaceEdit {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        let mut lines: HashMap<&Path, Lines> = HashMap::new();
        for edit in edits {
            let Some(uri) = uri_of(&edit.path) else { continue };
            let lines = lines.entry(&edit.path).or_insert_with(|| self.lines(&edit.path));
            let range = lines.range(&edit.range);
            let new_text = edit.text.clone();
            changes.entry(uri).or_default().push(TextEdit { range, new_text });
        }
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
