//! The lines of source that a diagnostic refers to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Snippet};
use plumb_source::{FileId, Source, Sources, Span, lexical};

use super::Values;
use crate::mask::{Bound, Masked};

/// How many lines of one source are shown before and after each label.
const CONTEXT_LINES: u32 = 1;

/// The lines of one source that labels point into.
pub(super) struct Excerpt {
    name: String,
    first_line: u32,
    text: String,
    marks: Vec<Mark>,
    pub(super) moved: Vec<Moved>,
}

/// Which parts of a source may be shown.
#[derive(Clone, Copy)]
pub(super) struct Secrecy<'a> {
    /// Places without values.
    pub(super) plain: &'a [Span],
    pub(super) values: Values,
}

struct Mark {
    range: Range<usize>,
    message: String,
    is_primary: bool,
}

impl Excerpt {
    pub(super) fn element(&self) -> Element<'_> {
        let marks = self.marks.iter().map(|mark| {
            let kind =
                if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(mark.range.clone());
            if mark.message.is_empty() { annotation } else { annotation.label(&*mark.message) }
        });
        Snippet::source(&*self.text)
            .path(&*self.name)
            .line_start(self.first_line as usize)
            .annotations(marks)
            .into()
    }
}

impl Secrecy<'_> {
    /// Returns a line as it is shown.
    fn line(&self, source: &Source, file: FileId, line: u32) -> Masked {
        match self.values {
            Values::Shown => Masked::nothing(source.line_text(line)),
            Values::Masked => {
                let mut masked = Masked::of(source, line);
                for span in self.plain.iter().filter(|it| it.file == file) {
                    masked.reveal(source, line, *span);
                }
                masked
            }
        }
    }
}

/// A place whose column changes because of masks before it.
pub(super) struct Moved {
    pub(super) shown: String,
    pub(super) written: String,
}

/// A label and its index: the first label is the one that the finding is about.
#[derive(Clone, Copy)]
struct Pointer<'a> {
    rank: usize,
    span: Span,
    message: &'a str,
}

/// Extracts only the lines that are shown: a source may be large, and there may be many findings.
pub(super) fn excerpts(
    labels: &[(Span, Cow<'_, str>)],
    secrecy: Secrecy<'_>,
    sources: &Sources,
) -> Vec<Excerpt> {
    let mut order: Vec<FileId> = Vec::new();
    let mut by_file: BTreeMap<FileId, Vec<Pointer<'_>>> = BTreeMap::new();
    for (rank, (span, message)) in labels.iter().enumerate() {
        let span = *span;
        if !order.contains(&span.file) {
            order.push(span.file);
        }
        by_file.entry(span.file).or_default().push(Pointer { rank, span, message });
    }
    order.iter().flat_map(|file| cut(&sources.get(*file), &by_file[file], secrecy)).collect()
}

/// Makes one excerpt for labels close to each other, and several for labels far apart.
fn cut(source: &Source, labels: &[Pointer<'_>], secrecy: Secrecy<'_>) -> Vec<Excerpt> {
    const FAR: u32 = 20;
    let mut sorted = labels.to_vec();
    sorted.sort_by_key(|it| it.span.start);
    let mut groups: Vec<Vec<Pointer<'_>>> = Vec::new();
    for label in sorted {
        let line = source.line(label.span.start);
        match groups.last_mut() {
            Some(group) if line - source.line(group[group.len() - 1].span.end) <= FAR => {
                group.push(label);
            }
            _ => groups.push(vec![label]),
        }
    }
    groups.sort_by_key(|group| group.iter().map(|it| it.rank).min());
    groups.iter().map(|group| excerpt(source, group, secrecy)).collect()
}

/// Makes an excerpt of the lines around labels close to each other.
fn excerpt(source: &Source, labels: &[Pointer<'_>], secrecy: Secrecy<'_>) -> Excerpt {
    let start = labels.iter().map(|it| it.span.start).min().expect("a group has labels");
    let end = labels.iter().map(|it| it.span.end).max().expect("a group has labels");
    let first_line = source.line(start).saturating_sub(CONTEXT_LINES).max(source.first_line());
    let mut shown = Shown { source, first_line, text: String::new(), lines: Vec::new() };
    for line in first_line..=source.line(end) + CONTEXT_LINES {
        shown.push(secrecy.line(source, labels[0].span.file, line));
    }
    let marks = labels.iter().map(|it| {
        let start = shown.place(it.span.start, Bound::Start);
        let end = shown.place(it.span.end, Bound::End).max(start);
        Mark { range: start..end, message: it.message.to_owned(), is_primary: it.rank == 0 }
    });
    let marks = marks.collect();
    let name = lexical::one_line(&source.location()).into_owned();
    let moved = labels.iter().filter_map(|it| shown.moved(&name, it.span.start)).collect();
    Excerpt { name, first_line, text: shown.text, marks, moved }
}

/// Lines of a source as they are shown, possibly with masked values.
struct Shown<'a> {
    source: &'a Source,
    first_line: u32,
    text: String,
    /// Where each line begins in the text.
    lines: Vec<(usize, Masked)>,
}

impl Shown<'_> {
    fn push(&mut self, line: Masked) {
        let start = self.text.len();
        self.text.push_str(&line.shown());
        self.text.push('\n');
        self.lines.push((start, line));
    }

    /// Converts an offset of the source to one of the text.
    fn place(&self, offset: u32, bound: Bound) -> usize {
        let (start, line) = self.line(offset);
        start + line.place(self.source.column(offset) as usize - 1, bound)
    }

    fn moved(&self, name: &str, offset: u32) -> Option<Moved> {
        let (line, column) = (self.source.line(offset), self.source.column(offset));
        let before = &self.text[self.line(offset).0..self.place(offset, Bound::Start)];
        let shown_column = before.chars().count() + 1;
        let at = |column: &dyn std::fmt::Display| format!("{name}:{line}:{column}");
        (shown_column != column as usize)
            .then(|| Moved { shown: at(&shown_column), written: at(&column) })
    }

    fn line(&self, offset: u32) -> &(usize, Masked) {
        &self.lines[(self.source.line(offset) - self.first_line) as usize]
    }
}
