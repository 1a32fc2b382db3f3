//! Inserts a reference into another text, such as a README.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{Sources, Span, lexical, message};

use crate::{Reference, markdown};

/// The line before the reference.
pub const BEGIN: &str = "<!-- plumb schema docs: begin -->";

/// The line after the reference.
pub const END: &str = "<!-- plumb schema docs: end -->";

/// A file has no markers, or wrong markers, for the reference of a schema.
///
/// Write `<!-- plumb schema docs: begin -->` and `<!-- plumb schema docs: end -->` on two lines of
/// the file. The text between them is replaced.
pub const MARKERS: Code = Code::new("docs/markers");

/// Returns a text with a reference between its two markers. Its headings are one level below the
/// heading before the markers. Fails if the markers are missing, repeated or in the wrong order.
///
/// `file` is the text in the sources.
pub fn inject(
    reference: &Reference,
    sources: &Sources,
    file: plumb_source::FileId,
) -> Result<String, Failure> {
    let source = sources.get(file);
    let text = String::from_utf8_lossy(source.bytes());
    let lines = Lines::of(&text);
    let fail = |problem: plumb_source::Message, at: Option<usize>| {
        let mut finding = Diagnostic::error(MARKERS, problem);
        if let Some(at) = at {
            let [start, end] = [at, at + text[at..].lines().next().map_or(0, str::len)]
                .map(|it| u32::try_from(it).expect("a source fits into 4 GiB"));
            let span = Span::new(file, start, end);
            finding = finding.label(span, "");
            finding.plain.push(span);
        }
        let help = message!(
            "the reference goes between the lines `{}` and `{}`",
            plain(BEGIN),
            plain(END)
        );
        Err(Failure::from(finding.help(help)))
    };
    let name = plain(lexical::one_line(source.name()).into_owned());
    match (lines.begins.as_slice(), lines.ends.as_slice()) {
        ([], []) => fail(message!("{name} has no markers for the reference"), None),
        ([_], []) => fail(message!("{name} has no marker for the end of the reference"), None),
        ([], [_, ..]) => {
            fail(message!("{name} has no marker for the beginning of the reference"), None)
        }
        ([_, second, ..], _) | (_, [_, second, ..]) => {
            fail(message!("expected each marker once, found it again"), Some(*second))
        }
        ([begin], [end]) if end < begin => {
            fail(message!("expected the beginning of the reference before its end"), Some(*end))
        }
        ([begin], [end]) => {
            let level = lines.level.max(1);
            let before = &text[..begin + BEGIN.len()];
            Ok([before, "\n\n", &markdown(reference, level), "\n", &text[*end..]].concat())
        }
    }
}

/// The markers of a text.
#[derive(Default)]
struct Lines {
    begins: Vec<usize>,
    ends: Vec<usize>,
    /// The level of the last heading before the first marker.
    level: usize,
}

impl Lines {
    fn of(text: &str) -> Self {
        let mut lines = Self::default();
        let mut at = 0;
        let mut is_code = false;
        for line in text.split_inclusive('\n') {
            let words = line.trim();
            let indent = line.len() - line.trim_start().len();
            if words.starts_with("```") || words.starts_with("~~~") {
                is_code = !is_code;
            } else if is_code {
            } else if words == BEGIN {
                lines.begins.push(at + indent);
            } else if words == END {
                lines.ends.push(at + indent);
            } else if lines.begins.is_empty() {
                let level = words.len() - words.trim_start_matches('#').len();
                if (1..=6).contains(&level) && words[level..].starts_with(' ') {
                    lines.level = level;
                }
            }
            at += line.len();
        }
        lines
    }
}
