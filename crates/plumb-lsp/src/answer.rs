//! Answers of the analysis as types of the protocol.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CompletionItem, CompletionItemKind, CompletionTextEdit, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentSymbol, Documentation,
    FoldingRange, MarkupContent, MarkupKind, NumberOrString, SemanticToken, SemanticTokenType,
    SymbolKind as ProtocolKind, TextEdit, Uri, WorkspaceEdit,
};
use plumb_ide::{
    Completion, CompletionKind, Edit, FileFinding, Fix, Fold, Overlay, Symbol, SymbolKind, Token,
    TokenKind,
};

use crate::lines::{Encoding, Lines};
use crate::paths::uri_of;

/// The types of semantic tokens, in the order of their numbers.
pub(crate) fn token_types() -> Vec<SemanticTokenType> {
    vec![
        SemanticTokenType::KEYWORD,
        SemanticTokenType::NUMBER,
        SemanticTokenType::STRING,
        SemanticTokenType::OPERATOR,
        SemanticTokenType::VARIABLE,
        SemanticTokenType::PARAMETER,
        SemanticTokenType::FUNCTION,
        SemanticTokenType::NAMESPACE,
        SemanticTokenType::PROPERTY,
        SemanticTokenType::DECORATOR,
    ]
}

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

/// Tokens relative to each other, as the protocol wants them. Those of several lines are left out.
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
        CompletionKind::File => CompletionItemKind::FILE,
    };
    let edit = TextEdit { range: lines.range(&found.range), new_text: found.text };
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
        ..CompletionItem::default()
    }
}

/// The names of symbols are from the source; the parts of it that they cover contain each other.
#[expect(deprecated, reason = "the field must be given, even though it has no meaning any more")]
pub(crate) fn symbol(found: &Symbol, lines: &Lines) -> DocumentSymbol {
    let kind = match found.kind {
        SymbolKind::Document => ProtocolKind::FILE,
        SymbolKind::Key => ProtocolKind::PROPERTY,
        SymbolKind::Item => ProtocolKind::ARRAY,
        SymbolKind::Function => ProtocolKind::FUNCTION,
        SymbolKind::Variable => ProtocolKind::VARIABLE,
    };
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

pub(crate) fn fold(found: Fold) -> FoldingRange {
    FoldingRange { start_line: found.first, end_line: found.last, ..FoldingRange::default() }
}

/// Texts of files, to convert places in them.
pub(crate) struct Texts<'a> {
    pub(crate) overlay: &'a Overlay,
    pub(crate) encoding: Encoding,
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
            tags: found.is_deprecation.then(|| vec![DiagnosticTag::DEPRECATED]),
            ..Diagnostic::default()
        }
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
        for edit in edits {
            let Some(uri) = uri_of(&edit.path) else { continue };
            let range = self.lines(&edit.path).range(&edit.range);
            let new_text = edit.text.clone();
            changes.entry(uri).or_default().push(TextEdit { range, new_text });
        }
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
