//! The information that an editor needs about a template, even if it has errors: its code and its
//! annotations.

use plumb_diagnostic::Diagnostic;
use plumb_source::{FileId, Sources, Span};
use plumb_starlark::outline::{self, Outline};
use plumb_starlark::{Environment, Error, Fragment as CodeFragment, Piece};
use plumb_value::{Comment, Document, Meta};

use crate::advice::Confusion;
use crate::compile::{self, DashLines, Options};
use crate::directive::{self, Directive};
use crate::error::SYNTAX;
use crate::vocabulary::Vocabulary;
use crate::{advice, text};

/// The outline of a template.
#[derive(Debug, Default)]
pub struct TemplateOutline {
    pub code: Outline,
    /// Mistakes in comments, and all syntax errors of the code.
    pub findings: Vec<Diagnostic>,
    pub annotations: Vec<AnnotationPlace>,
    /// The comments that are code, values, annotations or plain comments.
    pub comments: Vec<CommentPlace>,
}

/// Where an annotation is.
#[derive(Clone, Debug)]
pub struct AnnotationPlace {
    pub name: String,
    /// The place of the name, without `#@`.
    pub span: Span,
    /// The place of the arguments.
    pub arguments: Span,
}

/// A comment of a template.
#[derive(Clone, Copy, Debug)]
pub struct CommentPlace {
    pub span: Span,
    pub kind: CommentKind,
}

/// The kind of a comment in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    Code,
    Value,
    Annotation,
    Remark,
    Unknown,
}

/// Describes a YAML template.
pub fn outline_yaml(
    documents: &[Document],
    sources: &Sources,
    vocabulary: &Vocabulary,
) -> TemplateOutline {
    let (parts, failures) = compile::compile_past_errors(
        documents,
        Options::default(),
        DashLines::FirstKey,
        sources,
        vocabulary,
    );
    let pieces: Vec<Piece<'_>> = parts.code.iter().map(|it| it.piece(0)).collect();
    let mut outlined = of_pieces(&pieces, sources, vocabulary);
    if let Err(failure) = failures.into_result() {
        outlined.findings.extend(failure.findings().iter().cloned());
    }
    for document in documents {
        outlined.add_comments(&document.meta);
        for (meta, _) in document.node.descendants() {
            outlined.add_comments(meta);
        }
    }
    outlined.comments.sort_by_key(|it| it.span);
    outlined.annotations.sort_by_key(|it| it.span);
    outlined
}

/// Describes a text template.
pub fn outline_text(file: FileId, sources: &Sources, vocabulary: &Vocabulary) -> TemplateOutline {
    let source = sources.get(file);
    let (parts, errors) = text::parse_past_errors(source.bytes(), 1);
    let mut outlined = {
        let parts = compile::compile_parts(&parts, file);
        let pieces: Vec<Piece<'_>> = parts.code.iter().map(|it| it.piece(0)).collect();
        of_pieces(&pieces, sources, vocabulary)
    };
    outlined.findings.extend(errors.iter().map(|it| compile::text_finding(it, file)));
    outlined
}

/// Describes a file of plain code.
pub fn outline_module(file: FileId, sources: &Sources, vocabulary: &Vocabulary) -> TemplateOutline {
    let source = sources.get(file);
    let end = u32::try_from(source.bytes().len()).expect("a source is at most 4 GiB");
    let span = Some(Span::new(file, 0, end));
    of_pieces(&[Piece::Code(CodeFragment { text: source.bytes(), span })], sources, vocabulary)
}

fn of_pieces(pieces: &[Piece<'_>], sources: &Sources, vocabulary: &Vocabulary) -> TemplateOutline {
    let code = outline::outline(pieces, Environment::standard());
    let findings = code.errors.iter().map(|it| finding(it, sources, vocabulary)).collect();
    TemplateOutline { code, findings, ..TemplateOutline::default() }
}

/// A syntax error as a finding, at the unexpected word or at the end of the code.
fn finding(error: &Error, sources: &Sources, vocabulary: &Vocabulary) -> Diagnostic {
    let place = error.word().or_else(|| error.frames().iter().find_map(|it| it.span));
    let mut finding = Diagnostic::error(SYNTAX, error.message().clone()).at(place, "");
    finding.help.extend(Confusion::of(error, sources).map(Confusion::help));
    finding.help.extend(advice::remedy(error, vocabulary));
    finding
}

impl TemplateOutline {
    fn add_comments(&mut self, meta: &Meta) {
        for comment in meta.comments() {
            let kind = match directive::read(comment, comment.is_inline) {
                Directive::Code(_) => CommentKind::Code,
                Directive::Value(_) => CommentKind::Value,
                Directive::Annotation { name, arguments } => {
                    self.annotations.push(annotation(comment, name, arguments.span));
                    CommentKind::Annotation
                }
                Directive::Remark => CommentKind::Remark,
                Directive::Unknown => CommentKind::Unknown,
            };
            self.comments.push(CommentPlace { span: comment.span, kind });
        }
    }
}

fn annotation(comment: &Comment, name: &str, arguments: Span) -> AnnotationPlace {
    let start = comment.span.start + 2;
    let end = start + u32::try_from(name.len()).expect("a comment fits its source");
    let span = Span { start, end, ..comment.span };
    AnnotationPlace { name: name.to_owned(), span, arguments }
}
