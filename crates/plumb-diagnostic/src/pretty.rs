//! Diagnostics with the lines of source they talk about, for people at a terminal.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use plumb_source::{FileId, Source, SourceKind, Sources, Span};

use crate::diagnostic::shown_calls;
use crate::mask::{Bound, Masked};
use crate::{Diagnostic, Failure, Frame, Place, Severity};

/// How many lines of one source are shown before and after each label.
const CONTEXT_LINES: u32 = 1;

/// Whether to colour: only a terminal whose user did not object gets colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Always,
    Never,
}

/// Whether lines of source are shown with the values that findings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Masked,
    Shown,
}

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colour: Colour,
    pub values: Values,
}

impl From<Colour> for Look {
    fn from(colour: Colour) -> Self {
        Self { colour, values: Values::Masked }
    }
}

/// All findings of a failure, an empty line between two.
pub fn render_failure(failure: &Failure, sources: &Sources, look: impl Into<Look>) -> String {
    let look = look.into();
    let mut out = String::new();
    for (at, finding) in failure.findings_in_context().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&render(&finding, sources, look));
    }
    out
}

/// One diagnostic, ending in a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, look: impl Into<Look>) -> String {
    let Look { colour, values } = look.into();
    let snippets = excerpts(diagnostic, values, sources);
    let notes = notes(diagnostic, sources);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = match values {
        Values::Masked => diagnostic.message_without_values(),
        Values::Shown => diagnostic.message.clone(),
    };
    let mut lines = message.splitn(2, '\n');
    let title = level.primary_title(lines.next().unwrap_or_default()).id(diagnostic.code.as_str());
    let group = Group::with_title(title)
        .elements(snippets.iter().map(Excerpt::element))
        .elements(lines.next().map(|details| Element::from(Level::NOTE.message(details))))
        .elements(notes.iter().map(|it| Element::from(Level::NOTE.message(it.as_str()))))
        .elements(
            diagnostic
                .hint
                .iter()
                .chain(&diagnostic.help)
                .map(|it| Element::from(Level::HELP.message(it.as_str()))),
        );
    let renderer = match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    let text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    let moved: Vec<&Moved> = snippets.iter().flat_map(|it| &it.moved).collect();
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.lines() {
        out.push_str(&with_true_column(line, &moved));
        out.push('\n');
    }
    out
}

/// A place whose column is another one in what is shown.
struct Moved {
    shown: String,
    written: String,
}

/// The head of an excerpt names the column of what is shown; masks before it have moved that. The
/// renderer lets no one else write the head: lines below an `Origin` get an empty head of their own.
fn with_true_column<'a>(line: &'a str, moved: &[&Moved]) -> Cow<'a, str> {
    let is_head = line.contains("--> ") || line.contains("::: ");
    let cut = |it: &&Moved| {
        let (before, after) = line.split_once(&it.shown).filter(|_| is_head)?;
        let goes_on = after.starts_with(|next: char| next.is_ascii_digit());
        (!goes_on).then(|| format!("{before}{}{after}", it.written))
    };
    moved.iter().find_map(cut).map_or(line.into(), Cow::from)
}

/// The lines of one source that labels point into.
struct Excerpt {
    name: String,
    first_line: u32,
    text: String,
    marks: Vec<Mark>,
    moved: Vec<Moved>,
}

/// What of a source may be shown.
#[derive(Clone, Copy)]
struct Secrecy<'a> {
    /// Places without values.
    plain: &'a [Span],
    values: Values,
}

struct Mark {
    range: Range<usize>,
    message: String,
    is_primary: bool,
}

