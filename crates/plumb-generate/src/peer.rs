//! Formats failures as jk does, for runs under that name.

use std::fmt::Write as _;

use plumb_diagnostic::{Diagnostic, Failure, Frame, FramePlace};
use plumb_source::{Sources, Span};

use crate::{THROWN, UNRESOLVED};

/// The text of all findings of a failure.
pub fn render(failure: &Failure, sources: &Sources) -> String {
    let mut out = String::new();
    for finding in failure.findings() {
        finding_lines(finding, sources, &mut out);
    }
    out
}

fn finding_lines(finding: &Diagnostic, sources: &Sources, out: &mut String) {
    if finding.code == UNRESOLVED {
        let _ = writeln!(out, "error: {}", finding.message.shown());
        let specifier = finding.message.shown().split('\'').nth(1).unwrap_or_default();
        let _ = writeln!(out, "Module ({specifier}) has not been loaded");
        return;
    }
    if let Some(label) = finding.labels.first() {
        excerpt(label.span, sources, out);
    }
    out.push_str(finding.message.shown());
    out.push('\n');
    if finding.code == THROWN {
        for frame in finding.trace.iter().flatten() {
            call(frame, sources, out);
        }
    }
    for help in &finding.help {
        let _ = writeln!(out, "\n{}", help.shown());
    }
}

/// Appends the place, its line, and a mark below the range.
fn excerpt(span: Span, sources: &Sources, out: &mut String) {
    let source = sources.get(span.file);
    let line = source.line(span.start);
    let text = source.line_text(line);
    let indent = source.column(span.start) as usize - 1;
    let _ = writeln!(out, "{}:{line}\n{text}\n{:indent$}^", source.name(), "");
}

fn call(frame: &Frame, sources: &Sources, out: &mut String) {
    let FramePlace::Source(span) = frame.place else { return };
    let source = sources.get(span.file);
    let (line, column) = (source.line(span.start), source.column(span.start));
    let _ = match &frame.function {
        Some(function) => writeln!(out, "    at {function} ({}:{line}:{column})", source.name()),
        None => writeln!(out, "    at {}:{line}:{column}", source.name()),
    };
}
