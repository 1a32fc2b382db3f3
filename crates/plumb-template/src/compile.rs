//! Compiles the documents of a template file to the pieces of its program.
//!
//! A template is one program in the order of its text: each node contributes the code above it, its
//! annotations, the instruction that begins it, then its value or its children. Code is independent
//! of the nesting of YAML; instructions know where their node belongs.

mod pieces;
mod problem;

use std::borrow::Cow;

use plumb_diagnostic::{Diagnostic, Failure, Failures};
use plumb_source::{FileId, Origin, SourceKind, Sources, Span, Text};
use plumb_starlark::Effect;
use plumb_value::{ArrayItem, Document, Map, MapItem, Meta, Node, OUTPUT_COMMENT};

use crate::constant::Survey;
use crate::directive::{self, Directive, Snippet};
use crate::program::{Constant, NameId, Operation, Shell, Tag};
use crate::text;
use crate::vocabulary::{TEXT_TEMPLATED_STRINGS, Vocabulary};
use pieces::{CodeOperands, CodePiece, Excerpt};

pub(crate) use pieces::Compiled;
pub use problem::{
    CODE_AFTER_NODE_KEYWORD, CommentError, ReadComment, TEXT_SYNTAX, TWO_VALUES, UNKNOWN_COMMENT,
};

/// How a template is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether comments without `#@` and `#!` are ignored instead of being an error.
    pub ignores_unknown_comments: bool,
    /// Whether a duplicate key replaces the earlier one instead of being an error.
    pub overrides_map_keys: bool,
    /// Whether the nodes of the output have the plain comments of the template.
    pub keeps_comments: bool,
}

/// The target of an annotation that is on the line of a dash, before the keys of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DashLines {
    /// The first key, as if the annotation were on the line above it.
    FirstKey,
    /// The item of the array, as in ytt.
    Item,
}

/// Compiles the documents of a YAML template.
pub(crate) fn compile<'a>(
    documents: &'a [Document],
    options: Options,
    dash_lines: DashLines,
    sources: &'a Sources,
    vocabulary: &'a Vocabulary,
) -> Result<Compiled<'a>, Failure> {
    let (compiled, failures) =
        compile_past_errors(documents, options, dash_lines, sources, vocabulary);
    failures.into_result().map(|()| compiled)
}

/// Compiles the valid parts of a YAML template.
pub(crate) fn compile_past_errors<'a>(
    documents: &'a [Document],
    options: Options,
    dash_lines: DashLines,
    sources: &'a Sources,
    vocabulary: &'a Vocabulary,
) -> (Compiled<'a>, Failures) {
    let survey = Survey::of(documents, options.ignores_unknown_comments);
    let mut compiler = Compiler {
        compiled: Compiled::default(),
        survey,
        at: 0,
        options,
        dash_lines,
        for_first_key: Vec::new(),
        sources,
        vocabulary,
        failures: Failures::default(),
    };
    let root = compiler.compiled.plan.add_node(Tag::ROOT, Shell::Documents);
    compiler.start(root, None);
    for document in documents {
        compiler.document(root, document);
    }
    compiler.compiled.end();
    (compiler.compiled, compiler.failures)
}

/// Compiles a text template from a file.
pub(crate) fn compile_text(bytes: &[u8], file: FileId) -> Result<Compiled<'_>, Failure> {
    let parts = text::parse(bytes, 1).map_err(|error| Failure::from(text_finding(&error, file)))?;
    Ok(compile_parts(&parts, file))
}

/// What is wrong with a text template that is a file.
pub(crate) fn text_finding(error: &text::TextError, file: FileId) -> Diagnostic {
    let at = u32::try_from(error.offset).expect("a source is at most 4 GiB");
    problem::text_error(error, "file").label(Span::new(file, at, at), "")
}

/// Compiles the parts of a text template.
pub(crate) fn compile_parts<'a>(parts: &[text::Part<'a>], file: FileId) -> Compiled<'a> {
    let mut compiled = Compiled::default();
    compiled.text(parts, file, Effect::None);
    compiled.end();
    compiled
}

