//! The requests about documents, and their answers.

use std::path::{Path, PathBuf};

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionOrCommand, DocumentHighlight, Hover, HoverContents, PrepareRenameResponse,
    SemanticTokens, TextEdit, Uri,
};
use plumb_ide::{Analysis, CompletionKind, TextRange};
use serde_json::Value;

use crate::answer;
use crate::lines::Lines;
use crate::params::{AtPosition, AtPositions, InDocument, InRange, Rename, SymbolQuery};
use crate::server::{RequestError, Server, read, write};

impl Server {
    pub(crate) fn answer_question(
        &mut self,
        method: &str,
        params: Value,
    ) -> Result<Value, RequestError> {
        match method {
            "textDocument/completion" => self.completions(&read(params)?),
            "textDocument/signatureHelp" => self.signature(&read(params)?),
            "textDocument/hover" => self.hover(&read(params)?),
            "textDocument/definition" => self.places(&read(params)?, Analysis::definition),
            "textDocument/implementation" => self.places(&read(params)?, Analysis::implementations),
            "textDocument/references" => self.places(&read(params)?, Analysis::references),
            "textDocument/documentHighlight" => self.highlights(&read(params)?),
            "textDocument/prepareRename" => self.prepare_rename(&read(params)?),
            "textDocument/rename" => self.rename(read(params)?),
            "textDocument/codeAction" => self.actions(&read(params)?),
            "workspace/symbol" => self.workspace_symbols(&read(params)?),
            "plumb/preview" => self.preview(&read(params)?),
            "workspace/textDocumentContent" => self.virtual_document(&read(params)?),
            _ => self.answer_about_document(method, params),
        }
    }

