//! Diagnostics with the lines of source that they refer to, for people at a terminal.

mod excerpt;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Element, Group, Level, Renderer};
pub use plumb_source::Values;
use plumb_source::{Message, Sources, Span, lexical};

use crate::diagnostic::shown_calls;
use crate::{Diagnostic, Failure, Frame, FramePlace, Severity, Side};
use excerpt::{Excerpt, Moved, Secrecy};

/// The template language's name for the code of a file outside of all functions.
const TOP_LEVEL: &str = "<toplevel>";

/// Whether to use colour. Only a terminal gets colour, unless its user disabled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences for colours.
    Always,
    /// Plain text.
    Never,
}

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether the text has colours.
    pub colour: Colour,
    /// Whether values are shown, or a mask in their place.
    pub values: Values,
}

impl From<Colour> for Look {
    fn from(colour: Colour) -> Self {
        Self { colour, values: Values::Masked }
    }
}

/// Renders all findings of a failure, separated by empty lines.
pub fn render_failure(failure: &Failure, sources: &Sources, look: impl Into<Look>) -> String {
    let look = look.into();
    let mut out = String::new();
    for (at, finding) in failure.findings().iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&render(finding, sources, look));
    }
    out
}

/// Renders one diagnostic, ending in a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, look: impl Into<Look>) -> String {
    let Look { colour, values } = look.into();
    let values = if diagnostic.is_secret { Values::Masked } else { values };
    let secrecy = Secrecy { plain: &diagnostic.plain, values };
    let snippets = excerpt::excerpts(&labels(diagnostic, values), secrecy, sources);
    let notes = notes(diagnostic, sources);
    let test = diagnostic.test.as_ref().map(|it| format!("in the test {}", lexical::one_line(it)));
    let targets = targets_note(&diagnostic.targets);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message, values);
    let mut lines = message.splitn(2, '\n');
    let title = level.primary_title(lines.next().unwrap_or_default()).id(diagnostic.code.as_str());
    let group = Group::with_title(title)
        .elements(snippets.iter().map(Excerpt::element))
        .elements(
            lines.next().map(|details| Element::from(Level::NOTE.message(details.trim_end()))),
        )
        .elements(notes.iter().map(|it| Element::from(Level::NOTE.message(it.as_str()))))
        .elements(test.iter().map(|it| Element::from(Level::NOTE.message(it.as_str()))))
        .elements(targets.iter().map(|it| Element::from(Level::NOTE.message(it.as_str()))))
        .elements(
            diagnostic
                .help
                .iter()
                .map(|it| Element::from(Level::HELP.message(printable(it, values)))),
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
    for line in &diagnostic.diff {
        let (start, end) = match (colour, line.side) {
            (Colour::Never, _) | (Colour::Always, Side::Both) => ("", ""),
            (Colour::Always, Side::Expected) => ("\x1b[31m", "\x1b[0m"),
            (Colour::Always, Side::Found) => ("\x1b[32m", "\x1b[0m"),
        };
        let place = line.place.map(|it| format!("  ({})", location(it, sources)));
        let text = [line.side.sign(), " ", &printable(&line.text, values)].concat();
        let text = text.trim_end();
        let _ = writeln!(out, "  {start}{text}{end}{}", place.unwrap_or_default());
    }
    out
}

/// Corrects the column in the header of an excerpt, which is wrong after masked values on the same
/// line. The renderer has no other way to set the header: lines below an `Origin` get a separate,
/// empty header.
fn with_true_column<'a>(line: &'a str, moved: &[&Moved]) -> Cow<'a, str> {
    let is_head = line.contains("--> ") || line.contains("::: ");
    let cut = |it: &&Moved| {
        let (before, after) = line.split_once(&it.shown).filter(|_| is_head)?;
        let goes_on = after.starts_with(|next: char| next.is_ascii_digit());
        (!goes_on).then(|| format!("{before}{}{after}", it.written))
    };
    moved.iter().find_map(cut).map_or(line.into(), Cow::from)
}

/// Names the targets of a finding. Returns `None` if there are none.
fn targets_note(targets: &[String]) -> Option<String> {
    const MAX_NAMED: usize = 10;
    let word = if targets.len() == 1 { "target" } else { "targets" };
    let named = targets.iter().take(MAX_NAMED).map(|it| lexical::one_line(it));
    let named = named.collect::<Vec<_>>().join(", ");
    match targets.len() {
        0 => None,
        n if n > MAX_NAMED => Some(format!("in {n} {word}: {named}, …")),
        _ => Some(format!("in the {word} {named}")),
    }
}

