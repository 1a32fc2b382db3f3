//! Diagnostics with the lines of source they talk about, for people at a terminal.

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
    let secret: &[Span] = match values {
        Values::Masked => &diagnostic.values,
        Values::Shown => &[],
    };
    let snippets = excerpts(diagnostic, secret, sources);
    let notes = notes(diagnostic, sources);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut lines = diagnostic.message.splitn(2, '\n');
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
    let mut text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    text.push('\n');
    text
}

/// The lines of one source that labels point into.
struct Excerpt {
    name: String,
    first_line: u32,
    text: String,
    marks: Vec<Mark>,
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
fn excerpts(diagnostic: &Diagnostic, secret: &[Span], sources: &Sources) -> Vec<Excerpt> {
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
    order.iter().flat_map(|file| cut(&sources.get(*file), &by_file[file], secret)).collect()
}

/// One excerpt for labels that are close to each other, several for labels far apart.
fn cut(source: &Source, labels: &[(usize, Span, &str)], secret: &[Span]) -> Vec<Excerpt> {
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
    groups.iter().map(|group| excerpt(source, group, secret)).collect()
}

fn excerpt(source: &Source, labels: &[(usize, Span, &str)], secret: &[Span]) -> Excerpt {
    let start = labels.iter().map(|(_, span, _)| span.start).min().expect("a group has labels");
    let end = labels.iter().map(|(_, span, _)| span.end).max().expect("a group has labels");
    let first_line = source.line(start).saturating_sub(CONTEXT_LINES).max(source.first_line());
    let last_line = source.line(end) + CONTEXT_LINES;
    let covers =
        |span: &Span, line| (source.line(span.start)..=source.line(span.end)).contains(&line);
    let is_excerpt_secret = labels.iter().any(|(_, span, _)| secret.contains(span));
    // Lines around a value may hold values too; those of a rule do not.
    let is_secret = |line| {
        let mut here = labels.iter().filter(|(_, span, _)| covers(span, line)).peekable();
        is_excerpt_secret
            && (here.peek().is_none() || here.any(|(_, span, _)| secret.contains(span)))
    };
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in first_line..=last_line {
        let whole = source.line_text(line);
        let masked =
            if is_secret(line) { Masked::of(source, whole) } else { Masked::nothing(whole) };
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
    Excerpt { name: name.to_owned(), first_line, text, marks }
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
2 | port: x
  |       ^ this is a string
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
        assert!(text.contains("1 | a: [1"), "{text}");
    }
}