struct Compiler<'a> {
    compiled: Compiled<'a>,
    survey: Survey,
    /// The index of the survey's entry for the next item or document.
    at: usize,
    options: Options,
    dash_lines: DashLines,
    /// Annotations of the item that was begun last that apply to its first key.
    for_first_key: Vec<Written<'a>>,
    sources: &'a Sources,
    vocabulary: &'a Vocabulary,
    /// The failures so far. Parts with mistakes are left out, so that all mistakes are found.
    failures: Failures,
}

/// An annotation in a comment.
struct Written<'a> {
    name: &'a str,
    id: NameId,
    arguments: Snippet<'a>,
    comment: Span,
}

/// The directives in the comments of a node.
#[derive(Default)]
struct Directives<'a> {
    code: Vec<Excerpt<'a>>,
    values: Vec<Snippet<'a>>,
    annotations: Vec<Written<'a>>,
    needs_end: bool,
}

/// Whether the strings of a subtree are text templates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Plain,
    Templated,
}

impl<'a> Compiler<'a> {
    fn document(&mut self, parent: Tag, document: &'a Document) {
        if document.is_injected {
            self.report_stray_annotations(&document.meta);
        }
        self.parent_of_node(parent, Parent::Document(document), Strings::Plain);
    }

    /// Reports the annotations after the last node of the file.
    fn report_stray_annotations(&mut self, meta: &Meta) {
        for comment in meta.comments() {
            if let Some(name) = directive::annotation_name(comment) {
                let drop = self.vocabulary.stray_finding(name, comment.span);
                self.compiled.drops.extend(drop.map(|it| (comment.span, it)));
            }
        }
    }

    /// Compiles the parent of a node: a document, a map item or an array item.
    fn parent_of_node(&mut self, parent: Tag, it: Parent<'a>, strings: Strings) {
        let entry = self.survey.entry(self.at);
        if entry.is_constant && strings == Strings::Plain && self.for_first_key.is_empty() {
            self.at += entry.size;
            let operation = Operation::Add { parent, constant: Box::new(it.constant()) };
            self.instruction(operation, it.origin().span(), CodeOperands::None, Effect::Builds);
            return;
        }
        self.at += 1;
        let above = std::mem::take(&mut self.for_first_key);
        let mut directives = self.directives(it);
        if !above.is_empty() {
            directives.annotations.splice(0..0, above);
        }
        if matches!(it, Parent::ArrayItem(_)) && self.dash_lines == DashLines::FirstKey {
            self.for_first_key = directives.take_for_first_key(it);
        }
        let comments = self.kept_comments(it);
        let tag = self.compiled.plan.add_commented_node(parent, it.shell(), comments);
        let strings = directives.strings(strings);
        let code = directives.code.into_iter().map(CodePiece::Code);
        self.compiled.code.extend(code);
        for Written { name, id, arguments, comment: span } in directives.annotations {
            let (operation, arguments) = if name.contains(['"', '\\']) {
                let operation = Operation::AnnotateQuoted(tag, id, span);
                let code = [b"\"", name.as_bytes(), b"\", ", arguments.text].concat();
                (operation, Excerpt { text: Cow::Owned(code), span: Some(span) })
            } else {
                (Operation::Annotate(tag, id, span), arguments.into())
            };
            let operands = CodeOperands::Arguments(arguments);
            self.instruction(operation, Some(span), operands, Effect::None);
        }
        if let (Some(Node::String(key)), Strings::Templated) = (it.key(), strings) {
            self.string(key, it.origin(), Operation::SetKey(tag));
        }
        self.start(tag, it.origin().span());
        for value in &directives.values {
            let operands = CodeOperands::Value((*value).into());
            let operation = Operation::SetValue(value.span);
            self.instruction(operation, Some(value.span), operands, Effect::Builds);
        }
        if directives.values.is_empty() {
            self.node(tag, it.node(), it.origin(), strings);
        }
        if directives.needs_end {
            let text = Cow::Borrowed(&b"end"[..]);
            self.compiled.code.push(CodePiece::Code(Excerpt { text, span: None }));
        }
    }