/// Returns the places that the diagnostic points at. If it has none, returns the innermost call.
fn labels(diagnostic: &Diagnostic, values: Values) -> Vec<(Span, Cow<'_, str>)> {
    if diagnostic.labels.is_empty() {
        let innermost = diagnostic.trace.iter().flatten().find_map(frame_span);
        return innermost.map(|span| (span, "".into())).into_iter().collect();
    }
    diagnostic.labels.iter().map(|label| (label.span, printable(&label.message, values))).collect()
}

/// Describes the calls that led to the failure, innermost first: one note for each call, or for
/// several equal ones. The innermost place is left out if a label already shows one of these
/// places. It is also left out if no code was running: it is then only the place where a parser
/// stopped.
fn notes(diagnostic: &Diagnostic, sources: &Sources) -> Vec<String> {
    let trace = diagnostic.trace.as_deref().unwrap_or_default();
    let (inner, n_left_out, outer) = shown_calls(trace);
    let gap = (n_left_out > 0).then(|| format!("in {n_left_out} more calls"));
    let place = |span: Span| location(span, sources);
    let labelled: Vec<String> = diagnostic.labels.iter().map(|it| place(it.span)).collect();
    let calls = |range: Range<usize>| {
        let calls = range.filter_map(|at| call(&trace[at], &trace[at + 1..], &labelled, sources));
        calls.collect::<Vec<_>>()
    };
    let is_shown = |it: &Frame| frame_span(it).is_some_and(|it| labelled.contains(&place(it)));
    let innermost = trace.iter().find_map(|it| Some((it, place(frame_span(it)?))));
    let innermost =
        innermost.filter(|_| !diagnostic.labels.is_empty() && !trace.iter().any(is_shown));
    let innermost = innermost.and_then(|(frame, place)| match frame.function.as_deref()? {
        TOP_LEVEL => Some(format!("used at {place}")),
        function => Some(format!("in {function} at {place}")),
    });
    let outer = calls(trace.len() - outer.len()..trace.len());
    let all = innermost.into_iter().chain(calls(0..inner.len())).chain(gap).chain(outer);
    without_repetition(all)
}

/// Joins equal lines that follow each other, as in a recursion.
fn without_repetition(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match counted.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => counted.push((line, 1)),
        }
    }
    let shown = counted.into_iter().map(|(line, count)| match count {
        1 => line,
        _ => format!("{line} ({count} times)"),
    });
    shown.collect()
}

/// Describes where a function was called, or a file was loaded, unless a label shows it; `callers`
/// are the frames around it.
fn call(
    frame: &Frame,
    callers: &[Frame],
    labelled: &[String],
    sources: &Sources,
) -> Option<String> {
    let function = frame.function.as_deref()?;
    frame_span(frame)?;
    let place = location(callers.iter().find_map(frame_span)?, sources);
    if labelled.contains(&place) {
        return None;
    }
    Some(match function {
        TOP_LEVEL => format!("used at {place}"),
        function => format!("in {function}, called at {place}"),
    })
}

/// Returns a place in the form that users know: the file as they gave it, and the line.
fn location(span: Span, sources: &Sources) -> String {
    let source = sources.get(span.file);
    format!("{}:{}", lexical::one_line(&source.location()), source.line(span.start))
}

/// Returns a message as a terminal may print it.
fn printable(message: &Message, values: Values) -> Cow<'_, str> {
    match message.text(values) {
        Cow::Borrowed(text) => lexical::printable(text),
        Cow::Owned(text) => lexical::printable(&text).into_owned().into(),
    }
}

fn frame_span(frame: &Frame) -> Option<Span> {
    match &frame.place {
        FramePlace::Source(span) => Some(*span),
        FramePlace::Generated { before, after, .. } => before.or(*after),
        FramePlace::Unavailable(_) | FramePlace::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::SourceKind;

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
    fn a_path_with_a_line_break_is_shown_in_one_line() {
        let sources = Sources::new();
        let file = sources.add("a\n::error::b.yml", SourceKind::File, b"a: 1\n"[..].into());
        let diagnostic = Diagnostic::error(CODE, "wrong").label(Span::new(file, 0, 1), "");
        let text = render(&diagnostic, &sources, Colour::Never);
        assert!(text.contains(" --> a\\n::error::b.yml:1:1\n"), "{text}");
    }

    #[test]
    fn a_label_at_the_end_of_the_source_is_shown() {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, b"a: [1"[..].into());
        let diagnostic = Diagnostic::error(CODE, "no end").label(Span::new(file, 5, 5), "here");
        let text = render(&diagnostic, &sources, Colour::Never);
        assert!(text.contains("1 | a: [***"), "{text}");
    }
}