impl Excerpt {
    fn element(&self) -> Element<'_> {
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

/// Cuts out just the lines that are shown: a source may be large, and there may be many findings.
fn excerpts(diagnostic: &Diagnostic, values: Values, sources: &Sources) -> Vec<Excerpt> {
    let mut labels: Vec<(Span, &str)> =
        diagnostic.labels.iter().map(|label| (label.span, &*label.message)).collect();
    if labels.is_empty() {
        let innermost = diagnostic.trace.iter().flatten().find_map(frame_span);
        labels.extend(innermost.map(|span| (span, "")));
    }
    let mut order: Vec<FileId> = Vec::new();
    let mut by_file: BTreeMap<FileId, Vec<(usize, Span, &str)>> = BTreeMap::new();
    for (at, (span, message)) in labels.into_iter().enumerate() {
        if !order.contains(&span.file) {
            order.push(span.file);
        }
        by_file.entry(span.file).or_default().push((at, span, message));
    }
    let secrecy = Secrecy { plain: &diagnostic.plain, values };
    order.iter().flat_map(|file| cut(&sources.get(*file), &by_file[file], secrecy)).collect()
}

/// One excerpt for labels that are close to each other, several for labels far apart.
fn cut(source: &Source, labels: &[(usize, Span, &str)], secrecy: Secrecy<'_>) -> Vec<Excerpt> {
    const FAR: u32 = 20;
    let mut sorted = labels.to_vec();
    sorted.sort_by_key(|(_, span, _)| span.start);
    let mut groups: Vec<Vec<(usize, Span, &str)>> = Vec::new();
    for label in sorted {
        let line = source.line(label.1.start);
        match groups.last_mut() {
            Some(group) if line - source.line(group[group.len() - 1].1.end) <= FAR => {
                group.push(label);
            }
            _ => groups.push(vec![label]),
        }
    }
    groups.sort_by_key(|group| group.iter().map(|(at, _, _)| *at).min());
    groups.iter().map(|group| excerpt(source, group, secrecy)).collect()
}

fn excerpt(source: &Source, labels: &[(usize, Span, &str)], secrecy: Secrecy<'_>) -> Excerpt {
    let start = labels.iter().map(|(_, span, _)| span.start).min().expect("a group has labels");
    let end = labels.iter().map(|(_, span, _)| span.end).max().expect("a group has labels");
    let first_line = source.line(start).saturating_sub(CONTEXT_LINES).max(source.first_line());
    let last_line = source.line(end) + CONTEXT_LINES;
    let is_plain = |line| {
        let covers =
            |span: &Span| (source.line(span.start)..=source.line(span.end)).contains(&line);
        let mut here = labels.iter().map(|(_, span, _)| span).filter(|it| covers(it)).peekable();
        here.peek().is_some() && here.all(|span| secrecy.plain.contains(span))
    };
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in first_line..=last_line {
        let masked = match secrecy.values {
            Values::Masked if !is_plain(line) => Masked::of(source, line),
            Values::Masked | Values::Shown => Masked::nothing(source.line_text(line)),
        };
        let start = text.len();
        text.push_str(&masked.shown());
        lines.push((start, masked));
        text.push('\n');
    }
    let place = |offset: u32, bound: Bound| {
        let (start, line) = &lines[(source.line(offset) - first_line) as usize];
        start + line.place(source.column(offset) as usize - 1, bound)
    };
    let marks = labels.iter().map(|&(at, span, message)| {
        let start = place(span.start, Bound::Start);
        let end = place(span.end, Bound::End).max(start);
        Mark { range: start..end, message: message.to_owned(), is_primary: at == 0 }
    });
    let marks = marks.collect();
    // A value within the argument of a flag has a text of its own, without a name.
    let name = match source.name() {
        "" if source.kind() == SourceKind::Flag => "(argument of a flag)",
        name => name,
    };
    let moved = labels.iter().filter_map(|(_, span, _)| {
        let (line, column) = (source.line(span.start), source.column(span.start));
        let (start, _) = lines[(line - first_line) as usize];
        let before = &text[start..place(span.start, Bound::Start)];
        let shown_column = before.chars().count() + 1;
        let at = |column: &dyn std::fmt::Display| format!("{name}:{line}:{column}");
        (shown_column != column as usize)
            .then(|| Moved { shown: at(&shown_column), written: at(&column) })
    });
    let moved = moved.collect();
    Excerpt { name: name.to_owned(), first_line, text, marks, moved }
}

/// What was being done, and the calls under way beyond the innermost, in words.
fn notes(diagnostic: &Diagnostic, sources: &Sources) -> Vec<String> {
    let context = diagnostic.context.iter().map(|it| format!("while: {it}"));
    let call = |frame: &Frame| {
        let function = frame.function.as_deref()?;
        Some(format!("in {function} at {}", sources.place(frame_span(frame)?)))
    };
    let trace = diagnostic.trace.as_deref().unwrap_or_default();
    let (inner, n_left_out, outer) = shown_calls(trace);
    let gap = (n_left_out > 0).then(|| format!("in {n_left_out} more calls"));
    let (inner, outer) = (inner.iter().filter_map(call), outer.iter().filter_map(call));
    context.chain(inner).chain(gap).chain(outer).collect()
}

fn frame_span(frame: &Frame) -> Option<Span> {
    match &frame.place {
        Place::Source(span) | Place::Unavailable(span) => Some(*span),
        Place::Generated { before, after, .. } => before.or(*after),
        Place::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    const CODE: Code = Code::new("test/wrong");

    #[test]
    fn the_lines_of_both_places_are_shown() {
        let sources = Sources::new();
        let values =
            sources.add("values.yml", SourceKind::File, b"a: 1\nport: x\nb: 2\n"[..].into());
        let schema = sources.add("schema.yml", SourceKind::File, b"port: 0\n"[..].into());
        let diagnostic = Diagnostic::error(CODE, "expected an integer")
            .label(Span::new(values, 11, 12), "this is a string")
            .label(Span::new(schema, 0, 4), "declared here")
            .help("give a number");
        let expected = "\
error[test/wrong]: expected an integer
 --> values.yml:2:7
  |
2 | port: ***
  |       ^^^ this is a string
  |
 ::: schema.yml:1:1
  |
1 | port: 0
  | ---- declared here
  |
  = help: give a number
";
        assert_eq!(render(&diagnostic, &sources, Colour::Never), expected);
    }

    #[test]
    fn a_label_at_the_end_of_the_source_is_shown() {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, b"a: [1"[..].into());
        let diagnostic = Diagnostic::error(CODE, "no end").label(Span::new(file, 5, 5), "here");
        let text = render(&diagnostic, &sources, Colour::Never);
        assert!(text.contains("1 | a: ***"), "{text}");
    }
}