    /// Compiles the value of `holder`.
    fn node(&mut self, holder: Tag, node: &'a Node, origin: Origin, strings: Strings) {
        match node {
            Node::Map(map) => {
                let tag = self.compiled.plan.add_node(holder, Shell::Map { origin: map.origin });
                self.start(tag, origin.span());
                for item in map.items() {
                    self.parent_of_node(tag, Parent::MapItem(item), strings);
                }
            }
            Node::Array(array) => {
                let shell = Shell::Array { origin: array.origin };
                let tag = self.compiled.plan.add_node(holder, shell);
                self.start(tag, origin.span());
                for item in &array.items {
                    self.parent_of_node(tag, Parent::ArrayItem(item), strings);
                }
            }
            Node::String(text) if strings == Strings::Templated => {
                self.string(text, origin, Operation::SetText);
            }
            scalar => {
                let operation = Operation::SetScalar(scalar.clone());
                self.instruction(operation, origin.span(), CodeOperands::None, Effect::Builds);
            }
        }
    }

    /// Compiles a string that is a text template; `put` determines where its text goes. The string
    /// becomes a separate source, so that errors in its code have exact places.
    fn string(&mut self, text: &'a Text, origin: Origin, put: Operation) {
        let span = origin.span();
        let line = span.map_or(1, |span| self.sources.get(span.file).line(span.start));
        let parts = text::parse(text.as_bytes(), line).map_err(|error| {
            let diagnostic = problem::text_error(&error, "string");
            Failure::from(diagnostic.at(span, "in this text"))
        });
        let Some(parts) = self.failures.keep(parts) else { return };
        let bytes = text.as_bytes().into();
        let file = match span {
            Some(span) => self.sources.add_inside(span, SourceKind::Text, bytes),
            None => self.sources.add("", SourceKind::Text, bytes),
        };
        // A function whose first node is such a string builds nodes, not text.
        self.compiled.text(&parts, file, Effect::Builds);
        self.instruction(put, span, CodeOperands::None, Effect::Builds);
    }

    /// The comments that a node has in the output.
    fn kept_comments(&self, parent: Parent<'a>) -> Meta {
        let mut kept = Meta::default();
        let comments = parent.meta().comments();
        if self.options.keeps_comments && !comments.is_empty() {
            let plain = comments.iter().filter(|it| it.plain_text().is_some()).cloned();
            kept.comments_mut().extend(plain);
        }
        kept
    }

