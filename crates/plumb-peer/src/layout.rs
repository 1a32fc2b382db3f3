//! The layout of an error: one text, and its calls.
//!
//! The first line is broken at each `: ` before a capital letter, and each piece is indented by two
//! more; the other lines are not changed. Errors of template code begin with an empty line, and
//! list the active calls.

use std::fmt::Write as _;

use plumb_diagnostic::{
    Diagnostic, Facts, Failure, First, Frame, FramePlace, line_of_source, shown_calls,
};
use plumb_source::message::plain;
use plumb_source::{Message, SourceKind, Sources, Span, Values, message};

use crate::{activity, piece, term, words};

/// Returns the whole text after `ytt: Error: `, including values.
pub fn render(failure: &Failure, sources: &Sources) -> String {
    render_with(failure, sources, Values::Shown)
}

/// Like [`render`], with values masked or shown.
pub fn render_with(failure: &Failure, sources: &Sources, values: Values) -> String {
    reflow(&text_with(failure, sources, values).text(values))
}

/// Returns the text before its first line is broken up. An enclosing error quotes it in this form.
pub fn text(failure: &Failure, sources: &Sources) -> Message {
    let view = View { values: Values::Shown, marks_lines: true };
    term::worded(&composed(failure, sources, view), sources)
}

/// Like [`text`], for a reader to whom values are masked or shown. If they are masked, the layout
/// does not depend on them.
pub fn text_with(failure: &Failure, sources: &Sources, values: Values) -> Message {
    let view = View { values, marks_lines: values == Values::Masked };
    term::worded(&composed(failure, sources, view), sources)
}

/// What the reader of a text may see.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) values: Values,
    /// Whether the values in lines of reports are marked. Finding them takes time, and is not
    /// needed if all values are shown.
    pub(crate) marks_lines: bool,
}

fn composed(failure: &Failure, sources: &Sources, view: View) -> Message {
    let mut out = begun(failure.activities(), sources);
    match failure.first() {
        First::Findings(findings) => {
            for finding in findings {
                push_finding(finding, sources, view.values, &mut out);
            }
        }
        First::Facts(facts) => out.push(&words::of_many(facts, failure, sources, view)),
        First::Failure(failure) => out.push(&composed(failure, sources, view)),
    }
    out
}

/// The text before a message: the activities.
fn begun(activities: &[Facts], sources: &Sources) -> Message {
    let mut out = Message::new();
    for it in activities {
        out.push(&activity::words(it, sources));
    }
    out
}

fn push_finding(finding: &Diagnostic, sources: &Sources, values: Values, out: &mut Message) {
    if let Some(trace) = &finding.trace {
        push_traced(finding, trace, sources, values, out);
    } else {
        out.push(&begun(&finding.activities, sources));
        out.push(&words::of_one(finding, sources));
    }
}

fn push_traced(
    finding: &Diagnostic,
    trace: &[Frame],
    sources: &Sources,
    values: Values,
    out: &mut Message,
) {
    let (first, reason) = words::of_one(finding, sources).split_line(values);
    out.push(&message!("\n- {first}"));
    if let Some(hint) = words::hint(finding) {
        out.push(&message!(" (hint: {hint})"));
    }
    let (inner, n_left_out, outer) = shown_calls(trace);
    for frame in inner {
        push_frame(frame, sources, out);
    }
    if n_left_out > 0 {
        out.push(&message!("\n    in {n_left_out} more calls"));
    }
    for frame in outer {
        push_frame(frame, sources, out);
    }
    if let Some(reason) = reason {
        let reason = reason.map(|it| it.replace('\n', "\n     "));
        out.push(&message!("\n\n    reason:\n     {reason}"));
    }
}

fn push_frame(frame: &Frame, sources: &Sources, out: &mut Message) {
    if matches!(frame.place, FramePlace::Unknown) {
        return;
    }
    let mut pad = "    ";
    if let Some(function) = &frame.function {
        out.push(&message!("\n{pad}in {}", plain(function)));
        pad = "      ";
    }
    match &frame.place {
        FramePlace::Source(span) => push_line(pad, *span, sources, out),
        FramePlace::Unavailable(code) => out.push(&message!("\n{pad}{}:1 | (unavailable)", *code)),
        FramePlace::Generated { code, file, before, after } => {
            if let Some(span) = before {
                push_line(pad, *span, sources, out);
            }
            out.push(&message!("\n{pad}{}:? | {} (generated)", plain(file), plain(code)));
            if let Some(span) = after {
                push_line(pad, *span, sources, out);
            }
        }
        FramePlace::Unknown => {}
    }
}

/// Like ytt, shows only the line of a module of plain code, and only the piece of a text template.
fn push_line(pad: &'static str, span: Span, sources: &Sources, out: &mut Message) {
    let source = sources.get(span.file);
    let line = source.line(span.start);
    let name = plain(source.name());
    out.push(&match source.kind() {
        SourceKind::Module => message!("\n{pad}{line} | {}", line_of_source(&source, line)),
        SourceKind::Text => {
            let piece = piece::around(source.bytes(), span.start as usize);
            let line = source.line(u32::try_from(piece.start).unwrap_or(span.start));
            let shown = String::from_utf8_lossy(&source.bytes()[piece.shown]);
            message!("\n{pad}{name}:{line} | {}", plain(shown))
        }
        SourceKind::File | SourceKind::Flag | SourceKind::Environment | SourceKind::Memory => {
            message!("\n{pad}{name}:{line} | {}", line_of_source(&source, line))
        }
    });
}

/// Breaks up the first line of an error text.
fn reflow(text: &str) -> String {
    let (first, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let mut out = String::with_capacity(text.len() + 16);
    let mut open = Vec::new();
    let mut depth = 0;
    let mut characters = first.char_indices();
    while let Some((at, character)) = characters.next() {
        let ahead = &first[at..];
        match character {
            '[' | '(' | '{' => {
                open.push(character);
                out.push(character);
            }
            ']' | ')' | '}' => match open.pop() {
                Some(opener) => out.push(closer_of(opener)),
                // ytt drops the rest of a line after a closing bracket that was never opened.
                None => break,
            },
            ':' if open.is_empty() && begins_a_piece(ahead) => {
                depth += 1;
                let _ = write!(out, ":\n{:indent$}", "", indent = 2 * depth);
                characters.next();
            }
            _ => out.push(character),
        }
    }
    out.push_str(rest);
    out
}

fn closer_of(opener: char) -> char {
    match opener {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

fn begins_a_piece(ahead: &str) -> bool {
    ahead.strip_prefix(": ").is_some_and(|it| it.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_before_a_capital_breaks_the_first_line() {
        assert_eq!(
            reflow("Reading: File a.yml: Line 1: no more: x\nNext: Line"),
            "Reading:\n  File a.yml:\n    Line 1: no more: x\nNext: Line"
        );
    }

    #[test]
    fn text_in_brackets_is_not_broken() {
        assert_eq!(reflow("A (b: C): D"), "A (b: C):\n  D");
        assert_eq!(reflow("A [b: C"), "A [b: C");
    }

    #[test]
    fn the_rest_after_a_stray_bracket_is_lost_as_in_ytt() {
        assert_eq!(reflow("Missing '@)' here\nnext"), "Missing '@\nnext");
    }
}