    /// Requests about a whole document or a part of it.
    fn answer_about_document(&self, method: &str, params: Value) -> Result<Value, RequestError> {
        match method {
            "textDocument/documentSymbol" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let found = analysis.symbols(&path);
                write(found.iter().map(|it| answer::symbol(it, &lines)).collect::<Vec<_>>())
            }
            "textDocument/foldingRange" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, _) = self.question(&text_document.uri)?;
                write(analysis.folds(&path).into_iter().map(answer::fold).collect::<Vec<_>>())
            }
            "textDocument/selectionRange" => {
                let AtPositions { text_document, positions } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let selection = |at| analysis.selections(&path, lines.offset(at));
                let found =
                    positions.into_iter().map(|at| answer::selection(selection(at), &lines));
                write(found.collect::<Vec<_>>())
            }
            "textDocument/semanticTokens/full" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let data = answer::tokens(&analysis.tokens(&path), &lines);
                write(SemanticTokens { result_id: None, data })
            }
            "textDocument/documentLink" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let found = analysis.links(&path);
                write(found.iter().map(|it| answer::link(it, &lines)).collect::<Vec<_>>())
            }
            "textDocument/inlayHint" => {
                let InRange { text_document, range } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let range = lines.offset(range.start)..lines.offset(range.end) + 1;
                let found = analysis.hints(&path, &range);
                write(found.into_iter().map(|it| answer::hint(it, &lines)).collect::<Vec<_>>())
            }
            "textDocument/codeLens" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let found = analysis.lenses(&path);
                let lenses = found.iter().map(|it| answer::lens(it, &text_document.uri, &lines));
                let commands = &self.client.choices.commands;
                let is_known = |it: &lsp_types::CodeLens| {
                    it.command.as_ref().is_some_and(|it| commands.contains(&it.command))
                };
                write(lenses.filter(is_known).collect::<Vec<_>>())
            }
            "textDocument/formatting" => {
                let InDocument { text_document } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                write(text_edits(analysis.format(&path), &lines))
            }
            "textDocument/rangeFormatting" => {
                let InRange { text_document, range } = read(params)?;
                let (analysis, path, lines) = self.question(&text_document.uri)?;
                let range = lines.offset(range.start)..lines.offset(range.end);
                write(text_edits(analysis.format_range(&path, &range), &lines))
            }
            _ => {
                let message = format!("plumb does not know the request {method}");
                Err(RequestError(ErrorCode::MethodNotFound, message))
            }
        }
    }

    /// Returns what is needed to answer a request about a document.
    fn question(&self, uri: &Uri) -> Result<(Analysis, PathBuf, Lines), RequestError> {
        let (path, lines) = self.document(uri)?;
        Ok((self.analysis(&path), path, lines))
    }

    fn place(&self, at: &AtPosition) -> Result<(PathBuf, Lines, u32), RequestError> {
        let (path, lines) = self.document(&at.text_document.uri)?;
        let offset = lines.offset(at.position);
        Ok((path, lines, offset))
    }

    fn completions(&self, at: &AtPosition) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let mut found = self.analysis(&path).completions(&path, offset);
        if !self.client.has_snippets {
            found.retain(|it| it.kind != CompletionKind::Snippet);
        }
        let items = found.into_iter().enumerate();
        write(items.map(|(order, it)| answer::completion(it, order, &lines)).collect::<Vec<_>>())
    }

    fn signature(&self, at: &AtPosition) -> Result<Value, RequestError> {
        let (path, _, offset) = self.place(at)?;
        write(self.analysis(&path).signature(&path, offset).map(answer::signature))
    }

    fn hover(&self, at: &AtPosition) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).hover(&path, offset);
        write(found.map(|it| Hover {
            range: Some(lines.range(&it.range)),
            contents: HoverContents::Markup(answer::markdown(it.markdown)),
        }))
    }

    fn places(
        &self,
        at: &AtPosition,
        find: fn(&Analysis, &Path, u32) -> Vec<plumb_ide::Location>,
    ) -> Result<Value, RequestError> {
        let (path, _, offset) = self.place(at)?;
        let found = find(&self.analysis(&path), &path, offset);
        let texts = self.texts();
        let places = found.iter().filter_map(|it| texts.location(&it.path, &it.range()));
        write(places.collect::<Vec<_>>())
    }

    fn highlights(&self, at: &AtPosition) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).references(&path, offset);
        let here = found.iter().filter(|it| it.path == path);
        let highlight = |it: &plumb_ide::Location| DocumentHighlight {
            range: lines.range(&it.range()),
            kind: None,
        };
        write(here.map(highlight).collect::<Vec<_>>())
    }

    fn prepare_rename(&self, at: &AtPosition) -> Result<Value, RequestError> {
        let (path, lines, offset) = self.place(at)?;
        let found = self.analysis(&path).renamed_name(&path, offset).map_err(|it| refusal(&it))?;
        write(PrepareRenameResponse::Range(lines.range(&found)))
    }

    fn rename(&self, params: Rename) -> Result<Value, RequestError> {
        let Rename { text_document, position, new_name } = params;
        let (path, _, offset) = self.place(&AtPosition { text_document, position })?;
        let edits =
            self.analysis(&path).rename(&path, offset, &new_name).map_err(|it| refusal(&it))?;
        write(self.texts().workspace_edit(&edits))
    }

    fn actions(&self, params: &InRange) -> Result<Value, RequestError> {
        let (analysis, path, lines) = self.question(&params.text_document.uri)?;
        let texts = self.texts();
        let (start, end) = (lines.offset(params.range.start), lines.offset(params.range.end));
        let mut actions = Vec::new();
        for finding in self.findings(&path) {
            if finding.range.start > end || start > finding.range.end {
                continue;
            }
            let diagnostic = texts.diagnostic(finding, &lines);
            let fixes = analysis.fixes(&path, finding);
            let fix = |it| CodeActionOrCommand::CodeAction(texts.fix(it, diagnostic.clone()));
            actions.extend(fixes.iter().map(fix));
        }
        write(actions)
    }

    fn workspace_symbols(&self, params: &SymbolQuery) -> Result<Value, RequestError> {
        let texts = self.texts();
        let mut found = Vec::new();
        for analysis in self.analyses() {
            found.extend(analysis.workspace_symbols(&params.query));
        }
        found.sort_by(|a, b| (&a.0, a.1.range.start).cmp(&(&b.0, b.1.range.start)));
        found.dedup();
        let symbols = found.iter().filter_map(|(path, symbol)| {
            let location = texts.location(path, &symbol.selection)?;
            Some(answer::workspace_symbol(symbol, location))
        });
        write(symbols.collect::<Vec<_>>())
    }
}

fn refusal(error: &plumb_ide::RenameError) -> RequestError {
    RequestError(ErrorCode::RequestFailed, error.to_string())
}

fn text_edits(
    edits: impl IntoIterator<Item = (TextRange, String)>,
    lines: &Lines,
) -> Vec<TextEdit> {
    let edit = |(range, new_text)| TextEdit { range: lines.range(&range), new_text };
    edits.into_iter().map(edit).collect()
}