    fn directives(&mut self, parent: Parent<'a>) -> Directives<'a> {
        let mut found = Directives::default();
        for comment in parent.meta().comments() {
            match directive::read(comment, comment.is_inline) {
                Directive::Remark => {}
                Directive::Unknown if self.options.ignores_unknown_comments => {}
                Directive::Unknown => {
                    self.failures.add(problem::unknown_comment(comment).into());
                }
                Directive::Value(_) if !parent.node().is_null() => {
                    self.failures.add(problem::two_values(self.sources, comment).into());
                }
                Directive::Value(snippet) => found.values.push(snippet),
                Directive::Code(_) if found.needs_end => {
                    self.failures.add(problem::misplaced_code(self.sources, comment).into());
                }
                Directive::Code(snippet) => found.add_code(snippet),
                Directive::Annotation { name, arguments } => {
                    let id = self.compiled.plan.add_name(name, self.vocabulary);
                    let is_repeated = found.annotations.iter().any(|it| it.name == name);
                    let drop = if is_repeated && !arguments.text.trim_ascii().is_empty() {
                        self.vocabulary.repeated_finding(name, comment.span)
                    } else if self.compiled.plan.name(id).definition.is_some() {
                        None
                    } else {
                        self.vocabulary.name_finding(name, comment.span)
                    };
                    self.compiled.drops.extend(drop.map(|it| (comment.span, it)));
                    self.compiled.computes_comments |= name == OUTPUT_COMMENT;
                    let comment = comment.span;
                    found.annotations.push(Written { name, id, arguments, comment });
                }
            }
        }
        found
    }

    fn start(&mut self, tag: Tag, span: Option<Span>) {
        self.instruction(Operation::Start(tag), span, CodeOperands::None, Effect::Builds);
    }

    fn instruction(
        &mut self,
        operation: Operation,
        span: Option<Span>,
        operands: CodeOperands<'a>,
        effect: Effect,
    ) {
        self.compiled.instruction(operation, span, operands, effect);
    }
}

/// The parent of a node.
#[derive(Clone, Copy)]
enum Parent<'a> {
    Document(&'a Document),
    MapItem(&'a MapItem),
    ArrayItem(&'a ArrayItem),
}

impl<'a> Parent<'a> {
    fn meta(self) -> &'a Meta {
        match self {
            Self::Document(it) => &it.meta,
            Self::MapItem(it) => &it.meta,
            Self::ArrayItem(it) => &it.meta,
        }
    }

    fn node(self) -> &'a Node {
        match self {
            Self::Document(it) => &it.node,
            Self::MapItem(it) => &it.node,
            Self::ArrayItem(it) => &it.node,
        }
    }

    fn origin(self) -> Origin {
        match self {
            Self::Document(it) => it.origin,
            Self::MapItem(it) => it.origin,
            Self::ArrayItem(it) => it.origin,
        }
    }

    fn key(self) -> Option<&'a Node> {
        match self {
            Self::MapItem(it) => Some(&it.key),
            Self::Document(_) | Self::ArrayItem(_) => None,
        }
    }

    /// The node in the plan, without its content.
    fn shell(self) -> Shell {
        match self {
            Self::Document(it) => {
                Shell::Document { origin: it.origin, is_injected: it.is_injected }
            }
            Self::MapItem(it) => Shell::MapItem { key: it.key.clone(), origin: it.origin },
            Self::ArrayItem(it) => Shell::ArrayItem { origin: it.origin },
        }
    }

    /// The node in the plan, if nothing in it is computed.
    fn constant(self) -> Constant {
        match self {
            Self::Document(it) => Constant::Document(it.clone()),
            Self::MapItem(it) => Constant::MapItem(it.clone()),
            Self::ArrayItem(it) => Constant::ArrayItem(it.clone()),
        }
    }
}

impl<'a> Directives<'a> {
    fn add_code(&mut self, snippet: Snippet<'a>) {
        let code = match directive::node_scoped(snippet.text) {
            Some(plain) => {
                self.needs_end = true;
                Excerpt { text: Cow::Owned(plain), span: Some(snippet.span) }
            }
            None => snippet.into(),
        };
        self.code.push(code);
    }

    /// Removes and returns the annotations of an item that apply to the first key of its map.
    fn take_for_first_key(&mut self, parent: Parent<'a>) -> Vec<Written<'a>> {
        if parent.node().as_map().is_none_or(Map::is_empty) || !self.values.is_empty() {
            return Vec::new();
        }
        let is_about_values =
            |name: &str| name.starts_with("schema/") || name.starts_with("assert/");
        let is_inline = |span: &Span| {
            parent.meta().comments().iter().any(|it| it.is_inline && it.span == *span)
        };
        let is_for_key = |it: &mut Written<'a>| is_about_values(it.name) && is_inline(&it.comment);
        self.annotations.extract_if(.., is_for_key).collect()
    }

    fn strings(&self, inherited: Strings) -> Strings {
        if self.annotations.iter().any(|it| it.name == TEXT_TEMPLATED_STRINGS) {
            Strings::Templated
        } else {
            inherited
        }
    }
}
